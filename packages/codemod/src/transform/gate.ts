import type { File, Node } from '@babel/types';
import { extensionOf, isComponent } from '../scripts.js';
import type { Module } from './module.js';
import { declaredNames } from './declared.js';
import { parseOnly, programOf } from './parse.js';
import { MARK } from './todo.js';
import { isKey, walk } from './walk.js';

/**
 * The last check before a file is written: its new text parses, has no new free name, and keeps all
 * comments.
 *
 * @throws Error when it does not; the file is then left as it was.
 */
export function checkOutput(module: Module, output: string): void {
  const ast = parseOnly(output, extensionFor(module));
  const added = freeNames(module, ast);
  if (added.length > 0)
    throw new Error(`The conversion would leave a name undefined: ${added.join(', ')}`);
  const left = new Map<string, number>();
  for (const { value } of ast.comments ?? []) left.set(value, (left.get(value) ?? 0) + 1);
  for (const { value } of module.comments) {
    const count = left.get(value) ?? 0;
    if (count === 0 && !value.trim().startsWith(MARK))
      throw new Error(`The conversion would lose a comment: ${value.trim().slice(0, 60)}`);
    left.set(value, count - 1);
  }
}

const extensionFor = ({ path, typescript }: Module): string =>
  isComponent(path) ? (typescript ? 'ts' : 'js') : extensionOf(path);

function freeNames(module: Module, ast: File): string[] {
  const before = declaredNames(module.ast);
  const after = declaredNames(ast);
  let needsScopes = false;
  walk(ast, (node, parent) => {
    if (node.type !== 'Identifier' || isKey(node, parent) || after.has(node.name)) return;
    // `import('axios').AxiosResponse`
    if (parent?.type === 'TSImportType') return;
    // A name that was declared and is not any more, or that was nowhere.
    if (before.has(node.name) || !module.names.has(node.name))
      needsScopes ||= !KNOWN.has(node.name) && !PARAMETERS.has(node.name);
  });
  // Optimization: scopes are dear, and most files do not need them.
  if (!needsScopes) return [];
  // Parsed once more: the module has not all of its functions.
  const whole = parseOnly(module.source, extensionFor(module));
  const free = new Set(Object.keys(globalsOf(programOf(whole))));
  for (const name of freeTypes(whole)) free.add(name);
  const types = typeNames(ast);
  return Object.keys(globalsOf(programOf(ast))).filter(
    (name) => !free.has(name) && !KNOWN.has(name) && !types.has(name),
  );
}

// Babel's scopes lack the types of parameters.
function freeTypes(ast: Node): Set<string> {
  const named = new Set<string>();
  const declared = typeNames(ast);
  walk(ast, (node) => {
    const isOwn = node.type === 'ClassDeclaration' || node.type === 'TSEnumDeclaration';
    if (isOwn && node.id) declared.add(node.id.name);
    if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier')
      named.add(node.typeName.name);
  });
  return new Set([...named].filter((name) => !declared.has(name)));
}

// Types have no bindings in the scopes of Babel.
function typeNames(ast: Node): Set<string> {
  const names = new Set<string>();
  walk(ast, (node) => {
    if (node.type === 'TSTypeParameter') names.add(node.name);
    else if (
      /^(TS(TypeAlias|Interface)Declaration|TypeAlias|InterfaceDeclaration)$/.test(node.type)
    ) {
      const { id } = node as { id?: Node };
      if (id?.type === 'Identifier') names.add(id.name);
    }
  });
  return names;
}

// Globals of every platform, which the conversion itself may name.
const KNOWN = new Set([
  'undefined',
  'RequestInit',
  'HeadersInit',
  'Record',
  'require',
  'module',
  'btoa',
  'String',
  'TextEncoder',
  'Promise',
  'ReturnType',
]);

// The names of parameters in generated functions and classes.
const PARAMETERS = new Set(['headers', 'value', 'O']);

// Not in the types of the library.
const globalsOf = (program: Module['program']): object =>
  (program.scope as unknown as { globals: object }).globals;
