import type { Binding, NodePath } from '@babel/traverse';
import type { Node, ObjectExpression } from '@babel/types';
import { dotted, propertyName, specifierName } from './clients.js';
import { declarationOf } from './declared.js';
import type { Module } from './module.js';
import { refuse } from './reasons.js';
import { annotationOf, insideCast, knownType, typeKind, typeName } from './values.js';

const SCALAR = /^(string|number|boolean|nullish)$/;

// Matches names that probably stand for lists and objects, which axios writes as `filter[a]=1` and
// `ids[]=1`.
const PLURAL =
  /(filter|where|range|sort|orderBy|include|populate|options|params|query|list|array|object|criteria|(?<!s|u|i|acces|statu)s)$/i;

/** Refuses a search parameter that may be an array or an object. */
export function refuseNested(module: Module, key: string, value: NodePath): void {
  if (mayBeNested(module, key, value)) refuse('query-nested', `\`${key}\``);
}

function mayBeNested(module: Module, key: string, value: NodePath): boolean {
  const inside = insideCast(value);
  const known = knownType(value);
  if (known === 'other') return !(value.isNewExpression() && dotted(value.node.callee) === 'Date');
  if (known) return !SCALAR.test(known);
  if (inside) return mayBeNested(module, key, inside);
  if (value.isLogicalExpression())
    return (
      mayBeNested(module, key, value.get('left')) || mayBeNested(module, key, value.get('right'))
    );
  if (value.isConditionalExpression())
    return (
      mayBeNested(module, key, value.get('consequent')) ||
      mayBeNested(module, key, value.get('alternate'))
    );
  if (value.isIdentifier()) {
    const binding = value.scope.getBinding(value.node.name);
    const type = binding && annotationOf(binding);
    if (type) return !isScalarType(module, type);
  }
  if (value.isCallExpression() && LISTS.test(dotted(value.node.callee) || methodOf(value.node)))
    return true;
  return PLURAL.test(key) || PLURAL.test(lastName(value.node));
}

const LISTS =
  /^(Object\.(keys|values|entries|assign|fromEntries)|Array\.(from|of)|(.*\.)?(map|filter|slice|split|concat|flat|flatMap|sort|reverse))$/;

const methodOf = ({ callee }: Node & { type: 'CallExpression' }): string =>
  callee.type === 'MemberExpression' ? specifierName(callee.property) : '';

function lastName(node: Node): string {
  if (node.type === 'CallExpression') return lastName(node.callee);
  if (node.type === 'OptionalMemberExpression' || node.type === 'MemberExpression')
    return node.computed ? '' : specifierName(node.property);
  return specifierName(node);
}

/** Refuses an object literal of search parameters that may contain an array or an object. */
export function refuseNestedLiteral(module: Module, literal: NodePath<ObjectExpression>): void {
  for (const property of literal.get('properties')) {
    if (!property.isObjectProperty()) continue;
    const { key } = property.node;
    const name = key.type === 'StringLiteral' ? key.value : specifierName(key);
    refuseNested(module, name, property.get('value') as NodePath);
  }
}

/** Refuses an object to which code may add an array or an object later. */
export function refuseNestedWrites(module: Module, { referencePaths }: Binding): void {
  for (const { parentPath: member, node } of referencePaths) {
    const assignment = member?.parentPath;
    if (!member?.isMemberExpression() || member.node.object !== node) continue;
    if (!assignment?.isAssignmentExpression() || assignment.node.left !== member.node) continue;
    refuseNested(module, propertyName(member.node) ?? 'ids', assignment.get('right'));
  }
}

/** Refuses an object of search parameters if its type allows arrays or objects as members. */
export function refuseNestedType(module: Module, { identifier }: Binding, type: Node): void {
  if (!hasScalars(module, type)) refuse('query-nested', `a member of \`${identifier.name}\``);
}

function hasScalars(module: Module, type: Node): boolean {
  if (type.type === 'TSParenthesizedType') return hasScalars(module, type.typeAnnotation);
  if (type.type === 'TSIntersectionType') return type.types.every((one) => hasScalars(module, one));
  if (type.type === 'TSTypeLiteral') return areScalars(module, type.members);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return false;
  const { name } = type.typeName;
  const [first, second] = type.typeParameters?.params ?? [];
  if (/^(Partial|Readonly|Required|Pick|Omit)$/.test(name) && first)
    return hasScalars(module, first);
  if (name === 'Record' && second) return isScalarType(module, second);
  const found = declarationOf(module, name);
  if (found?.type === 'TSTypeAliasDeclaration') return hasScalars(module, found.typeAnnotation);
  if (found?.type !== 'TSInterfaceDeclaration' || (found.extends ?? []).length > 0) return false;
  return areScalars(module, found.body.body);
}

const areScalars = (module: Module, members: readonly Node[]): boolean =>
  members.every(
    (member) =>
      (member.type === 'TSPropertySignature' || member.type === 'TSIndexSignature') &&
      member.typeAnnotation?.type === 'TSTypeAnnotation' &&
      isScalarType(module, member.typeAnnotation.typeAnnotation),
  );

function isScalarType(module: Module, type: Node): boolean {
  const kind = typeKind(type);
  if (kind) return SCALAR.test(kind);
  if (type.type === 'TSUnionType') return type.types.every((one) => isScalarType(module, one));
  const name = typeName(type);
  if (name === undefined) return false;
  if (name === 'Date') return true;
  const found = declarationOf(module, name);
  if (found?.type === 'TSEnumDeclaration') return true;
  return (
    found?.type === 'TSTypeAliasDeclaration' &&
    found.typeAnnotation.type !== 'TSTypeReference' &&
    isScalarType(module, found.typeAnnotation)
  );
}
