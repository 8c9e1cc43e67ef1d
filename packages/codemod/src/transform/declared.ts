import type { File } from '@babel/types';
import { isKey, walk } from './walk.js';

/** The names that the top level of a module declares. */
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
