import type { NodePath } from '@babel/traverse';
import type { Program, Statement } from '@babel/types';
import { extensionOf, isComponent } from '../scripts.js';
import { specifierName } from './clients.js';
import type { Neighbor, Neighbors } from './module.js';
import { parseOnly } from './parse.js';

/** The maximum number of files to follow through `export … from`. */
const DEPTH = 8;

/**
 * Marks imports whose value may change, such as an import of `export let BASE`. A definition at
 * module level would keep the first value.
 */
export function markLive(program: NodePath<Program>, neighbors: Neighbors): void {
  for (const binding of Object.values(program.scope.bindings)) {
    const { node, parent } = binding.path;
    if (parent.type !== 'ImportDeclaration' || parent.importKind === 'type') continue;
    const name = node.type === 'ImportSpecifier' ? specifierName(node.imported) : 'default';
    const file = neighbors.find(parent.source.value);
    if (file && node.type !== 'ImportNamespaceSpecifier' && isLive(file, name, DEPTH))
      binding.constant = false;
  }
}

function isLive(file: Neighbor, name: string, depth: number): boolean {
  if (!/\b(let|var)\b|\bfrom\b/.test(file.source) || depth === 0) return false;
  const body = bodyOf(file);
  const follow = (from: string, as: string): boolean => {
    const next = file.neighbors.find(from);
    return next !== undefined && isLive(next, as, depth - 1);
  };
  for (const statement of body) {
    if (statement.type === 'ExportAllDeclaration' && name !== 'default') {
      if (follow(statement.source.value, name)) return true;
    } else if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration && isVariable(statement.declaration, name)) return true;
      for (const one of statement.specifiers) {
        if (one.type !== 'ExportSpecifier' || specifierName(one.exported) !== name) continue;
        const local = specifierName(one.local);
        if (statement.source) return follow(statement.source.value, local);
        return body.some((other) => isVariable(other, local));
      }
    }
  }
  return false;
}

function isVariable(statement: Statement, name: string): boolean {
  if (statement.type !== 'VariableDeclaration' || statement.kind === 'const') return false;
  return statement.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name);
}

/** Returns the statements of a file. Empty if the file cannot be parsed or is a component. */
export function bodyOf({ path, source }: Neighbor): readonly Statement[] {
  if (isComponent(path)) return [];
  try {
    return parseOnly(source, extensionOf(path)).program.body;
  } catch {
    return [];
  }
}
