import { type Node, VISITOR_KEYS } from '@babel/types';
import { dotted, propertyName } from './clients.js';

/** A place that reads a member that only errors of axios have. */
export interface ErrorReader {
  readonly path: string;
  /** The `catch` clause or the `.catch()` function around the place, if there is one. */
  readonly handler: Node | undefined;
  /**
   * True if errors of any file may reach this place. Examples are code outside of a handler, and
   * the handler of `try { await run() } catch` if `run` is a parameter.
   */
  readonly general: boolean;
}

/** Matches text that names errors of axios, in files that are not parsed. */
export const NAMES_ERRORS: RegExp =
  /isAxiosError|AxiosError|\b(e|err|error|\w+Error)\??\.response\b|ECONNABORTED|\bERR_NETWORK\b/;

/** Optimization: files without a match need not be parsed. */
export const READS: RegExp =
  /isAxiosError|AxiosError|\bresponse\b|isCancel|\bERR_|ECONNABORTED|ETIMEDOUT|\.toJSON\(/;

const ERROR = /^(e|er|err|error|ex|exc|exception|reason|failure|cause|\w*(Err|Error))$/;
const FIELDS = /^(response|request|config|toJSON|isAxiosError)$/;
const CODES = /^(ERR_[A-Z_]+|ECONNABORTED|ETIMEDOUT)$/;

export function readersIn(path: string, ast: Node): ErrorReader[] {
  const found: ErrorReader[] = [];
  const above: Node[] = [];
  const visit = (node: Node): void => {
    if (isImport(node) || isInterceptor(node)) return;
    if (readsError(node, above)) {
      const handler = above.findLast((one, at) => isHandler(one, above[at - 1]));
      const general = handler === undefined || callsParameter(handler, above);
      found.push({ path, handler, general });
    }
    above.push(node);
    for (const child of childrenOf(node)) visit(child);
    above.pop();
  };
  visit(ast);
  return found;
}

export function childrenOf(node: Node): Node[] {
  return (VISITOR_KEYS[node.type] ?? []).flatMap((key) => {
    // The cast: each visitor key contains nodes, a node or nothing.
    const child = (node as unknown as Record<string, Node | readonly (Node | null)[] | null>)[key];
    return [child].flat().filter((one) => one !== null && one !== undefined) as Node[];
  });
}

const isImport = ({ type }: Node): boolean => type === 'ImportDeclaration';

// Returns true for an interceptor, which receives only errors of its own instance.
const isInterceptor = (node: Node): boolean =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  propertyName(node.callee) === 'use' &&
  /\binterceptors\b/.test(dotted(node.callee));

function readsError(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (node.type === 'Identifier') return /^(isAxiosError|AxiosError|isCancel)$/.test(node.name);
  if (node.type === 'StringLiteral') return CODES.test(node.value);
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
    const name = propertyName(node) ?? '';
    const { object } = node;
    if (FIELDS.test(name) && object.type === 'Identifier')
      return ERROR.test(object.name) || isCaught(object.name, above);
    // Matches `this.error.response`.
    if (name === 'response') return ERROR.test(propertyName(object) ?? '');
    // Matches `x.response.data`.
    return /^(data|status)$/.test(name) && propertyName(object) === 'response';
  }
  // Matches `catch ({ response })` and `const { response } = error`.
  return (
    node.type === 'ObjectProperty' &&
    parent?.type === 'ObjectPattern' &&
    node.key.type === 'Identifier' &&
    node.key.name === 'response' &&
    takesError(parent, above.at(-2))
  );
}

const takesError = (pattern: Node, owner: Node | undefined): boolean =>
  owner?.type === 'CatchClause' ||
  (owner?.type === 'VariableDeclarator' &&
    owner.init?.type === 'Identifier' &&
    ERROR.test(owner.init.name)) ||
  (owner !== undefined && 'params' in owner && owner.params.some((one) => one === pattern));

const isCaught = (name: string, above: readonly Node[]): boolean =>
  above.some(
    (one) =>
      one.type === 'CatchClause' && one.param?.type === 'Identifier' && one.param.name === name,
  );

function isHandler(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'CatchClause') return true;
  if (parent?.type !== 'CallExpression' || !isFunction(node)) return false;
  const method = propertyName(parent.callee);
  const at = parent.arguments.findIndex((argument) => argument === node);
  return (method === 'catch' && at === 0) || (method === 'then' && at === 1);
}

const isFunction = ({ type }: Node): boolean => /Function|Method/.test(type);

// Returns true for `try { await run() } catch` if `run` is a parameter. The errors of `run` may
// come from any file.
function callsParameter(handler: Node, above: readonly Node[]): boolean {
  const names = new Set<string>();
  for (const node of above.slice(0, above.indexOf(handler))) {
    if (!('params' in node) || !Array.isArray(node.params)) continue;
    for (const parameter of node.params as readonly Node[]) collectNames(parameter, names);
  }
  const watched = above[above.indexOf(handler) - 1];
  return watched !== undefined && names.size > 0 && callsAny(watched, names);
}

function collectNames(node: Node, into: Set<string>): void {
  if (node.type === 'Identifier') into.add(node.name);
  else for (const child of childrenOf(node)) collectNames(child, into);
}

function callsAny(node: Node, names: ReadonlySet<string>): boolean {
  if (node.type === 'CallExpression' && names.has(dotted(node.callee).split('.')[0] ?? ''))
    return true;
  return childrenOf(node).some((child) => callsAny(child, names));
}
