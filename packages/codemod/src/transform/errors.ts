import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { dotted, isWritten, propertyName } from './clients.js';
import type { Edit } from './edits.js';
import { endOf, startOf } from './module.js';
import { refuse } from './reasons.js';
import type { OwnHandler } from './responses.js';
import { parametersOf } from './values.js';
import { walk } from './walk.js';

/** A `catch` that receives the errors of requests. */
export interface Handler {
  /** The clause or the function. */
  readonly node: Node;
  /**
   * The edits for converted requests. They are made only if all requests of the handler are
   * converted.
   */
  readonly edits: readonly ErrorEdit[];
  /** The code whose errors the handler receives, such as a `try` block. */
  readonly block: NodePath | undefined;
  /** True if the handler neither throws the error again nor passes it on. */
  readonly ends: boolean;
}

export interface ErrorEdit extends Edit {
  /** True if the new text names `NetworkError`. */
  readonly names: boolean;
}

/**
 * Returns the handlers around a request, the innermost first. `own` are the handlers of the promise
 * itself, such as `.catch()`. Refuses handlers without an equivalent.
 */
export function handlersOf(
  places: readonly NodePath[],
  own: readonly OwnHandler[],
  isErrorCheck: (path: NodePath) => boolean,
): Handler[] {
  const handlers: Handler[] = [];
  for (const { path, block } of own) {
    if (path.isNullLiteral()) continue;
    if (path.isMemberExpression() && /^console\.\w+$/.test(dotted(path.node))) {
      handlers.push({ node: path.node, edits: [], block, ends: true });
      continue;
    }
    if (!path.isArrowFunctionExpression() && !path.isFunctionExpression())
      refuse('error-handler', 'a function that may read more than a message');
    const [parameter] = parametersOf(path);
    handlers.push({
      node: path.node,
      edits: readHandler(path, parameter, isErrorCheck),
      block,
      ends: isEnd(path.node),
    });
  }
  for (const place of places) collectClauses(place, handlers, isErrorCheck);
  return handlers;
}

// Returns true if no code in a handler throws, rejects or passes on the error.
function isEnd(node: Node): boolean {
  let ends = true;
  walk(node, (one) => {
    if (one.type === 'ThrowStatement') ends = false;
    if (one.type === 'CallExpression' && /^(reject|next|Promise\.reject)$/.test(dotted(one.callee)))
      ends = false;
  });
  return ends;
}

// Returns true if the `try` block awaits a request. A request without `await`, or in an inner
// function, fails after the block has ended.
function isAwaitedIn(place: NodePath, block: NodePath): boolean {
  for (let path = place; path.parentPath && path !== block; path = path.parentPath) {
    if (path.isFunction()) return false;
    if (path.isAwaitExpression()) return path.getFunctionParent() === block.getFunctionParent();
  }
  return false;
}

function collectClauses(
  place: NodePath,
  handlers: Handler[],
  isErrorCheck: (path: NodePath) => boolean,
): void {
  for (let path: NodePath | null = place; path?.parentPath; path = path.parentPath) {
    const { parentPath }: NodePath = path;
    if (!parentPath?.isTryStatement() || parentPath.node.block !== path.node) continue;
    const clause = parentPath.get('handler');
    if (!clause.isCatchClause()) continue;
    const parameter = clause.get('param');
    handlers.push({
      node: clause.node,
      edits: readHandler(
        clause,
        parameter.node ? (parameter as NodePath) : undefined,
        isErrorCheck,
      ),
      block: path,
      ends: isAwaitedIn(place, path) && isEnd(clause.node),
    });
  }
}

function readHandler(
  handler: NodePath,
  parameter: NodePath | undefined,
  isErrorCheck: (path: NodePath) => boolean,
): ErrorEdit[] {
  if (!parameter) return [];
  if (!parameter.isIdentifier()) return refuse('error-handler', 'the error is taken apart');
  const binding = handler.scope.getBinding(parameter.node.name);
  if (!binding?.constant) return refuse('error-handler', 'the error is replaced');
  const type = parameter.node.typeAnnotation;
  if (
    type?.type === 'TSTypeAnnotation' &&
    !/^TS(Any|Unknown)Keyword$/.test(type.typeAnnotation.type)
  )
    return refuse('error-handler', 'the type of the error');
  return binding.referencePaths.flatMap((reference) => readReference(reference, isErrorCheck));
}

function readReference(
  reference: NodePath,
  isErrorCheck: (path: NodePath) => boolean,
): ErrorEdit[] {
  const { parentPath: parent, node } = reference;
  if (!parent) return refuse('error-handler');
  if (parent.isThrowStatement() || isTested(reference)) return [];
  if (parent.isCallExpression() && reference.listKey === 'arguments') {
    const callee = dotted(parent.node.callee);
    // These functions accept any error.
    if (/^console\.\w+$|^(reject|next)$|^Promise\.reject$/.test(callee)) return [];
    if (isErrorCheck(parent)) return [check(parent, node)];
  }
  const member = parent.isMemberExpression() || parent.isOptionalMemberExpression();
  if (!member || parent.node.object !== node || isWritten(parent))
    return refuse('error-handler', 'the error is passed on');
  const name = propertyName(parent.node);
  if (isInConsole(parent) && /^(message|stack|name)$/.test(name ?? '')) return [];
  if (name !== 'response') return refuse('error-handler', `\`${name ?? '[…]'}\` of the error`);
  if (isTested(parent)) return [];
  const outer = parent.parentPath;
  if (
    outer &&
    (outer.isMemberExpression() || outer.isOptionalMemberExpression()) &&
    outer.node.object === parent.node &&
    !isWritten(outer)
  ) {
    const field = propertyName(outer.node);
    if (field === 'status') {
      // `e.response.status` becomes `e.status`.
      const text = {
        start: endOf(node),
        end: endOf(outer.node),
        pieces: [parent.isOptionalMemberExpression({ optional: true }) ? '?.status' : '.status'],
        names: false,
      };
      return [text];
    }
    return refuse('error-handler', `\`response.${field ?? '[…]'}\` of the error`);
  }
  return refuse('error-handler', 'the response of the error is passed on');
}

// Returns the edit that turns `axios.isAxiosError(e)` into `e instanceof NetworkError`.
function check({ node, parent }: NodePath, error: Node): ErrorEdit {
  const kept = [startOf(error), endOf(error)] as const;
  const alone = /^(If|Logical|Conditional|Return|Variable)/.test(parent.type);
  return {
    start: startOf(node),
    end: endOf(node),
    pieces: alone ? [kept, ' instanceof NetworkError'] : ['(', kept, ' instanceof NetworkError)'],
    names: true,
  };
}

// Returns true if code tests only that the value exists.
function isTested(path: NodePath): boolean {
  const { parent, node, parentPath } = path;
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression')
    return parent.test === node;
  if (parent.type === 'UnaryExpression') return parent.operator === '!';
  if (parent.type === 'LogicalExpression' && parent.operator !== '??')
    return parent.left === node || (parentPath !== null && isTested(parentPath));
  return false;
}

function isInConsole(path: NodePath): boolean {
  const call = path.findParent((one) => !one.isTemplateLiteral() && !one.isBinaryExpression());
  return call?.isCallExpression() === true && /^console\.\w+$/.test(dotted(call.node.callee));
}
