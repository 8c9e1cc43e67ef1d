import type { Node } from '@babel/types';
import { endOf, type Module, startOf } from './module.js';
import { camelName } from './naming.js';

/** The maximum length of a line. */
export const WIDTH = 100;

/** Returns the text that constructs an endpoint, on one line if it fits. */
export function construct(
  module: Module,
  className: string,
  options: readonly string[],
  indent: string,
  width: number,
): string {
  const line = `new ${className}({ ${options.join(', ')} })`;
  if (line.length <= width && !line.includes('\n')) return line;
  const { newline, indent: step } = module.style;
  const lines = options.map((option) => `${indent}${step}${option},`);
  return [`new ${className}({`, ...lines, `${indent}})`].join(newline);
}

/** Returns a word for the name of an endpoint, made from its URL prefix. */
export const prefixWord = (options: readonly string[]): string => {
  const prefix = options.find((option) => option.startsWith('urlPrefix: '))?.slice(11) ?? '';
  return /^[A-Za-z_$][\w$]*$/.test(prefix) ? camelName(prefix) : '';
};

/** Returns the end of the statement that contains a node; 0 for an import. */
export function statementEnd(module: Module, node: Node): number {
  const statement = module.ast.program.body.find(
    (one) => startOf(one) <= startOf(node) && endOf(one) >= endOf(node),
  );
  // Imports run before anything else.
  return !statement || statement.type === 'ImportDeclaration' ? 0 : endOf(statement);
}

/**
 * Returns the indentation of the top level of a module. Scripts of components are often indented as
 * a whole.
 */
export function topIndent({ source, ast }: Module): string {
  const [first] = ast.program.body;
  if (!first) return '';
  const start = startOf(first);
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]*$/.test(line) ? line : '';
}

/** Returns the white space at the start of the line of a position. */
export function indentAt({ source }: Module, position: number): string {
  const line = source.slice(source.lastIndexOf('\n', position - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
