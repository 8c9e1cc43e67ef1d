import type { Binding } from '@babel/traverse';
import { importsOf, specifierName } from './clients.js';
import { exportLink, type Resolve } from './link.js';
import type { Module } from './module.js';

/** The modules that export `axios` itself again, and their importers. */
export interface SharedAxios {
  /** The names under which modules export `axios`, by path. */
  readonly exports: ReadonlyMap<string, ReadonlySet<string>>;
  /** The imports of these exports. */
  readonly bindings: ReadonlyMap<Binding, Module>;
}

/** Follows `axios` through the modules that export it again. */
export function sharedAxios(
  modules: readonly Module[],
  own: ReadonlyMap<Binding, Module>,
  resolve: Resolve,
): SharedAxios {
  const exports = new Map<string, Set<string>>();
  const bindings = new Map<Binding, Module>();
  const add = (path: string, name: string): boolean => {
    const names = exports.get(path) ?? new Set();
    exports.set(path, names);
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  };
  const addExports = (binding: Binding, module: Module): void => {
    for (const reference of binding.referencePaths) {
      const link = exportLink(module, reference);
      if (link && link.kind !== 'export-declaration') add(module.path, link.name);
    }
  };
  const has = (module: Module, from: string, name: string): boolean => {
    if (from === 'axios') return name === 'default';
    const names = exports.get(resolve(from, module.path) ?? '');
    return (
      names?.has(name) === true || (name === 'default' && names?.has('module.exports') === true)
    );
  };
  for (const [binding, module] of own) addExports(binding, module);
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const module of modules) {
      for (const [from, local, exported] of reexportsOf(module))
        if (has(module, from, local) && add(module.path, exported)) isNew = true;
      for (const { binding, from, name } of importsOf(module)) {
        if (from === 'axios' || own.has(binding) || bindings.has(binding)) continue;
        if (!has(module, from, name)) continue;
        bindings.set(binding, module);
        addExports(binding, module);
        isNew = true;
      }
    }
  }
  return { exports, bindings };
}

function reexportsOf({ ast }: Module): [from: string, local: string, exported: string][] {
  return ast.program.body.flatMap((statement): [string, string, string][] => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source) return [];
    const from = statement.source.value;
    return statement.specifiers.flatMap((one): [string, string, string][] =>
      one.type === 'ExportSpecifier'
        ? [[from, specifierName(one.local), specifierName(one.exported)]]
        : [],
    );
  });
}
