import { type Node, traverseFast } from '@babel/types';
import { extensionOf, isComponent } from '../scripts.js';
import type { Module } from './module.js';
import { parseSource } from './parse.js';

/**
 * The last check before a file is written: its new text parses, names nothing that is not there, and has all comments.
 *
 * @throws Error when it does not; the file is then left as it was.
 */
export function checkOutput(module: Module, output: string): void {
  const extension = isComponent(module.path)
    ? module.typescript
      ? 'ts'
      : 'js'
    : extensionOf(module.path);
  const { ast, program } = parseSource(output, extension);
  const free = new Set(Object.keys(globalsOf(module.program)));
  const types = typeNames(ast);
  const added = Object.keys(globalsOf(program)).filter(
    (name) => !free.has(name) && !PLATFORM.has(name) && !types.has(name),
  );
  if (added.length > 0)
    throw new Error(`The conversion would leave a name undefined: ${added.join(', ')}`);
  const left = new Map<string, number>();
  for (const { value } of ast.comments ?? []) left.set(value, (left.get(value) ?? 0) + 1);
  for (const { value } of module.comments) {
    const count = left.get(value) ?? 0;
    if (count === 0)
      throw new Error(`The conversion would lose a comment: ${value.trim().slice(0, 60)}`);
    left.set(value, count - 1);
  }
}

// Types have no bindings in the scopes of Babel.
function typeNames(ast: Node): Set<string> {
  const names = new Set<string>();
  traverseFast(ast, (node) => {
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

// What the conversion itself may name.
const PLATFORM = new Set([
  'undefined',
  'RequestInit',
  'HeadersInit',
  'Record',
  'require',
  'module',
  'btoa',
  'String',
  'TextEncoder',
]);

// Not in the types of the library.
const globalsOf = (program: Module['program']): object =>
  (program.scope as unknown as { globals: object }).globals;
