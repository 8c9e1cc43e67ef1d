import { traverseFast } from '@babel/types';
import type { NodePath } from '@babel/traverse';
import type { Comment, File, Node, Program } from '@babel/types';
import type { Edit } from './edits.js';
import type { Script } from '../scripts.js';
import { emptyIdleFunctions } from './idle.js';
import { isTypeScript, parseOnly, programOf } from './parse.js';
import { markLive } from './live.js';
import { type Style, styleOf } from './style.js';

/** The names that a module may import from restitch. */
export type RestitchName = 'RestEndpoint' | 'RestGenerics' | 'NetworkError' | 'axiosEndpoint';

/** Another file as text. */
export interface Neighbor {
  readonly path: string;
  readonly source: string;
  readonly neighbors: Neighbors;
}

/** The other files of a conversion. */
export interface Neighbors {
  /** Returns the file that an import names. Undefined if it is not among the files. */
  readonly find: (specifier: string) => Neighbor | undefined;
  /** Returns true if some file matches. */
  readonly some: (pattern: RegExp) => boolean;
  /** Returns the paths of the files that match. */
  readonly paths: (pattern: RegExp, further?: (source: string) => boolean) => readonly string[];
}

/** A script that is converted: a file, or the script of a component. */
export interface Module {
  readonly path: string;
  readonly source: string;
  readonly typescript: boolean;
  /** The text of the whole file. For a component, it contains more than the script. */
  readonly file: string;
  /** The position of the script in the file. */
  readonly offset: number;
  /** The text around the script of a component. The template may use any top-level name. */
  readonly around: string;
  /** The syntax tree. `emptyIdleFunctions` has emptied some functions in it. */
  readonly ast: File;
  readonly program: NodePath<Program>;
  readonly style: Style;
  /** All names in the script. A new name must be none of these. */
  readonly names: Set<string>;
  /**
   * The local names of imports from restitch. They differ from the exported names if the module
   * already uses such a name.
   */
  readonly local: Readonly<Record<RestitchName, string>>;
  readonly comments: readonly Comment[];
  readonly edits: Edit[];
  readonly neighbors: Neighbors;
}

/**
 * Parses a script.
 *
 * @throws SyntaxError when it cannot be parsed.
 */
export function openModule(
  path: string,
  file: string,
  script: Script,
  neighbors: Neighbors,
): Module {
  const { source, start, extension } = script;
  const ast = parseOnly(source, extension);
  const uses = new Map<string, number>();
  traverseFast(ast, (node) => {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier')
      uses.set(node.name, (uses.get(node.name) ?? 0) + 1);
    // Optimization: `loc` takes a third of the memory of a tree, and no code here needs it.
    node.loc = null;
  });
  const names = new Set(uses.keys());
  emptyIdleFunctions(ast, source, uses);
  const program = programOf(ast);
  markLive(program, neighbors);
  return {
    path,
    source,
    file,
    offset: start,
    around: file.slice(0, start) + file.slice(start + source.length),
    ast,
    program,
    names,
    local: {
      RestEndpoint: localName('RestEndpoint', ast, names),
      RestGenerics: localName('RestGenerics', ast, names),
      NetworkError: localName('NetworkError', ast, names),
      axiosEndpoint: localName('axiosEndpoint', ast, names),
    },
    typescript: isTypeScript(extension),
    style: styleOf(source),
    comments: ast.comments ?? [],
    edits: [],
    neighbors,
  };
}

// Returns the local name of an existing import, otherwise a new name.
function localName(name: RestitchName, { program }: File, names: Set<string>): string {
  for (const statement of program.body) {
    if (
      statement.type !== 'ImportDeclaration' ||
      !/^restitch(\/axios)?$/.test(statement.source.value)
    )
      continue;
    for (const one of statement.specifiers) {
      if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') continue;
      if (one.imported.name === name) return one.local.name;
    }
  }
  let local: string = name;
  while (names.has(local)) local = `_${local}`;
  names.add(local);
  return local;
}

/** Returns the start of a node, including the parentheses around it. */
export const outerStart = (node: Node): number =>
  (node.extra?.['parenStart'] as number | undefined) ?? startOf(node);

export const startOf = (node: Node): number => node.start ?? 0;

/** Returns the end of a node, without the parentheses around it. */
export const endOf = (node: Node): number => node.end ?? 0;

export const textOf = ({ source }: Module, node: Node): string =>
  source.slice(startOf(node), endOf(node));

/** Returns the line of a position in the script, counted from 1 in the file. */
export function lineOf({ file, offset }: Module, position: number): number {
  let line = 1;
  const end = offset + position;
  for (let at = file.indexOf('\n'); at >= 0 && at < end; at = file.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Returns true if the template of a component names a variable. */
export const usedAround = ({ around }: Module, name: string): boolean =>
  around !== '' && new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(around);

/** Returns a name that is new in the module, and reserves it. */
export function claimName({ names }: Module, wanted: string, others: readonly string[]): string {
  const free = [wanted, ...others].find((name) => !names.has(name));
  let name = free ?? wanted;
  for (let number = 2; names.has(name); number += 1) name = `${others[0] ?? wanted}${number}`;
  names.add(name);
  return name;
}
