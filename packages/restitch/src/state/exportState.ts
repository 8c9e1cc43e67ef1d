import { RestitchError } from '../errors/RestitchError.js';
import type { Shape } from '../schema/shapes.js';
import type { Result } from '../store/cells/Result.js';
import { NO_LIFETIME, resultsIn } from '../store/cells/results.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import type { Declarations, ResultState, StoreState } from '../store/cells/StoreState.js';
import { declarationsOf } from './fieldDeclarations.js';
import { hydratedOf, type HydratedState, isReadable, waitingState } from './hydrated.js';
import type { Encoding } from './json.js';
import { type Naming, refuseUnnamed } from './requireNames.js';
import {
  confirmedOf,
  listState,
  othersLike,
  type Part,
  partOf,
  resultState,
  rowState,
  stateOfResult,
} from './exportedParts.js';
import { exportRendered } from './rendered.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

export const STATE_VERSION = 2;

export function exportState(store: Store, now: number, named: Naming = refuseUnnamed): StoreState {
  const encoding: Encoding = { named, names: store.named };
  const rendered = exportRendered(store, encoding);
  return {
    version: STATE_VERSION,
    exportedAt: now,
    entities: exportTables(store, 'rows', rowState, encoding),
    // Results are exported before lists, so that the error for a missing name names the endpoint.
    results: exportResults(store, encoding),
    lists: exportTables(store, 'lists', (_, part) => listState(part, encoding), encoding),
    ...(rendered.length > 0 && { rendered }),
  };
}

function exportTables<T>(
  store: Store,
  kind: 'rows' | 'lists',
  stateOf: (pk: string, part: Part, encoding: Encoding) => T | undefined,
  encoding: Encoding,
): Record<string, readonly T[]> {
  const tables = new Map<string, T[]>();
  const add = (
    key: string,
    shape: Shape | undefined,
    parts: Iterable<readonly [string, Part]>,
  ): void => {
    const states = [...parts].flatMap(([pk, part]) => stateOf(pk, part, encoding) ?? []);
    if (states.length > 0) {
      const name = encoding.named(key, shape);
      tables.set(name, [...(tables.get(name) ?? []), ...states]);
    }
  };
  for (const table of store[kind].values()) {
    add(
      table.key,
      table.kind === 'rows' ? table.shapes[0] : table.list,
      knownParts(store, table, encoding),
    );
  }
  const hydrated = hydratedOf(store);
  for (const [key, parts] of hydrated?.[kind] ?? []) {
    add(key, undefined, parts);
  }
  for (const [key, pk, lost] of kind === 'rows' && hydrated ? evictedRows(store, hydrated) : []) {
    add(key, undefined, [[pk, { stored: {}, meta: NO_LIFETIME, lost }]]);
  }
  return Object.fromEntries(tables);
}

/** The next program must fetch the results that contain these rows. */
function* evictedRows(
  store: Store,
  { lostFields, rows, partial, results }: HydratedState,
): IterableIterator<readonly [key: string, pk: string, lost: readonly string[]]> {
  const isNeeded = [...results.values()].flat().some(({ isWaiting }) => isWaiting);
  for (const [key, lostRows] of isNeeded ? lostFields.rows : []) {
    for (const [pk, lost] of lostRows) {
      const cell = store.rows.get(key)?.cells.get(pk);
      const isExported = cell && (partial.has(cell) || confirmedOf(store, cell) !== undefined);
      if (!isExported && !rows.get(key)?.has(pk)) {
        yield [key, pk, [...lost.keys()]];
      }
    }
  }
}

function* knownParts(
  store: Store,
  table: RowTable | ListTable,
  { named }: Encoding,
): IterableIterator<readonly [pk: string, part: Part]> {
  let declared: Declarations | undefined;
  for (const [key, cell] of table.cells) {
    // If a created row has a real key, its temporary key still leads to its cell.
    const stored = key === cell.pk && confirmedOf(store, cell);
    const rejected = stored === undefined && hydratedOf(store)?.partial.get(cell);
    if (rejected) {
      // The next program must reject it too, and fetch the results that contain it.
      yield [cell.pk, rejected];
    } else if (stored !== undefined && stored !== false) {
      declared ??= table.kind === 'rows' ? declarationsOf(table.shapes, named) : undefined;
      yield [cell.pk, partOf(store, cell, stored, declared)];
    }
  }
}

function exportResults(store: Store, encoding: Encoding): ResultState[] {
  const results: (ResultState | undefined)[] = [];
  for (const result of resultsIn(store)) {
    reportAmbiguous(store, result);
    results.push(stateOfResult(store, result, encoding));
  }
  for (const hydratedResults of hydratedOf(store)?.results.values() ?? []) {
    for (const hydratedResult of hydratedResults) {
      if (isReadable(hydratedResult)) {
        results.push(resultState(waitingState(hydratedResult), encoding));
      }
    }
  }
  return results.filter((result) => result !== undefined);
}

function reportAmbiguous(store: Store, result: Result): void {
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    result.status === 'value' &&
    !reported.has(result)
  ) {
    const others = othersLike(store, result);
    if (others.length > 0) {
      const all = [result, ...others];
      all.forEach((one) => reported.add(one));
      const names = all.map(({ endpoint }) => endpoint.name).join(' and ');
      const message = `${names} read ${result.key} differently, so neither result is exported. Give one of them a \`key\`.`;
      store.report(new RestitchError('ambiguous-result', message));
    }
  }
}

const reported = new WeakSet<Result>();
