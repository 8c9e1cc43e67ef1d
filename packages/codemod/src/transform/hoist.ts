import type { Node, Statement } from '@babel/types';
import { requiredModule } from './clients.js';
import { endOf, type Module } from './module.js';

// Matches `require('./setup')` and `require('dotenv').config()`.
const isRequire = (node: Node): boolean =>
  requiredModule(node) !== undefined ||
  (node.type === 'CallExpression' && isRequire(node.callee)) ||
  (node.type === 'MemberExpression' && isRequire(node.object));

const isHead = (statement: Statement): boolean => {
  if (statement.type === 'ImportDeclaration' || statement.type === 'TSImportEqualsDeclaration')
    return true;
  if (statement.type === 'ExpressionStatement') return isRequire(statement.expression);
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.every(({ init }) => requiredModule(init) !== undefined)
  );
};

/**
 * Returns the end of the directives and imports at the start of a module. If there are none,
 * returns the end of the first later import, or of the program.
 */
export function prologueEnd({ ast }: Module, removed: ReadonlySet<Node> = new Set()): number {
  const { body, directives } = ast.program;
  let end = 0;
  const [directive] = directives.slice(-1);
  if (directive) end = endOf(directive);
  for (const statement of body) {
    if (!isHead(statement)) break;
    if (!removed.has(statement)) end = endOf(statement);
  }
  return end || endOf(body.find(isHead) ?? ast.program);
}

/** Returns true if a module has no directives, no imports and no `require` of a module. */
export const hasNoHead = ({ ast }: Module): boolean =>
  ast.program.directives.length === 0 && !ast.program.body.some(isHead);

/** Returns the end of the line if only a comment follows the position, otherwise the position. */
export function anchorAfter({ source }: Module, position: number): number {
  if (position === 0) return 0;
  const rest = /^[ \t]*(\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*(?=\r?\n|$))?/.exec(
    source.slice(position),
  );
  const text = rest?.[0] ?? '';
  return text.trim() === '' ? position : position + text.trimEnd().length;
}

/** Returns true if a module uses `require` rather than `import`. */
export const isCommonJs = ({ ast, source }: Module): boolean =>
  !ast.program.body.some(({ type }) => /^(Import|Export)/.test(type)) &&
  /\brequire\s*\(|\bmodule\.exports\b|\bexports\./.test(source);

/** Returns the name of the module from which a statement imports. */
export function sourceOf(statement: Statement): string | undefined {
  if (statement.type === 'ImportDeclaration') return statement.source.value;
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1)
    return undefined;
  return requiredModule(statement.declarations[0]?.init);
}
