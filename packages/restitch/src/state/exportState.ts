import { RestitchError } from '../errors/RestitchError.js';
import type { ListArgs } from '../schema/Collection.js';
import { setField } from '../schema/fields.js';
import { signatureOf } from '../schema/signature.js';
import { declarationsOf } from './declarations.js';
import { currentConfirmed } from '../store/journal/fold.js';
import { isFields } from '../store/journal/applyPatch.js';
import { type Encoding, fieldsToJson, isWhole, NOT_JSON, toJson } from './json.js';
import { isListing } from '../store/lists/members.js';
import { exportRendered } from './rendered.js';
import { type Lifetime, resultsIn, resultsOf } from '../store/cells/results.js';
import type { Shape } from '../schema/shapes.js';
import { hydratedOf, type Waiting } from './hydrated.js';
import { type Naming, refuseUnnamed } from './leaving.js';
import { withoutUnnamed } from '../store/optimistic/unnamedRows.js';
import type { Listing } from '../store/cells/Cell.js';
import type { ListTable, RowTable, Store } from '../store/cells/Store.js';
import type { Result } from '../store/cells/Result.js';
import type {
  Declarations,
  ListState,
  ResultState,
  RowState,
  StoreState,
} from '../store/cells/StoreState.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The version of the format. It changes with the format. */
export const STATE_VERSION = 2;

/**
 * Returns the confirmed state of a store. Its values are shared with the store and must not be
 * changed.
 *
 * @throws RestitchError if a part of it has no name in another program, unless `named` returns one.
 */
export function exportState(store: Store, now: number, named: Naming = refuseUnnamed): StoreState {
  const encoding: Encoding = { named, names: temporaryNames(store) };
  const rendered = exportRendered(store, encoding);
  return {
    version: STATE_VERSION,
    exportedAt: now,
    entities: exportTables(store, 'rows', rowState, encoding),
    // Results are exported before lists, because an endpoint without a name has lists without one,
    // and the error should name the endpoint.
    results: exportResults(store, encoding),
    lists: exportTables(store, 'lists', listState, encoding),
    ...(rendered.length > 0 && { rendered }),
  };
}

/** A row or list to export, either in the store or waiting for its schema. */
interface Part extends Pick<Waiting, 'stored' | 'declared' | 'isIncomplete'> {
  readonly meta: Lifetime;
  readonly args?: ListArgs | undefined;
}

/** Returns the states of rows or lists by table, except those without confirmed data. */
function exportTables<T>(
  store: Store,
  kind: 'rows' | 'lists',
  stateOf: (pk: string, part: Part, encoding: Encoding) => T[],
  encoding: Encoding,
): Record<string, readonly T[]> {
  const tables: Record<string, readonly T[]> = {};
  const add = (
    key: string,
    shape: Shape | undefined,
    parts: Iterable<readonly [string, Part]>,
  ): void => {
    const states = [...parts].flatMap(([pk, part]) => stateOf(pk, part, encoding));
    if (states.length > 0) {
      setField(tables, encoding.named(key, shape), states);
    }
  };
  for (const table of store[kind].values()) {
    add(
      table.key,
      table.kind === 'rows' ? table.shapes[0] : table.list,
      knownParts(store, table, encoding),
    );
  }
  for (const [key, parts] of hydratedOf(store)?.[kind] ?? []) {
    add(key, undefined, parts);
  }
  return tables;
}

function* knownParts(
  store: Store,
  table: RowTable | ListTable,
  { named }: Encoding,
): IterableIterator<readonly [pk: string, part: Part]> {
  let declared: Declarations | undefined;
  for (const [key, cell] of table.cells) {
    const current = currentConfirmed(store, cell);
    const stored = cell.list ? withoutUnnamed(store, current) : current;
    // A temporary key is either an alias of a row, or names a row that no other program can
    // identify.
    if (stored && key === cell.pk && !store.unnamed.has(key)) {
      const { pk, lifetime: meta, list } = cell;
      declared ??= table.kind === 'rows' ? declarationsOf(table.shapes, named) : undefined;
      yield [pk, { stored, meta, declared, args: list?.args }];
    }
  }
}

function rowState(
  pk: string,
  { stored, meta, declared, isIncomplete }: Part,
  encoding: Encoding,
): RowState[] {
  if (!isFields(stored)) {
    return [];
  }
  const fields = fieldsToJson(stored, encoding);
  const expiresAt = finite(meta.expiresAt);
  const isLost = isIncomplete || meta.isIncomplete || !isWhole(fields, stored);
  return [
    { pk, fields, expiresAt, ...(declared && { declared }), ...(isLost && { isIncomplete: true }) },
  ];
}

function listState(_: string, { stored, meta, args }: Part, encoding: Encoding): ListState[] {
  // A list with a null member would count as damaged in the importing program.
  const isKept = isListing(stored) && !stored.members.includes(null);
  const json = isKept ? toJson(stored, encoding) : NOT_JSON;
  // The cast: the JSON of a listing has the same members.
  return args && json !== NOT_JSON
    ? [{ args, listing: json as Listing, expiresAt: finite(meta.expiresAt) }]
    : [];
}

function exportResults(store: Store, encoding: Encoding): ResultState[] {
  const { named } = encoding;
  const results: ResultState[] = [];
  const add = ({ value, expiresAt, ...rest }: ResultState): void => {
    const json = toJson(value, encoding);
    if (json !== NOT_JSON) {
      results.push({ ...rest, value: json, expiresAt: finite(expiresAt) });
    }
  };
  for (const result of resultsIn(store)) {
    const { endpoint, shape, value, fetchedAt, expiresAt } = result;
    if (result.status === 'value' && isOnlyOne(store, result)) {
      const key = named(result.key, undefined, endpoint.name);
      const schema = named(signatureOf(shape), shape);
      add({ key, schema, value, fetchedAt, expiresAt });
    }
  }
  for (const answers of hydratedOf(store)?.answers.values() ?? []) {
    for (const { isWaiting, invalidatedIn, ...answer } of answers) {
      if (isWaiting && invalidatedIn === 0) {
        add(answer);
      }
    }
  }
  return results;
}

/**
 * Returns true if no other result would be the same one in another program, where functions do not
 * distinguish endpoints.
 */
function isOnlyOne(store: Store, result: Result): boolean {
  const { key, shape } = result;
  const [first, ...others] = [...resultsOf(store, key)].filter(
    (other) => other.status === 'value' && signatureOf(other.shape) === signatureOf(shape),
  );
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    others.length > 0 &&
    !reported.has(first ?? result)
  ) {
    reported.add(first ?? result);
    const names = [first, ...others].map((one) => one?.endpoint.name).join(' and ');
    const message = `${names} make something else of ${key}: neither result is exported. Give one of them a \`key\`.`;
    store.report(new RestitchError('ambiguous-result', message));
  }
  return others.length === 0;
}

/** The ambiguous results that were already reported. */
const reported = new WeakSet<Result>();

/**
 * Returns a finite time for JSON, which has no infinity. Data that never expires gets the largest
 * safe integer.
 */
function finite(expiresAt: number): number {
  return Math.min(expiresAt, Number.MAX_SAFE_INTEGER);
}

/** Returns the real keys of rows that were created with a temporary key, by that temporary key. */
function temporaryNames(store: Store): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { cells } of store.rows.values()) {
    for (const [key, { pk }] of cells) {
      if (key !== pk) {
        names.set(key, pk);
      }
    }
  }
  return names;
}
