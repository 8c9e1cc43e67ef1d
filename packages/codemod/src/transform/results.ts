import type { Binding, NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { isWritten, propertyName } from './clients.js';
import type { Edit } from './edits.js';
import { endOf, type Module, outerStart, startOf, textOf, usedAround } from './module.js';
import { refuse } from './reasons.js';
import { parametersOf, typeName } from './values.js';

/** How the answer of a request is read, once it is the data itself. */
export interface Result {
  readonly edits: readonly Edit[];
  /** Whether anything of the answer is used. */
  readonly used: boolean;
  /** Error handlers on the promise itself. */
  readonly handlers: readonly NodePath[];
}

interface Reading {
  readonly module: Module;
  readonly edits: Edit[];
  readonly handlers: NodePath[];
  used: boolean;
}

const METADATA = /^(status|statusText|headers|config|request)$/;

/** Follows the value of a request to all places where it is read; refuses when something else than its data is. */
export function readResult(module: Module, call: NodePath): Result {
  const reading: Reading = { module, edits: [], handlers: [], used: false };
  followPromise(reading, call);
  return reading;
}

function followPromise(reading: Reading, promise: NodePath): void {
  const { parentPath: parent, node } = promise;
  if (!parent) return;
  if (parent.isAwaitExpression()) return followResponse(reading, parent);
  if (parent.isExpressionStatement() || parent.isUnaryExpression({ operator: 'void' })) return;
  const member = parent.isMemberExpression() && parent.node.object === node ? parent : undefined;
  const call = member?.parentPath;
  if (!member || !call?.isCallExpression() || call.node.callee !== member.node) {
    return refuse(
      parent.isReturnStatement() || parent.isArrowFunctionExpression()
        ? 'response-used-whole'
        : 'promise-kept',
    );
  }
  const args = call.get('arguments');
  switch (propertyName(member.node)) {
    case 'then': {
      const [done, failed] = args;
      if (failed) reading.handlers.push(failed);
      if (args.length > 2 || !done) refuse('promise-kept');
      if (!isDropped(reading, member, done)) followHandler(reading, done);
      return followChain(reading, call);
    }
    case 'catch': {
      if (args[0]) reading.handlers.push(args[0]);
      // What the handler returns would stand beside the response.
      if (!isUnread(call)) refuse('response-used-whole', 'after a `catch`');
      return followChain(reading, call);
    }
    case 'finally':
      return followPromise(reading, call);
    default:
      return refuse('promise-kept');
  }
}

// After `then`, the value is what the handler returns. Later handlers of errors still matter.
function followChain(reading: Reading, call: NodePath): void {
  const member = call.parentPath;
  if (!member?.isMemberExpression() || member.node.object !== call.node) return;
  const next = member.parentPath;
  if (!next.isCallExpression() || next.node.callee !== member.node) return;
  const args = next.get('arguments');
  const name = propertyName(member.node);
  const failed = name === 'then' ? args[1] : name === 'catch' ? args[0] : undefined;
  if (failed) reading.handlers.push(failed);
  followChain(reading, next);
}

// Whether the value of a promise goes nowhere.
function isUnread(promise: NodePath): boolean {
  const { parentPath: parent, node } = promise;
  if (!parent) return false;
  if (parent.isExpressionStatement()) return true;
  if (parent.isAwaitExpression() || parent.isUnaryExpression({ operator: 'void' }))
    return isUnread(parent);
  const call = parent.parentPath;
  return (
    parent.isMemberExpression() &&
    parent.node.object === node &&
    /^(catch|finally)$/.test(propertyName(parent.node) ?? '') &&
    call?.isCallExpression() === true &&
    isUnread(call)
  );
}

// `.then((r) => r.data)` gives the value that is there already.
function isDropped(reading: Reading, member: NodePath, handler: NodePath): boolean {
  const call = member.parentPath;
  if (!handler.isArrowFunctionExpression() || handler.node.async) return false;
  if (!call?.isCallExpression() || call.node.arguments.length !== 1) return false;
  const [parameter] = handler.node.params;
  const { body } = handler.node;
  const one = handler.node.params.length === 1;
  const reads =
    parameter?.type === 'Identifier'
      ? propertyName(body) === 'data' &&
        body.type === 'MemberExpression' &&
        body.object.type === 'Identifier' &&
        body.object.name === parameter.name
      : parameter?.type === 'ObjectPattern' &&
        parameter.properties.length === 1 &&
        body.type === 'Identifier' &&
        dataProperty(parameter) === body.name;
  // A written type says more than the value does.
  const plain = parameter && !('typeAnnotation' in parameter && parameter.typeAnnotation);
  if (!one || !reads || !plain || handler.node.returnType) return false;
  const { source, comments } = reading.module;
  const start = endOf((member.node as Node & { object: Node }).object);
  const end = endOf(call.node);
  if (
    comments.some((comment) => startOf(comment as never) >= start && endOf(comment as never) <= end)
  )
    return false;
  // Parentheses around the promise stay.
  const from =
    start + (/^[\s)]*(?=\?*\.)/.exec(source.slice(start))?.[0].replace(/\s+$/, '').length ?? 0);
  reading.edits.push({ start: from, end, pieces: [] });
  reading.used = true;
  return true;
}

