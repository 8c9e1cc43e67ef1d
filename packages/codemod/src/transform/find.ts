import type { Binding, NodePath } from '@babel/traverse';
import type { CallExpression } from '@babel/types';
import { type Client, importsOf, type Instance, type Use, classifyUse } from './clients.js';
import type { Module } from './module.js';

/** The variables that a module imports from axios. */
export interface AxiosImports {
  /** Bindings of `axios` itself. */
  readonly clients: readonly Binding[];
  /** Bindings of `isAxiosError`. */
  readonly checks: readonly Binding[];
}

export function axiosImports(module: Module): AxiosImports {
  const clients: Binding[] = [];
  const checks: Binding[] = [];
  for (const { binding, from, name } of importsOf(module)) {
    if (from !== 'axios') continue;
    if (/^(default|\*|module\.exports)$/.test(name)) clients.push(binding);
    else if (name === 'isAxiosError') checks.push(binding);
  }
  return { clients, checks };
}

export const usesOf = (module: Module, client: Client, binding: Binding): Use[] =>
  [
    ...binding.referencePaths,
    // An assignment to the variable is a use, too.
    ...binding.constantViolations,
  ].map((reference) => classifyUse(module, client, reference));

/**
 * Returns the instance from `axios.create()`, if a constant or `export default` of its module
 * contains it.
 */
export function instanceOf(
  use: Use,
): { instance: Instance; binding: Binding | undefined } | undefined {
  const { module } = use;
  const call = use.path as NodePath<CallExpression>;
  const of = (variable: string, statement: NodePath, binding?: Binding) => ({
    instance: {
      kind: 'instance' as const,
      module,
      variable,
      call,
      statement,
      links: [],
      blocked: undefined,
    },
    binding,
  });
  let value: NodePath = call;
  while (value.parentPath && /^TS(As|Satisfies|NonNull)/.test(value.parentPath.type))
    value = value.parentPath;
  const { parentPath: parent } = value;
  if (parent?.isVariableDeclarator() && parent.node.id.type === 'Identifier') {
    const declaration = parent.parentPath;
    const statement = declaration?.parentPath?.isExportNamedDeclaration()
      ? declaration.parentPath
      : declaration;
    const binding = parent.scope.getBinding(parent.node.id.name);
    if (!declaration?.isVariableDeclaration() || declaration.node.declarations.length > 1)
      return undefined;
    if (!statement?.parentPath?.isProgram() || !binding?.constant) return undefined;
    return of(parent.node.id.name, statement, binding);
  }
  return parent?.isExportDefaultDeclaration() ? of(nameOfFile(module.path), parent) : undefined;
}

/** Returns a variable name for a file name, such as `httpClient` for `src/http-client.ts`. */
function nameOfFile(path: string): string {
  const parts = path.split(/[\\/]/).map((part) => part.replace(/\.\w+$/, ''));
  const last = parts.at(-1);
  const name = (last === 'index' ? parts.at(-2) : last) ?? '';
  return name.replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase()) || 'base';
}
