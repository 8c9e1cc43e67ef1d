import type { Binding } from '@babel/traverse';
import { endOf, type Module, startOf } from './module.js';
import type { Planned } from './plan.js';

/** Takes out the constants of functions that held nothing but the URL of converted requests. */
export function removeInlined(module: Module, planned: readonly Planned[]): void {
  const counts = new Map<Binding, number>();
  for (const { draft } of planned) {
    for (const binding of new Set(draft.inlined))
      counts.set(binding, (counts.get(binding) ?? 0) + 1);
  }
  for (const [binding, count] of counts) {
    const statement = binding.path.parentPath;
    if (binding.references !== count || !statement?.isVariableDeclaration()) continue;
    if (statement.node.declarations.length > 1 || statement.listKey !== 'body') continue;
    const start = startOf(statement.node);
    const end = endOf(statement.node);
    const line = module.source.lastIndexOf('\n', start - 1) + 1;
    const rest = /^[ \t]*\r?\n/.exec(module.source.slice(end))?.[0];
    const before = module.source.slice(line, start);
    const isAlone = before.trim() === '' && rest !== undefined;
    const hasComment = module.comments.some(
      (comment) => (comment.start ?? 0) >= start && (comment.start ?? 0) < end,
    );
    if (!isAlone || hasComment) continue;
    module.edits.push({ start: line, end: end + rest.length, pieces: [] });
  }
}
