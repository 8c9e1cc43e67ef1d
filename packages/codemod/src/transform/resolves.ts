import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { dotted, propertyName, type Use } from './clients.js';
import { endOf, startOf } from './module.js';
import { insideCast, parametersOf } from './values.js';

/**
 * The result of the requests of a client: the response, a value that its interceptors return, or
 * either.
 */
export type Resolves = 'response' | 'value' | 'unknown';

/** Returns the result of a client's requests, according to its response interceptors. */
export function resolvesTo(uses: readonly Use[]): Resolves {
  const found = new Set<Resolves>();
  const own = new Set(uses.flatMap(({ kind, path }) => (kind === 'request' ? [path.node] : [])));
  for (const { kind, path } of uses) {
    if (kind !== 'interceptors') continue;
    const member = path.parentPath;
    const name = member ? propertyName(member.node) : undefined;
    if (name === 'request') continue;
    const use = member?.parentPath;
    const call = use?.parentPath;
    const method = use ? propertyName(use.node) : undefined;
    if (name !== 'response' || !call?.isCallExpression()) return 'unknown';
    if (method !== 'use') {
      if (method === 'eject') continue;
      return 'unknown';
    }
    const [done, failed] = call.get('arguments');
    for (const one of handled(done, 'response', own)) found.add(one);
    for (const one of handled(failed, undefined, own)) found.add(one);
  }
  const [only] = found;
  return found.size > 1 ? 'unknown' : (only ?? 'response');
}

// Returns the results of a handler. Empty for a handler that throws or sends the request again.
function handled(
  handler: NodePath | undefined,
  without: Resolves | undefined,
  own: ReadonlySet<Node>,
): Resolves[] {
  const none = without ? [without] : [];
  if (!handler || handler.isNullLiteral() || dotted(handler.node) === 'undefined') return none;
  const run = functionAt(handler);
  if (!run) return ['unknown'];
  const [parameter] = parametersOf(run);
  const name = parameter?.isIdentifier() ? parameter.node.name : undefined;
  const about: Handled = { response: name, isDone: without !== undefined, own };
  const body = run.get('body') as NodePath;
  if (!body.isBlockStatement()) return given(body, about);
  const returns: NodePath[] = [];
  body.traverse({
    Function: (inner) => inner.skip(),
    ReturnStatement: (statement) => {
      returns.push(statement.get('argument') as NodePath);
    },
  });
  const last = body.node.body.at(-1);
  const ends =
    last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' || endsInBranch(last);
  const results = returns.flatMap((one) => (one.node ? given(one, about) : (['value'] as const)));
  return ends ? results : [...results, 'value'];
}

// Returns true if all branches end, as in `if (ok) return a; else throw b;`.
function endsInBranch(node: Node | null | undefined): boolean {
  if (!node) return false;
  if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') return true;
  if (node.type === 'BlockStatement') return endsInBranch(node.body.at(-1));
  if (node.type === 'IfStatement')
    return endsInBranch(node.consequent) && endsInBranch(node.alternate);
  if (node.type === 'TryStatement')
    return (
      endsInBranch(node.finalizer) ||
      (endsInBranch(node.block) && (!node.handler || endsInBranch(node.handler.body)))
    );
  if (node.type === 'SwitchStatement')
    return (
      node.cases.some(({ test }) => !test) && endsInBranch(node.cases.at(-1)?.consequent.at(-1))
    );
  return false;
}

function functionAt(path: NodePath): NodePath | undefined {
  if (path.isFunction()) return path;
  if (!path.isIdentifier()) return undefined;
  const declared = path.scope.getBinding(path.node.name);
  if (!declared?.constant) return undefined;
  if (declared.path.isFunctionDeclaration()) return declared.path;
  const init = declared.path.isVariableDeclarator() ? declared.path.get('init') : undefined;
  return init?.isFunction() ? init : undefined;
}

interface Handled {
  /** The name of the parameter. */
  readonly response: string | undefined;
  /** True in the handler of successful requests. */
  readonly isDone: boolean;
  /** The requests of the client. */
  readonly own: ReadonlySet<Node>;
}

function given(path: NodePath, about: Handled): Resolves[] {
  const { response, isDone, own } = about;
  const inside = insideCast(path);
  if (inside) return given(inside, about);
  const again = (one: NodePath): Resolves[] => given(one, about);
  if (path.isAwaitExpression()) return again(path.get('argument'));
  if (path.isConditionalExpression())
    return [...again(path.get('consequent')), ...again(path.get('alternate'))];
  if (path.isLogicalExpression()) return [...again(path.get('left')), ...again(path.get('right'))];
  if (path.isIdentifier()) return [ofName(path, about)].flat();
  if (path.isMemberExpression() || path.isOptionalMemberExpression()) {
    // `error.response` is a response.
    return [propertyName(path.node) === 'response' ? 'response' : 'value'];
  }
  if (path.isCallExpression()) {
    const callee = dotted(path.node.callee);
    const args = path.get('arguments');
    const [first] = args;
    if (callee === 'Promise.reject') return [];
    if (callee === 'Promise.resolve') return first ? again(first) : ['value'];
    const takesWhole = args.some((one) => one.isIdentifier() && one.node.name === response);
    // The handler sends the request again.
    if (own.has(path.node)) return [];
    if (/^axios(\.request)?$/.test(callee)) return ['response'];
    return [takesWhole || !isDone ? 'unknown' : 'value'];
  }
  if (path.isNewExpression()) {
    // The promise sends the request again, as in `new Promise((done) => done(api(config)))`.
    const sends = !isDone && [...own].some((node) => isInside(node, path.node));
    return sends && dotted(path.node.callee) === 'Promise' ? [] : ['unknown'];
  }
  // An object with a spread may be a response with other data.
  if (
    path.isObjectExpression() &&
    path.node.properties.some(({ type }) => type === 'SpreadElement')
  )
    return ['unknown'];
  return ['value'];
}

function ofName(
  path: NodePath<Node & { type: 'Identifier' }>,
  about: Handled,
): Resolves | Resolves[] {
  const { response, isDone } = about;
  const { name } = path.node;
  if (name === response) return isDone ? 'response' : 'value';
  const declared = path.scope.getBinding(name);
  const declarator = declared?.path;
  // The parameter is taken apart, as in `({ data }) => data`.
  if (isDone && response === undefined && declared?.kind === 'param' && declared.constant)
    return 'value';
  if (!declarator?.isVariableDeclarator()) return 'unknown';
  // The variable is taken apart, as in `const { data } = response`.
  if (declarator.node.id.type === 'ObjectPattern')
    return /^response$/.test(name) ? 'response' : 'value';
  const init = declarator.get('init');
  if (!declared?.constant || !init.node) return 'unknown';
  return given(init as NodePath, about);
}

const isInside = (inner: Node, outer: Node): boolean =>
  startOf(inner) >= startOf(outer) && endOf(inner) <= endOf(outer);
