import type { Node, Statement } from '@babel/types';
import { requiredModule } from './clients.js';
import { endOf, type Module } from './module.js';

const isHead = (statement: Statement): boolean => {
  if (statement.type === 'ImportDeclaration' || statement.type === 'TSImportEqualsDeclaration')
    return true;
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.every(({ init }) => requiredModule(init) !== undefined)
  );
};

/** Where the imports at the head of a module end; 0 when there are none. */
export function prologueEnd({ ast }: Module, gone: ReadonlySet<Node> = new Set()): number {
  const { body, directives } = ast.program;
  let end = 0;
  const [directive] = directives.slice(-1);
  if (directive) end = endOf(directive);
  for (const statement of body) {
    if (!isHead(statement)) break;
    if (!gone.has(statement)) end = endOf(statement);
  }
  return end || endOf(body.find(isHead) ?? ast.program);
}

/** The end of a position's line when only a comment follows there, else the position. */
export function anchorAfter({ source }: Module, position: number): number {
  if (position === 0) return 0;
  const rest = /^[ \t]*(\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*(?=\r?\n|$))?/.exec(
    source.slice(position),
  );
  const text = rest?.[0] ?? '';
  return text.trim() === '' ? position : position + text.trimEnd().length;
}
