import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { resultsIn } from '../store/cells/results.js';
import { expireCell } from '../store/cells/tables.js';
import type { Result } from '../store/cells/Result.js';
import { settled } from './fetchOrJoin.js';
import { batch } from './batch.js';
import { concernsRows, resultsContaining, rowsOf } from './resultsContaining.js';
import type { Controller } from './Controller.js';
import type { Core } from './Core.js';
import { isAbout } from '../schema/signature.js';
import { entityShape } from '../schema/shape.js';
import type { EntityShape } from '../schema/shapes.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Store } from '../store/cells/Store.js';
import { isListing } from '../store/lists/members.js';
import { collect } from '../store/views/walkReferences.js';
import { checkFilter, type Filter, type Filtered, matches, warnPath } from './filters.js';
import { internalsOf } from './internals.js';
import { expireNamed, resultOf } from './resultOf.js';
import { readArgs } from './temporaryKeys.js';
import { outdateResults } from './invalidateResults.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Expires the results that a filter selects. Readers keep their data and fetch again. Without a
 * reader, a result is only marked as stale.
 *
 * @remarks A filter with `entity` selects results that contain a record of the class, even in a
 * relation. Empty lists of the class and failed reads are selected, too. With `pk`, only results
 * that contain that record, and failed reads of that record, are selected.
 *
 * @returns A promise that settles when the readers' new requests have settled.
 *
 * @example
 * ```ts
 * import { type Controller, Entity, expireWhere } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 *
 * export const afterMerge = (controller: Controller) => expireWhere(controller, { entity: User });
 * ```
 */
export function expireWhere(controller: Controller, filter: Filter): Promise<void> {
  return outdateWhere(controller, filter, 'expire');
}

/**
 * Invalidates the results that a filter selects. Readers fetch again and have no data until the
 * response arrives. Otherwise the same as `expireWhere`.
 */
export function invalidateWhere(controller: Controller, filter: Filter): Promise<void> {
  return outdateWhere(controller, filter, 'invalidate');
}

type How = 'invalidate' | 'expire';

function outdateWhere(controller: Controller, given: Filter, how: How): Promise<void> {
  const core = internalsOf(controller);
  checkFilter(`${how}Where`, given);
  const { args } = given;
  const filter = args ? { ...given, args: readArgs(core.store, {}, args) } : given;
  const keys = new Set<string>();
  const take = (): void =>
    batch(core, () => {
      const results = selected(core, filter, how);
      results.forEach(({ key }) => keys.add(key));
      outdateResults(core, results, how);
    });
  core.dispatch({ type: `${how}Where`, filter, take });
  return settled(core, ({ key }) => keys.has(key));
}

/** A list in a record has no result: the readers fetch only if the list expires. */
function expireLists(
  store: Store,
  shape: EntityShape,
  rows: ReadonlySet<Cell>,
  pk: Filter['pk'],
): void {
  for (const { list, cells } of store.lists.values()) {
    for (const cell of isAbout(list, shape) ? cells.values() : []) {
      const { members = [] } = isListing(cell.current) ? cell.current : {};
      const holds = (member: unknown): boolean =>
        collect(store, list.member, member).some((node) => rows.has(node.cell));
      if (pk === undefined || members.some(holds)) {
        expireCell(store, cell);
      }
    }
  }
}

// The cast: results belong to endpoints.
const filteredOf = ({ key, endpoint }: Result): Filtered => ({
  key,
  endpoint: endpoint as EndpointInterface,
});

/** Also expires the rows that the filter selects, and outdates hydrated results. */
function selected({ store }: Core, filter: Filter, how: How): readonly Result[] {
  const { endpoint, entity, pk, match, args } = filter;
  // The content and arguments of a hydrated result are unknown until a reader uses the result. If
  // the filter asks for content or arguments, all hydrated results expire.
  const isUnknown = Boolean(entity ?? match ?? args);
  store.hydrated?.outdate(
    () => isUnknown,
    isUnknown ? 'expire' : how,
    (endpoint) => matches(filter, { key: '', endpoint: endpoint as EndpointInterface }),
  );
  if (endpoint && args) {
    // Before its first response, a result can already show data of another response.
    resultOf(store, endpoint, args);
  } else if (endpoint) {
    expireNamed(store, endpoint);
  }
  const all = [...resultsIn(store)];
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnPath(`${how}Where`, filter, all.map(filteredOf));
  }
  const matching = all.filter((result) => {
    const asked = filteredOf(result);
    // Results of mutations contain only errors.
    return matches(filter, asked) && !asked.endpoint.sideEffect;
  });
  if (!entity) {
    return matching;
  }
  const shape = entityShape(entity);
  const rows = rowsOf(store, shape, pk);
  for (const row of rows) {
    // A detail page that shows a row of a list has no result of its own. Such a page fetches if the
    // row expires.
    expireCell(store, row);
  }
  expireLists(store, shape, rows, pk);
  const containing = resultsContaining(store, rows);
  return matching.filter(
    (result) => containing.has(result) || concernsRows(store, result, shape, rows, pk),
  );
}
