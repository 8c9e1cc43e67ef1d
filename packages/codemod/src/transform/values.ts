import type { Binding, NodePath } from '@babel/traverse';
import type { Expression, Node } from '@babel/types';
import { dotted, isWritten } from './clients.js';

/**
 * Returns the expression in `x!`, `x as T` and `x satisfies T`. Undefined for any other expression.
 */
export function insideCast(path: NodePath): NodePath<Expression> | undefined {
  if (path.isTSNonNullExpression()) return path.get('expression');
  if (path.isTSAsExpression()) return path.get('expression');
  if (path.isTSTypeAssertion()) return path.get('expression');
  return path.isTSSatisfiesExpression() ? path.get('expression') : undefined;
}

export function parametersOf(path: NodePath): NodePath[] {
  const parameters = path.get('params');
  return Array.isArray(parameters) ? parameters : [parameters];
}

/** Returns the initial value of a constant, in any scope. */
export function constantInit(path: NodePath): NodePath<Expression> | undefined {
  if (!path.isIdentifier()) return undefined;
  const binding = path.scope.getBinding(path.node.name);
  if (!binding?.constant || !binding.path.isVariableDeclarator()) return undefined;
  const init = binding.path.get('init');
  return binding.path.node.id.type === 'Identifier' && init.isExpression() ? init : undefined;
}

/**
 * Returns the constants that an expression names. Undefined if the expression cannot move to module
 * level, because it contains more than literals, imports and constants of the module.
 */
export function stableNames(path: NodePath): Binding[] | undefined {
  if (path.isStringLiteral() || path.isNumericLiteral() || path.isBooleanLiteral()) return [];
  if (path.isTemplateLiteral()) return all(path.get('expressions'));
  if (path.isBinaryExpression() && !path.node.operator.startsWith('in'))
    return all([path.get('left') as NodePath, path.get('right')]);
  const inside = insideCast(path);
  if (inside) return stableNames(inside);
  if (path.isMemberExpression()) {
    // Bundlers replace `import.meta.env.NAME` with its value.
    if (/^\.env\.\w+$/.test(afterImportMeta(path.node))) return [];
    const object = path.get('object');
    const init = constantInit(object);
    const names = stableNames(object);
    if (
      !init ||
      !names ||
      path.node.computed ||
      !(init.isObjectExpression() || init.isTSAsExpression())
    )
      return undefined;
    return names.every((binding) => binding.referencePaths.every(onlyRead)) ? names : undefined;
  }
  if (!path.isIdentifier()) return undefined;
  const binding = path.scope.getBinding(path.node.name);
  if (!binding?.constant || binding.scope !== path.scope.getProgramParent()) return undefined;
  const declared =
    binding.path.isVariableDeclarator() && binding.path.node.id.type === 'Identifier';
  return binding.kind === 'module' || (declared && binding.kind === 'const')
    ? [binding]
    : undefined;
}

function all(paths: readonly NodePath[]): Binding[] | undefined {
  const names: Binding[] = [];
  for (const path of paths) {
    const found = stableNames(path);
    if (!found) return undefined;
    names.push(...found);
  }
  return names;
}

function onlyRead(reference: NodePath): boolean {
  const { parentPath: member } = reference;
  return (
    reference.isIdentifier() &&
    member?.isMemberExpression() === true &&
    member.node.object === reference.node &&
    !isWritten(member)
  );
}

function afterImportMeta(node: Node): string {
  if (node.type === 'MetaProperty') return '';
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier')
    return ' ';
  return `${afterImportMeta(node.object)}.${node.property.name}`;
}

/** The kind of a value, known from an annotation or a literal. */
export type KnownType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'nullish' | 'other';

