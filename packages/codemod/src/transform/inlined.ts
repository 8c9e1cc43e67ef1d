import type { Binding } from '@babel/traverse';
import { endOf, type Module, startOf } from './module.js';
import type { Planned } from './plan.js';

/** Removes the constants that contained only the URL or the config of converted requests. */
export function removeInlined(module: Module, planned: readonly Planned[]): void {
  const counts = new Map<Binding, number>();
  for (const one of planned) {
    for (const binding of new Set([...one.draft.inlined, ...configsOf(one)]))
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
    const after = end + rest.length;
    // One of two empty lines around the constant is removed, too.
    const isApart = /(^|\n)[ \t]*\r?\n$/.test(module.source.slice(0, line));
    const empty = isApart ? /^[ \t]*\r?\n/.exec(module.source.slice(after))?.[0] : undefined;
    module.edits.push({ start: line, end: after + (empty?.length ?? 0), pieces: [] });
  }
}

// Returns the constant of a config, if the call no longer names it.
function configsOf({ draft, request }: Planned): Binding[] {
  const { via, call } = request;
  const binding = via === undefined ? undefined : call.scope.getBinding(via);
  if (!binding) return [];
  const named = new RegExp(`(?<![\\w$.])${via?.replaceAll('$', '\\$') ?? ''}(?![\\w$])`);
  const texts = [...draft.options, ...[...draft.args, ...draft.extend].flat()];
  return texts.some((text) => typeof text === 'string' && named.test(text)) ? [] : [binding];
}
