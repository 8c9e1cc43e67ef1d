import type { Node } from '@babel/types';
import { endOf, type Module, startOf } from './module.js';
import { camelName } from './naming.js';

/** The maximum length of a line. */
export const WIDTH = 100;

/** The making of an endpoint, on one line where it fits. */
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

/** A word for a name from the prefix of an endpoint. */
export const prefixWord = (options: readonly string[]): string => {
  const prefix = options.find((option) => option.startsWith('urlPrefix: '))?.slice(11) ?? '';
  return /^[A-Za-z_$][\w$]*$/.test(prefix) ? camelName(prefix) : '';
};

/** The end of the statement of a node; 0 for an import. */
export function statementEnd(module: Module, node: Node): number {
  const statement = module.ast.program.body.find(
    (one) => startOf(one) <= startOf(node) && endOf(one) >= endOf(node),
  );
  // Imports run before anything else.
  return !statement || statement.type === 'ImportDeclaration' ? 0 : endOf(statement);
}

/**
 * The indentation of the module's top level: scripts of components are often indented as a whole.
 */
export function topIndent({ source, ast }: Module): string {
  const [first] = ast.program.body;
  if (!first) return '';
  const start = startOf(first);
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]*$/.test(line) ? line : '';
}

/** The white space at the start of a position's line. */
export function indentAt({ source }: Module, position: number): string {
  const line = source.slice(source.lastIndexOf('\n', position - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
