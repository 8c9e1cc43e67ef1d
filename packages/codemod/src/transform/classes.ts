import type { Node } from '@babel/types';
import type { Instance } from './clients.js';
import type { BaseOptions } from './draw.js';
import { insertion } from './edits.js';
import { anchorAfter } from './hoist.js';
import { isUsed } from './imports.js';
import { endOf, type Module, startOf } from './module.js';
import type { Plan } from './plan.js';
import type { Project } from './project.js';
import { indentAt } from './construct.js';

/** Returns true if no code needs the instance after all planned requests are converted. */
export function isReplaced(
  project: Project,
  plan: Plan,
  instance: Instance,
  consumed: ReadonlyMap<Module, ReadonlySet<Node>>,
): boolean {
  if (instance.blocked || plan.bridged.has(instance)) return false;
  const exported = instance.links.length > 0;
  if (exported && !project.complete) return false;
  const { module, call } = instance;
  if (
    module.comments.some(
      (comment) =>
        (comment.start ?? 0) > startOf(call.node) && (comment.start ?? 0) < endOf(call.node),
    )
  )
    return false;
  for (const use of project.uses) {
    if (use.client !== instance) continue;
    if (use.kind === 'export') continue;
    if (use.kind !== 'request' || !plan.requests.has(use.path.node)) return false;
  }
  for (const [binding, client] of project.bindings) {
    if (client !== instance) continue;
    const home = project.modules.find(({ program }) => program.scope === binding.scope);
    if (!home) return false;
    const dropped = new Set([...(consumed.get(home) ?? []), binding.identifier]);
    for (const link of instance.links)
      if (link.module === home) addNames(dropped, link.node, binding.identifier.name);
    if (isUsed(home, binding.identifier.name, dropped, binding.path.node)) return false;
  }
  return true;
}

function addNames(into: Set<Node>, node: Node, name: string): void {
  const add = (one: Node): void => {
    if (one.type === 'Identifier' && one.name === name) into.add(one);
  };
  add(node);
  if (node.type === 'ExportSpecifier') {
    add(node.local);
    add(node.exported);
  }
  if (node.type === 'ObjectProperty') add(node.value);
  if (node.type === 'AssignmentExpression') add(node.right);
}

/** Puts the class in place of the instance, or after it. */
export function writeClass(
  instance: Instance,
  { text, variable = instance.variable }: BaseOptions,
  replaced: boolean,
): void {
  const { module, statement } = instance;
  const { node } = statement;
  const { newline } = module.style;
  const start = startOf(node);
  const indent = indentAt(module, start);
  const indented = text.replaceAll(newline, newline + indent);
  const kinds = instance.links.filter((link) => link.module === module).map(({ kind }) => kind);
  // For `export { api }`, the class has no `export`: `writeLink` adds its name to the braces.
  const exported =
    !kinds.includes('export-specifier') &&
    (kinds.includes('export-declaration') || kinds.includes('export-default'));
  if (replaced) {
    const head = statement.isExportDefaultDeclaration()
      ? 'export default '
      : statement.isExportNamedDeclaration()
        ? 'export '
        : '';
    module.edits.push({ start, end: endOf(node), pieces: [head + indented] });
  } else if (statement.isExportDefaultDeclaration()) {
    // The exported instance has no name, but the class must name it.
    const { call } = instance;
    const { semicolon } = module.style;
    const after = `${newline}${newline}${indent}export ${indented}${newline}${newline}${indent}export default ${variable}${semicolon}`;
    module.edits.push(
      { start, end: startOf(call.node), pieces: [`const ${variable} = `] },
      insertion(endOf(node), after),
    );
  } else {
    const head = exported ? 'export ' : '';
    const separate = `${newline}${newline}${indent}${head}${indented}`;
    // The class comes before the definitions at the same position.
    module.edits.unshift(insertion(anchorAfter(module, endOf(node)), separate));
  }
}
