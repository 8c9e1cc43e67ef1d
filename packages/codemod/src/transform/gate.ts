import type { File, Node } from '@babel/types';
import { extensionOf, isComponent } from '../scripts.js';
import type { Module } from './module.js';
import { declaredNames } from './declared.js';
import { parseOnly, programOf } from './parse.js';
import { MARK } from './todo.js';
import { isKey, walk } from './walk.js';

/**
 * Checks the new text of a file before it is written. The text must parse, and declare all names
 * except globals. It must keep all comments except TODOs of this codemod.
 *
 * @throws Error if the check fails. The file then stays unchanged.
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
    // The name in `import('axios').AxiosResponse` needs no declaration.
    if (parent?.type === 'TSImportType') return;
    // The name has lost its declaration, or is new in the module.
    if (before.has(node.name) || !module.names.has(node.name))
      needsScopes ||= !KNOWN.has(node.name) && !PARAMETERS.has(node.name);
  });
  // Optimization: scopes are expensive, and most files do not need them.
  if (!needsScopes) return [];
  // The source is parsed again: to save memory, some functions in `module.ast` were emptied.
  const whole = parseOnly(module.source, extensionFor(module));
  const free = new Set(Object.keys(globalsOf(programOf(whole))));
  for (const name of freeTypes(whole)) free.add(name);
  const types = typeNames(ast);
  return Object.keys(globalsOf(programOf(ast))).filter(
    (name) => !free.has(name) && !KNOWN.has(name) && !types.has(name),
  );
}

// Returns the types that a source uses but does not declare. Babel's `globals` omit types that only
// annotate parameters, such as `User` in `(user: User) => …`.
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

// Returns the names of declared types, which have no bindings in Babel's scopes.
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

// The globals that generated code may use.
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

// The cast: the types of Babel lack `globals`.
const globalsOf = (program: Module['program']): object =>
  (program.scope as unknown as { globals: object }).globals;