/** Returns the kind of an expression's value, if the source shows the kind. */
export function knownType(path: NodePath): KnownType | undefined {
  if (path.isStringLiteral() || path.isTemplateLiteral()) return 'string';
  if (path.isNumericLiteral() || path.isUpdateExpression()) return 'number';
  if (path.isBooleanLiteral() || path.isUnaryExpression({ operator: '!' })) return 'boolean';
  if (path.isArrayExpression()) return 'array';
  if (path.isObjectExpression()) return 'object';
  if (path.isNullLiteral()) return 'nullish';
  if (path.isBinaryExpression({ operator: '+' })) {
    const left = knownType(path.get('left'));
    const right = knownType(path.get('right'));
    if (left === 'string' || right === 'string') return 'string';
    return left === 'number' && right === 'number' ? 'number' : undefined;
  }
  if (path.isBinaryExpression())
    return /^[-*/%&|^]|^<<|^>>>?$/.test(path.node.operator) ? 'number' : 'boolean';
  const inside = insideCast(path);
  if (inside) {
    const written = 'typeAnnotation' in path.node ? path.node.typeAnnotation : undefined;
    return (written && typeKind(written as Node)) ?? knownType(inside);
  }
  if (path.isConditionalExpression()) {
    const kind = knownType(path.get('consequent'));
    return kind === knownType(path.get('alternate')) ? kind : undefined;
  }
  if (path.isNewExpression()) return 'other';
  if (path.isCallExpression()) return callType(path.node.callee);
  if (!path.isIdentifier()) return undefined;
  if (path.node.name === 'undefined') return 'nullish';
  const binding = path.scope.getBinding(path.node.name);
  if (!binding) return undefined;
  const annotated = annotationOf(binding);
  if (annotated) return typeKind(annotated);
  const { path: declaration } = binding;
  if (binding.constant && declaration.isVariableDeclarator()) {
    const init = constantInit(path);
    return init && knownType(init);
  }
  const parent = declaration.isAssignmentPattern() ? declaration : declaration.parentPath;
  // A default value shows the intended kind.
  if (
    binding.kind === 'param' &&
    parent?.isAssignmentPattern() &&
    parent.node.left === binding.identifier
  )
    return knownType(parent.get('right'));
  return undefined;
}

function callType(callee: Node): KnownType | undefined {
  const name = dotted(callee);
  if (/^(String|encodeURIComponent|encodeURI|btoa)$|^(\w+\.)?stringify$/.test(name))
    return 'string';
  if (/^(Number|parseInt|parseFloat|Date\.now)$|^Math\.\w+$/.test(name)) return 'number';
  if (name === 'Boolean') return 'boolean';
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    const method = callee.property.name;
    if (/^(toString|join|toISOString|toLowerCase|toUpperCase|trim|toFixed)$/.test(method))
      return 'string';
  }
  return undefined;
}

/** Returns the type that is written at the declaration of a binding. */
export function annotationOf({ identifier, path }: Binding): Node | undefined {
  const own = identifier.typeAnnotation;
  if (own && 'typeAnnotation' in own) return own.typeAnnotation;
  // The parameter is a pattern with a type, as in `({ id }: { id: string }) => …`.
  const pattern = path.node;
  if (pattern.type === 'ObjectPattern') return memberType(pattern, identifier);
  return undefined;
}

function memberType(pattern: Node & { type: 'ObjectPattern' }, identifier: Node): Node | undefined {
  const annotation = pattern.typeAnnotation;
  if (annotation?.type !== 'TSTypeAnnotation') return undefined;
  const type = annotation.typeAnnotation;
  if (type.type !== 'TSTypeLiteral') return undefined;
  const property = pattern.properties.find(
    (one) => one.type === 'ObjectProperty' && one.value === identifier,
  );
  if (property?.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return undefined;
  const { name } = property.key;
  const member = type.members.find(
    (one) =>
      one.type === 'TSPropertySignature' && one.key.type === 'Identifier' && one.key.name === name,
  );
  return member?.type === 'TSPropertySignature' && !member.optional
    ? member.typeAnnotation?.typeAnnotation
    : undefined;
}

/** Returns the kind of value that a written type allows. Undefined for an unknown type. */
export function typeKind(type: Node): KnownType | undefined {
  switch (type.type) {
    case 'TSStringKeyword':
      return 'string';
    case 'TSNumberKeyword':
      return 'number';
    case 'TSBooleanKeyword':
      return 'boolean';
    case 'TSNullKeyword':
    case 'TSUndefinedKeyword':
    case 'TSVoidKeyword':
      return 'nullish';
    case 'TSArrayType':
    case 'TSTupleType':
      return 'array';
    case 'TSTypeLiteral':
      return 'object';
    case 'TSLiteralType':
      return type.literal.type === 'StringLiteral'
        ? 'string'
        : type.literal.type === 'NumericLiteral'
          ? 'number'
          : type.literal.type === 'BooleanLiteral'
            ? 'boolean'
            : undefined;
    case 'TSUnionType': {
      const kinds = new Set(type.types.map(typeKind));
      const [kind] = kinds;
      return kinds.size === 1 ? kind : undefined;
    }
    case 'TSParenthesizedType':
      return typeKind(type.typeAnnotation);
    default:
      return undefined;
  }
}

/** Returns the name of a written type, such as `Filters` or `URLSearchParams`. */
export function typeName(type: Node | undefined): string | undefined {
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier'
    ? type.typeName.name
    : undefined;
}
