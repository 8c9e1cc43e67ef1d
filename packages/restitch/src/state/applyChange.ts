import { listKey } from '../store/cells/keys.js';
import type { RowState, StoreState } from '../store/cells/StoreState.js';
import type { ChangeSet } from './ChangeSet.js';

/**
 * Returns a copy of a state with a change applied, as `getState` returns it after the change. Use
 * it to keep a copy of a store in a database, a file or a worker.
 *
 * @remarks Apply the changes in the order of their `seq`. The function copies the changed tables.
 * For a large store, write the records of each change to a database instead.
 *
 * @example
 * ```ts
 * import type { Controller } from 'restitch';
 * import { applyChange, changes, getState, type StoreState } from 'restitch/state';
 *
 * export function follow(controller: Controller, save: (state: StoreState) => void): () => void {
 *   let state = getState(controller);
 *   return changes(controller, (change) => {
 *     state = applyChange(state, change);
 *     save(state);
 *   });
 * }
 * ```
 */
export function applyChange(state: StoreState, change: ChangeSet): StoreState {
  const before = change.cause === 'reset' ? { entities: {}, lists: {}, results: [] } : state;
  const { rows, lists, results, at } = change;
  return {
    version: state.version,
    exportedAt: at,
    entities: withParts(
      before.entities,
      rows.map(({ entity, fields, rankedAt: _, renamedFrom: __, ...rest }) => [
        entity,
        rest.pk,
        { ...rest, fields },
      ]),
      ({ pk }) => pk,
      withLost,
    ),
    lists: withParts(
      before.lists,
      lists.map(({ kind, ...list }) => [kind, listKey(list.args), list]),
      ({ args }) => listKey(args),
    ),
    results: merged(
      before.results,
      results.map((result) => [nameOf(result), result.gone ? undefined : result]),
      nameOf,
    ),
  };
}

/**
 * Garbage collection is not reported. A row that comes back after its eviction can lack fields that
 * the results of the copy need.
 */
function withLost({ fields: known, lost: before = [] }: RowState, row: RowState): RowState {
  const { fields, lost = [] } = row;
  const missing = [...before, ...Object.keys(known ?? {})].filter(
    (field) => fields && !Object.hasOwn(fields, field) && !lost.includes(field),
  );
  return missing.length > 0 ? { ...row, lost: [...new Set([...lost, ...missing])] } : row;
}

const nameOf = ({ key, schema }: { readonly key: string; readonly schema: string }): string =>
  JSON.stringify([key, schema]);

type Tables<T> = Readonly<Record<string, readonly T[]>>;

function withParts<T>(
  tables: Tables<T>,
  parts: readonly (readonly [table: string, name: string, part: T | undefined])[],
  nameIn: (part: T) => string,
  replace?: (known: T, part: T) => T,
): Tables<T> {
  const next = new Map(Object.entries(tables));
  for (const table of new Set(parts.map(([name]) => name))) {
    const own = parts.filter(([name]) => name === table);
    const changed = own.map(([, name, part]) => [name, part] as const);
    next.set(table, merged(next.get(table) ?? [], changed, nameIn, replace));
  }
  return Object.fromEntries(next);
}

function merged<T>(
  parts: readonly T[],
  changed: readonly (readonly [name: string, part: T | undefined])[],
  nameIn: (part: T) => string,
  replace = (_: T, part: T): T => part,
): readonly T[] {
  const next = new Map(parts.map((part) => [nameIn(part), part]));
  for (const [name, part] of changed) {
    if (part === undefined) {
      next.delete(name);
    } else {
      const known = next.get(name);
      next.set(name, known === undefined ? part : replace(known, part));
    }
  }
  return [...next.values()];
}
