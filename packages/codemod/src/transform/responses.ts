import type { Binding, NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { isWritten, propertyName } from './clients.js';
import type { Edit } from './edits.js';
import { endOf, type Module, outerStart, startOf, textOf, usedAround } from './module.js';
import { refuse } from './reasons.js';
import { typeName } from './values.js';

/** An error handler in a chain of promises. */
export interface OwnHandler {
  readonly path: NodePath;
  /** The `Promise.all([…])` around the request, whose errors the handler receives. */
  readonly block: NodePath | undefined;
}

/** The code that reads a response, as far as it is found. */
export interface Reading {
  readonly module: Module;
  readonly edits: Edit[];
  readonly handlers: OwnHandler[];
  readonly places: NodePath[];
  readonly consumed: Node[];
  used: boolean;
  /** True if the call sends through `restitch/axios`. */
  readonly isBridged: boolean;
}

export type GetBinding = (name: string) => Binding | undefined;

const METADATA = /^(status|statusText|headers|config|request)$/;

// Returns true if the value of an expression is not used, as in `await x;` or `void x;`.
export function isStatement(path: NodePath): boolean {
  const { parentPath: parent, node } = path;
  if (!parent) return false;
  if (parent.isExpressionStatement() || parent.isUnaryExpression({ operator: 'void' })) return true;
  const branch =
    (parent.isLogicalExpression() && parent.node.right === node) ||
    (parent.isConditionalExpression() && parent.node.test !== node);
  return branch && isStatement(parent);
}

/** Follows an awaited response to the code that reads it. */
export function followResponse(reading: Reading, value: NodePath): void {
  const { parentPath: parent, node } = value;
  if (!parent || isStatement(value)) return undefined;
  if (isMemberOf(parent, node)) return readMember(reading, parent, value);
  if (parent.isVariableDeclarator() && parent.node.init === node)
    return followTarget(reading, parent.get('id'), value.scope.getBinding.bind(value.scope));
  return refuse('response-used-whole');
}

const isMemberOf = (path: NodePath, object: Node): boolean =>
  (path.isMemberExpression() || path.isOptionalMemberExpression()) && path.node.object === object;

/** Follows the target of a response, which is a variable or a pattern. */
export function followTarget(reading: Reading, target: NodePath, getBinding: GetBinding): void {
  const { module, edits } = reading;
  if (target.isObjectPattern()) {
    const { properties } = target.node;
    const [property] = properties;
    if (properties.length !== 1 || property?.type !== 'ObjectProperty') {
      const others = properties.some(
        (one) =>
          one.type === 'ObjectProperty' &&
          one.key.type === 'Identifier' &&
          METADATA.test(one.key.name),
      );
      return refuse(others ? 'response-metadata' : 'response-used-whole');
    }
    if (property.computed || property.key.type !== 'Identifier' || property.key.name !== 'data')
      return refuse('response-metadata');
    if (property.value.type === 'AssignmentPattern')
      return refuse('response-used-whole', 'a default for its data');
    if (!reading.isBridged) refuseTakenApart(property.value);
    if (property.value.type === 'Identifier' && !reading.isBridged)
      followData(getBinding(property.value.name));
    const end = endOf(property.value);
    edits.push({
      start: startOf(target.node),
      end: endOf(target.node),
      pieces: [[startOf(property.value), end], annotationFor(reading, target.node)],
    });
    reading.used = true;
    return undefined;
  }
  if (!target.isIdentifier()) return refuse('response-used-whole');
  const binding = getBinding(target.node.name);
  if (!binding?.constant || binding.identifier !== target.node)
    return refuse('response-used-whole', 'its variable is assigned more than once');
  if (binding.kind === 'var' && !isSetBeforeUse(binding))
    return refuse('response-used-whole', 'its variable may be used before');
  if (binding.scope.path.isProgram() && usedAround(module, target.node.name))
    return refuse('response-used-whole', 'in the template');
  for (const reference of binding.referencePaths) {
    const { parentPath: parent, node } = reference;
    if (parent && isMemberOf(parent, node)) readMember(reading, parent, reference);
    else if (
      parent?.isVariableDeclarator() &&
      parent.node.init === node &&
      parent.get('id').isObjectPattern()
    )
      followTarget(reading, parent.get('id'), getBinding);
    else refuse('response-used-whole');
  }
  const annotation = target.node.typeAnnotation;
  if (annotation) {
    const name = target.node.name;
    edits.push({
      start: startOf(target.node) + name.length,
      end: endOf(target.node),
      pieces: [annotationFor(reading, target.node)],
    });
  }
  return undefined;
}

// Refuses destructuring. For an empty response, axios returns `''`, which can be destructured.
// restitch returns `null`, which cannot.
function refuseTakenApart({ type }: Node): void {
  if (/^(Object|Array)Pattern$/.test(type)) refuse('response-taken-apart');
}

function followData(binding: Binding | undefined): void {
  for (const { parent, node } of binding?.referencePaths ?? []) {
    if (parent.type === 'VariableDeclarator' && parent.init === node) refuseTakenApart(parent.id);
    refuseCompared(parent, node);
  }
}

// Refuses a comparison with an empty value. For an empty response of axios, `data === ''` is true
// and `data === null` is false.
function refuseCompared(parent: Node, node: Node): void {
  if (parent.type === 'UnaryExpression' && parent.operator === 'typeof')
    refuse('response-taken-apart', 'its type is tested');
  if (parent.type !== 'BinaryExpression' || !/^[!=]==?$/.test(parent.operator)) return;
  const other = parent.left === node ? parent.right : parent.left;
  const isEmpty =
    other.type === 'NullLiteral' ||
    (other.type === 'StringLiteral' && other.value === '') ||
    (other.type === 'Identifier' && other.name === 'undefined');
  if (isEmpty) refuse('response-taken-apart', 'it is compared with nothing');
}

// Returns true if all reads of a `var` come after its declaration. Earlier reads are undefined.
function isSetBeforeUse({ path, referencePaths }: Binding): boolean {
  const block = path.parentPath?.parentPath;
  const outer = block?.isProgram() === true || block?.parentPath?.isFunction() === true;
  return outer && referencePaths.every(({ node }) => startOf(node) > endOf(path.node));
}

// Turns `: AxiosResponse<User>` into `: User`.
function annotationFor(
  { module, consumed }: Reading,
  { typeAnnotation }: Node & { type: 'ObjectPattern' | 'Identifier' },
): string {
  if (typeAnnotation?.type !== 'TSTypeAnnotation')
    return typeAnnotation ? refuse('response-used-whole', 'its type') : '';
  const type = typeAnnotation.typeAnnotation;
  if (type.type === 'TSAnyKeyword') return ': any';
  if (type.type === 'TSTypeLiteral' && type.members.length === 1) {
    const [member] = type.members;
    const named =
      member?.type === 'TSPropertySignature' &&
      member.key.type === 'Identifier' &&
      member.key.name === 'data';
    const inner = named ? member.typeAnnotation?.typeAnnotation : undefined;
    if (inner) return `: ${textOf(module, inner)}`;
  }
  if (typeName(type) !== 'AxiosResponse' || type.type !== 'TSTypeReference')
    return refuse('response-used-whole', 'its type');
  consumed.push(type.typeName);
  const [argument, ...more] = type.typeParameters?.params ?? [];
  if (more.length > 0) refuse('response-used-whole', 'its type');
  return argument ? `: ${textOf(module, argument)}` : ': any';
}

// Turns `r.data` into `r` in any expression.
function readMember(reading: Reading, member: NodePath, object: NodePath): void {
  const name = propertyName(member.node);
  if (name !== 'data')
    return refuse(METADATA.test(name ?? '') ? 'response-metadata' : 'response-used-whole');
  if (isWritten(member)) return refuse('response-used-whole', 'its data is replaced');
  const { module, edits } = reading;
  const inner = object.node;
  const open = inner.extra?.['parenthesized'] === true;
  const start = endOf(inner);
  const between = module.source.slice(start, endOf(member.node));
  const close = /^\s*\)/.exec(between)?.[0] ?? '';
  if (
    !/^\s*\)?\s*\??\.\s*(data)$/.test(between) &&
    !/^\s*\)?\s*(\?\.)?\[['"]data['"]\]$/.test(between)
  )
    return refuse('comment-inside');
  reading.used = true;
  const { parentPath: outer } = member;
  if (reading.isBridged) {
    // The bridge returns `''` for an empty response, like axios.
  } else if (outer?.isVariableDeclarator() && outer.node.init === member.node) {
    refuseTakenApart(outer.node.id);
    if (outer.node.id.type === 'Identifier') followData(outer.scope.getBinding(outer.node.id.name));
  } else if (outer?.isAssignmentExpression() && outer.node.right === member.node)
    refuseTakenApart(outer.node.left);
  else if (outer) refuseCompared(outer.node, member.node);
  if (open && standsAlone(member)) {
    edits.push(
      { start: outerStart(inner), end: startOf(inner), pieces: [] },
      { start, end: endOf(member.node), pieces: [] },
    );
    return undefined;
  }
  edits.push({ start: start + (open ? close.length : 0), end: endOf(member.node), pieces: [] });
  return undefined;
}

// Returns true if `await x` needs no parentheses in this place.
function standsAlone(path: NodePath): boolean {
  const { parent, node } = path;
  switch (parent.type) {
    case 'VariableDeclarator':
    case 'ReturnStatement':
    case 'ExpressionStatement':
    case 'ArrayExpression':
    case 'SpreadElement':
    case 'TemplateLiteral':
    case 'ArrowFunctionExpression':
    case 'JSXExpressionContainer':
      return true;
    case 'AssignmentExpression':
      return parent.right === node;
    case 'ObjectProperty':
      return parent.value === node;
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee !== node;
    default:
      return false;
  }
}
