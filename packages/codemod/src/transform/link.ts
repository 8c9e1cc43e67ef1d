import type { Binding, NodePath } from '@babel/traverse';
import type { Statement } from '@babel/types';
import {
  dotted,
  isCommonJsExport,
  importsOf,
  type Instance,
  type Link,
  requiredModule,
  specifierName,
} from './clients.js';
import type { Module } from './module.js';
import { because } from './reasons.js';

/** Returns the file that an import names. Undefined if the file is not part of the project. */
export type Resolve = (specifier: string, from: string) => string | undefined;

/** The instance that each variable contains. */
export type Bindings = Map<Binding, Instance>;

/** The exported instances, by path and name. */
export type Exports = Map<string, Map<string, Instance>>;

/** Follows every instance through exports and imports, until nothing new is found. */
export function linkModules(
  modules: readonly Module[],
  bindings: Bindings,
  instances: readonly Instance[],
  resolve: Resolve,
): Exports {
  const exports: Exports = new Map();
  const imports = modules.flatMap((module) =>
    importsOf(module).map((one) => ({ ...one, module, target: resolve(one.from, module.path) })),
  );
  for (const [binding, instance] of bindings)
    addExports(exports, instance, instance.module, binding);
  for (const instance of instances) {
    const { module, statement } = instance;
    if (!statement.isExportDefaultDeclaration()) continue;
    addExport(exports, module, 'default', instance);
    instance.links.push({
      module,
      kind: 'export-declaration',
      node: statement.node,
      name: 'default',
    });
  }
  for (let size = -1; size !== sizeOf(exports, bindings);) {
    size = sizeOf(exports, bindings);
    for (const module of modules) reexport(exports, module, resolve);
    for (const { binding, name, node, module, target, from } of imports) {
      const found = target === undefined ? undefined : exports.get(target);
      if (!found || bindings.has(binding)) continue;
      const instance =
        found.get(name) ?? (name === 'default' ? found.get('module.exports') : undefined);
      if (instance) {
        bindings.set(binding, instance);
        const kind = node.type === 'VariableDeclarator' ? 'require' : 'import';
        instance.links.push({ module, kind, node, name, local: binding.identifier.name, from });
        addExports(exports, instance, module, binding);
      } else if (name === '*' || name === 'module.exports') {
        for (const one of found.values())
          one.blocked ??= because('client-passed-on', 'with its module');
      }
    }
  }
  return exports;
}

function sizeOf(exports: Exports, bindings: Bindings): number {
  let size = bindings.size;
  for (const names of exports.values()) size += names.size;
  return size;
}

function addExport(exports: Exports, module: Module, name: string, instance: Instance): boolean {
  const names = exports.get(module.path) ?? new Map<string, Instance>();
  exports.set(module.path, names);
  if (names.has(name)) return false;
  names.set(name, instance);
  return true;
}

function addExports(exports: Exports, instance: Instance, module: Module, binding: Binding): void {
  for (const reference of binding.referencePaths) {
    const link = exportLink(module, reference);
    if (!link) continue;
    addExport(exports, module, link.name, instance);
    instance.links.push(link);
  }
}

/** Returns the export that contains a reference, as in `export { api }`. */
export function exportLink(module: Module, reference: NodePath): Link | undefined {
  const { node, parent } = reference;
  if (node.type === 'ExportNamedDeclaration') {
    const declared =
      node.declaration?.type === 'VariableDeclaration' ? node.declaration : undefined;
    const id = declared?.declarations[0]?.id;
    return id?.type === 'Identifier'
      ? { module, kind: 'export-declaration', node, name: id.name }
      : undefined;
  }
  if (parent.type === 'ExportDefaultDeclaration')
    return { module, kind: 'export-default', node, name: 'default' };
  if (parent.type === 'ExportSpecifier')
    return { module, kind: 'export-specifier', node: parent, name: specifierName(parent.exported) };
  if (parent.type === 'ObjectProperty' && !parent.computed && isCommonJsExport(reference))
    return { module, kind: 'exports-member', node: parent, name: specifierName(parent.key) };
  if (parent.type !== 'AssignmentExpression' || parent.left.type !== 'MemberExpression')
    return undefined;
  if (!isCommonJsExport(reference)) return undefined;
  const { property, object } = parent.left;
  const whole = object.type === 'Identifier' && object.name === 'module';
  return whole
    ? { module, kind: 'exports-all', node: parent, name: 'module.exports' }
    : { module, kind: 'exports-member', node: parent, name: specifierName(property) };
}

/** Returns `name` for `module.exports = require('name')`. */
export function requiredExports(statement: Statement): string | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  if (expression.type !== 'AssignmentExpression' || dotted(expression.left) !== 'module.exports')
    return undefined;
  return expression.right.type === 'CallExpression' ? requiredModule(expression.right) : undefined;
}

function reexport(exports: Exports, module: Module, resolve: Resolve): void {
  for (const statement of module.ast.program.body) {
    const required = requiredExports(statement);
    if (required !== undefined) {
      const found = exports.get(resolve(required, module.path) ?? '');
      for (const [name, instance] of found ?? []) addExport(exports, module, name, instance);
    } else if (statement.type === 'ExportAllDeclaration') {
      const found = exports.get(resolve(statement.source.value, module.path) ?? '');
      for (const [name, instance] of found ?? [])
        if (name !== 'default') addExport(exports, module, name, instance);
    } else if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      const found = exports.get(resolve(statement.source.value, module.path) ?? '');
      if (!found) continue;
      for (const specifier of statement.specifiers) {
        if (specifier.type === 'ExportNamespaceSpecifier') {
          for (const one of found.values())
            one.blocked ??= because('client-passed-on', 'with its module');
          continue;
        }
        if (specifier.type !== 'ExportSpecifier') continue;
        const instance = found.get(specifierName(specifier.local));
        const name = specifierName(specifier.exported);
        if (instance && addExport(exports, module, name, instance))
          instance.links.push({ module, kind: 'reexport', node: specifier, name });
      }
    }
  }
}
