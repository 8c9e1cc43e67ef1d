import { traverseFast } from '@babel/types';
import type { File, FunctionDeclaration, Statement } from '@babel/types';
import { declaredNames } from './declared.js';
import { READS } from './readers.js';

// Matches the text of a function that may reach axios without naming an import of the module.
// Examples are `require('axios')`, a global `axios` and `eval`.
const REACHES = /axios|\brequire\b|\bimport\b|\beval\b/i;

/**
 * Optimization: empties the functions that have no connection to the rest of a module. The rest
 * does not name such a function, and the function names nothing in the rest. Paths and scopes take
 * ten times the memory of a tree.
 *
 * @param uses The number of occurrences of each name in the tree.
 */
export function emptyIdleFunctions(
  ast: File,
  source: string,
  uses: ReadonlyMap<string, number>,
): void {
  const declared = declaredNames(ast);
  for (const statement of ast.program.body) {
    const found = functionOf(statement);
    if (!found || (found.id && uses.get(found.id.name) !== 1)) continue;
    const text = source.slice(found.start ?? 0, found.end ?? 0);
    if (REACHES.test(text) || READS.test(text) || namesAny(found, declared)) continue;
    found.params = [];
    found.body.body = [];
    found.body.directives = [];
    found.returnType = null;
    found.typeParameters = null;
  }
}

function functionOf(statement: Statement): FunctionDeclaration | undefined {
  const isExport = /^Export(Named|Default)Declaration$/.test(statement.type);
  const declaration = isExport && 'declaration' in statement ? statement.declaration : statement;
  return declaration?.type === 'FunctionDeclaration' ? declaration : undefined;
}

function namesAny(found: FunctionDeclaration, names: ReadonlySet<string>): boolean {
  let some = false;
  traverseFast(found, (node) => {
    const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier';
    some ||=
      (isName && node !== found.id && names.has(node.name)) || node.type === 'ThisExpression';
  });
  return some;
}
