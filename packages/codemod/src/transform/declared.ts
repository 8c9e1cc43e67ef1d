import type { File, Node } from '@babel/types';
import { specifierName } from './clients.js';
import { bodyOf } from './live.js';
import type { Module } from './module.js';
import { isKey, walk } from './walk.js';

/** Returns the names that the top level of a module declares. */
export function declaredNames({ program }: File): Set<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    const declaration =
      'declaration' in statement && statement.declaration ? statement.declaration : statement;
    if (declaration.type === 'ImportDeclaration')
      for (const { local } of declaration.specifiers) names.add(local.name);
    else if (declaration.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations)
        walk(id, (node, parent) => {
          if (node.type === 'Identifier' && !isKey(node, parent)) names.add(node.name);
        });
    } else if ('id' in declaration && declaration.id?.type === 'Identifier')
      names.add(declaration.id.name);
  }
  return names;
}

/** Returns the declaration of a type, in this module or in the module from which it is imported. */
export function declarationOf(module: Module, name: string): Node | undefined {
  const own = declaredIn(module.ast.program.body, name);
  if (own) return own;
  for (const statement of module.ast.program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const found = statement.specifiers.find(({ local }) => local.name === name);
    if (found?.type !== 'ImportSpecifier') continue;
    const file = module.neighbors.find(statement.source.value);
    return file && declaredIn(bodyOf(file), specifierName(found.imported));
  }
  return undefined;
}

function declaredIn(body: readonly Node[], name: string): Node | undefined {
  for (const statement of body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' && statement.declaration
        ? statement.declaration
        : statement;
    if (
      /^TS(TypeAlias|Interface|Enum)Declaration$/.test(declaration.type) &&
      'id' in declaration &&
      declaration.id?.type === 'Identifier' &&
      declaration.id.name === name
    )
      return declaration;
  }
  return undefined;
}
