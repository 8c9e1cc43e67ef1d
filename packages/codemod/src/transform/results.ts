import type { NodePath } from '@babel/traverse';
import type { ArrayExpression, Expression, Node } from '@babel/types';
import { dotted, propertyName } from './clients.js';
import type { Edit } from './edits.js';
import { endOf, type Module, startOf, usedAround } from './module.js';
import { refuse } from './reasons.js';
import {
  followResponse,
  followTarget,
  type GetBinding,
  isStatement,
  type OwnHandler,
  type Reading,
} from './responses.js';
import { parametersOf } from './values.js';

/** The reads of a response, with the edits for a call that resolves to the data itself. */
export interface Result {
  readonly edits: readonly Edit[];
  /** True if the response is used at all. */
  readonly used: boolean;
  /** Error handlers on the promise itself. */
  readonly handlers: readonly OwnHandler[];
  /**
   * The places where an error of the request is thrown: at the call, or where its promise is
   * awaited.
   */
  readonly places: readonly NodePath[];
  /** The names that the edits remove. */
  readonly consumed: readonly Node[];
}

/** The functions that follow the value of a promise, which may combine several requests. */
interface Reader {
  /** Called with each `await` of the promise. */
  readonly value: (value: NodePath) => void;
  /** Called with the parameter of each `then` callback. */
  readonly parameter: (parameter: NodePath, getBinding: GetBinding) => void;
  /** True if the value is the response itself. */
  readonly single: boolean;
  readonly block: NodePath | undefined;
}

/**
 * Follows the value of a request to all places that read it. Refuses code that reads more than
 * `data`.
 */
export function readResult(module: Module, call: NodePath, isBridged = false): Result {
  const reading: Reading = {
    module,
    edits: [],
    handlers: [],
    places: [call],
    consumed: [],
    used: false,
    isBridged,
  };
  followPromise(reading, call, {
    value: (value) => followResponse(reading, value),
    parameter: (parameter, getBinding) => followTarget(reading, parameter, getBinding),
    single: true,
    block: undefined,
  });
  return reading;
}

function followPromise(reading: Reading, promise: NodePath, reader: Reader): void {
  const { parentPath: parent, node } = promise;
  if (!parent) return;
  if (parent.isAwaitExpression()) return reader.value(parent);
  if (isStatement(promise)) return;
  if (parent.isVariableDeclarator() && parent.node.init === node)
    return followStored(reading, parent, reader);
  if (parent.isArrayExpression() && reader.single) return followAll(reading, parent, promise);
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
  const { block } = reader;
  switch (propertyName(member.node)) {
    case 'then': {
      const [done, failed] = args;
      if (failed) reading.handlers.push({ path: failed, block });
      if (args.length > 2 || !done) refuse('promise-kept');
      if (!reader.single || !isDropped(reading, member, done)) followHandler(done, reader);
      return followChain(reading, call, reader);
    }
    case 'catch': {
      if (args[0]) reading.handlers.push({ path: args[0], block });
      // After `catch`, the value may also be the result of the handler.
      if (!isUnread(call)) refuse('response-used-whole', 'after a `catch`');
      return followChain(reading, call, reader);
    }
    case 'finally':
      return followPromise(reading, call, reader);
    default:
      return refuse('promise-kept');
  }
}

// Follows all uses of a stored promise, as in `const promise = axios.get(…)`.
function followStored(reading: Reading, declarator: NodePath, reader: Reader): void {
  const id = declarator.get('id') as NodePath;
  if (!id.isIdentifier() || id.node.typeAnnotation) return refuse('promise-kept');
  const binding = declarator.scope.getBinding(id.node.name);
  if (!binding?.constant) return refuse('promise-kept', 'its variable is assigned more than once');
  if (binding.scope.path.isProgram() && usedAround(reading.module, id.node.name))
    return refuse('promise-kept', 'in the template');
  for (const reference of binding.referencePaths) {
    if (!reference.isIdentifier()) return refuse('promise-kept');
    reading.places.push(reference);
    followPromise(reading, reference, reader);
  }
  return undefined;
}

// Follows a response that is one of several values, as in `await Promise.all([axios.get(…), …])`.
function followAll(reading: Reading, list: NodePath<ArrayExpression>, promise: NodePath): void {
  const all = list.parentPath;
  const index = list.node.elements.indexOf(promise.node as Expression);
  const before = list.node.elements.slice(0, index);
  if (
    !all.isCallExpression() ||
    all.node.arguments.length !== 1 ||
    dotted(all.node.callee) !== 'Promise.all' ||
    all.scope.hasBinding('Promise', true) ||
    before.some((element) => element?.type === 'SpreadElement')
  )
    return refuse('promise-kept');
  const pick = (target: NodePath, getBinding: GetBinding): void => {
    if (!target.isArrayPattern()) return refuse('promise-kept');
    const elements = target.get('elements');
    if (elements.slice(0, index + 1).some((element) => element.isRestElement()))
      return refuse('promise-kept');
    const element = elements[index];
    if (element?.node) followTarget(reading, element as NodePath, getBinding);
    return undefined;
  };
  return followPromise(reading, all, {
    value(value) {
      const { parentPath: parent, node } = value;
      if (isStatement(value)) return undefined;
      if (!parent?.isVariableDeclarator() || parent.node.init !== node)
        return refuse('promise-kept');
      return pick(parent.get('id') as NodePath, value.scope.getBinding.bind(value.scope));
    },
    parameter: pick,
    single: false,
    block: all,
  });
}

// Collects the later error handlers of a chain. After `then`, the value is the result of the
// callback, so the value is not followed.
function followChain(reading: Reading, call: NodePath, reader: Reader): void {
  const member = call.parentPath;
  if (!member?.isMemberExpression() || member.node.object !== call.node) return;
  const next = member.parentPath;
  if (!next.isCallExpression() || next.node.callee !== member.node) return;
  const args = next.get('arguments');
  const name = propertyName(member.node);
  const failed = name === 'then' ? args[1] : name === 'catch' ? args[0] : undefined;
  if (failed) reading.handlers.push({ path: failed, block: reader.block });
  followChain(reading, next, reader);
}

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

// Removes `.then((r) => r.data)`, because the call resolves to the data itself.
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
  // A parameter with a written type is kept, because it may narrow the type of the value.
  const plain = parameter && !('typeAnnotation' in parameter && parameter.typeAnnotation);
  if (!one || !reads || !plain || handler.node.returnType) return false;
  const { source, comments } = reading.module;
  const start = endOf((member.node as Node & { object: Node }).object);
  const end = endOf(call.node);
  if (
    comments.some((comment) => startOf(comment as never) >= start && endOf(comment as never) <= end)
  )
    return false;
  // Parentheses around the promise are kept.
  const from =
    start + (/^[\s)]*(?=\?*\.)/.exec(source.slice(start))?.[0].replace(/\s+$/, '').length ?? 0);
  reading.edits.push({ start: from, end, pieces: [] });
  reading.used = true;
  return true;
}

// Returns the local name in `{ data }` or `{ data: name }`.
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

function followHandler(handler: NodePath, reader: Reader): void {
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
  return reader.parameter(parameter, handler.scope.getBinding.bind(handler.scope));
}
