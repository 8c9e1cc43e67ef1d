import { scriptsOf } from '../scripts.js';
import { specifiersOf } from './specifiers.js';
import { requiredExports, type Resolve } from './link.js';
import { requiredModule } from './clients.js';
import type { Module } from './module.js';

/** The imports between files, found in their text. */
export interface Importers {
  /** The paths of the files that a file imports, also with `require` or `import()`. */
  readonly targets: (path: string) => readonly string[];
  /** Returns true if a file imports another file, directly or through further files. */
  readonly reaches: (from: string, to: string) => boolean;
  /** Returns true if some file imports from a path. */
  readonly has: (path: string) => boolean;
  /** Returns the files that may import from a path in a way that the codemod cannot follow. */
  readonly unaccounted: (path: string, modules: readonly Module[]) => readonly string[];
}

/** Reads the imports of all files without parsing them. */
export function readImporters(
  files: readonly { readonly path: string; readonly source: string }[],
  resolve: Resolve,
): Importers {
  const targets = new Map<string, readonly string[]>();
  const imported = new Set<string>();
  const loose: { readonly path: string; readonly name: string }[] = [];
  for (const { path, source } of files) {
    const found: string[] = [];
    for (const { source: script } of scriptsOf(path, source)) {
      for (const name of specifiersOf(script)) {
        const target = resolve(name, path);
        if (target !== undefined) found.push(target);
        else if (/^[@~#]?\//.test(name) || /^(src|app|lib)\//.test(name))
          loose.push({ path, name });
      }
    }
    targets.set(path, found);
    for (const target of found) imported.add(target);
  }
  const closures = new Map<string, Set<string>>();
  const reachable = (from: string): Set<string> => {
    const known = closures.get(from);
    if (known) return known;
    const found = new Set<string>();
    const open = [from];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const target of targets.get(path) ?? []) {
        if (found.has(target)) continue;
        found.add(target);
        open.push(target);
      }
    }
    closures.set(from, found);
    return found;
  };
  return {
    targets: (path) => targets.get(path) ?? [],
    reaches: (from, to) => reachable(from).has(to),
    has: (path) => imported.has(path),
    unaccounted(path, modules) {
      const known = new Map(modules.map((module) => [module.path, module]));
      const stem = withoutExtension(path);
      const blind = loose
        .filter(({ name }) => stem.endsWith(withoutExtension(name).replace(/^[^/]*/, '')))
        .map((one) => one.path);
      const others = [...targets]
        .filter(([from, all]) => {
          if (!all.includes(path)) return false;
          const module = known.get(from);
          return !module || !followed(module, resolve, path);
        })
        .map(([from]) => from);
      return [...blind, ...others];
    },
  };
}

const withoutExtension = (path: string): string =>
  path.replace(/\.\w+$/, '').replace(/\/index$/, '');

// Returns true if each import of a target is a statement at the top of the module.
function followed(module: Module, resolve: Resolve, target: string): boolean {
  const names = specifiersOf(module.source).filter((name) => resolve(name, module.path) === target);
  const static_ = new Set<string>();
  for (const statement of module.ast.program.body) {
    if (
      (statement.type === 'ImportDeclaration' ||
        statement.type === 'ExportNamedDeclaration' ||
        statement.type === 'ExportAllDeclaration') &&
      statement.source
    )
      static_.add(statement.source.value);
    static_.add(requiredExports(statement) ?? '');
    if (statement.type === 'VariableDeclaration') {
      for (const { init } of statement.declarations) static_.add(requiredModule(init) ?? '');
    }
  }
  const dynamic = names.some((name) =>
    new RegExp(`import\\s*\\(\\s*['"]${name.replace(/[.*+?^$\\{}()|[\]/]/g, '\\$&')}['"]`).test(
      module.source,
    ),
  );
  return !dynamic && names.every((name) => static_.has(name));
}