// The local name of `{ data }` or `{ data: name }`.
function dataProperty(pattern: Node & { type: 'ObjectPattern' }): string | undefined {
  const [property] = pattern.properties;
  return property?.type === 'ObjectProperty' &&
    !property.computed &&
    property.key.type === 'Identifier' &&
    property.key.name === 'data' &&
    property.value.type === 'Identifier'
    ? property.value.name
    : undefined;
}

function followHandler(reading: Reading, handler: NodePath): void {
  if (handler.isNullLiteral() || (handler.isIdentifier() && handler.node.name === 'undefined'))
    return refuse('response-used-whole');
  if (!handler.isArrowFunctionExpression() && !handler.isFunctionExpression())
    return refuse('response-used-whole', 'a function is given to `then`');
  const [parameter, ...more] = parametersOf(handler);
  if (more.length > 0) refuse('response-used-whole');
  if (!parameter) return undefined;
  if (handler.isFunctionExpression()) {
    let named = false;
    handler.traverse({
      Identifier: ({ node }) => {
        if (node.name === 'arguments') named = true;
      },
    });
    if (named) refuse('response-used-whole', '`arguments`');
  }
  return followTarget(reading, parameter, handler.scope.getBinding.bind(handler.scope));
}

function followResponse(reading: Reading, value: NodePath): void {
  const { parentPath: parent, node } = value;
  if (!parent || parent.isExpressionStatement()) return undefined;
  if (parent.isUnaryExpression({ operator: 'void' })) return undefined;
  if (isMemberOf(parent, node)) return readMember(reading, parent, value);
  if (parent.isVariableDeclarator() && parent.node.init === node)
    return followTarget(reading, parent.get('id'), value.scope.getBinding.bind(value.scope));
  return refuse('response-used-whole');
}

const isMemberOf = (path: NodePath, object: Node): boolean =>
  (path.isMemberExpression() || path.isOptionalMemberExpression()) && path.node.object === object;

type GetBinding = (name: string) => Binding | undefined;

function followTarget(reading: Reading, target: NodePath, getBinding: GetBinding): void {
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
    const end = endOf(property.value);
    edits.push({
      start: startOf(target.node),
      end: endOf(target.node),
      pieces: [[startOf(property.value), end], annotationFor(module, target.node)],
    });
    reading.used = true;
    return undefined;
  }
  if (!target.isIdentifier()) return refuse('response-used-whole');
  const binding = getBinding(target.node.name);
  if (!binding?.constant || binding.identifier !== target.node)
    return refuse('response-used-whole', 'its variable is assigned more than once');
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
      pieces: [annotationFor(module, target.node)],
    });
  }
  return undefined;
}

// `: AxiosResponse<User>` becomes `: User`.
function annotationFor(
  module: Module,
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
  const [argument, ...more] = type.typeParameters?.params ?? [];
  if (more.length > 0) refuse('response-used-whole', 'its type');
  return argument ? `: ${textOf(module, argument)}` : ': any';
}

// `r.data` becomes `r`, whatever follows.
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

// Whether `await x` may stand there without parentheses.
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
