import type { ListArgs } from '../schema/Collection.js';
import { setField } from '../schema/fields.js';
import { signatureOf } from '../schema/signature.js';
import { isFields, showConfirmed } from './fold.js';
import { fieldsToJson, NOT_JSON, toJson } from './json.js';
import { isListing } from './listing.js';
import { exportRendered } from './rendered.js';
import { resultsIn } from './results.js';
import type { Cell, Fields, Listing, Store } from './state.js';

/** One record of a `StoreState`. */
export interface RowState {
  readonly pk: string;
  /** The fields as they are stored: raw values, and other records as their primary keys. */
  readonly fields: Fields;
  /** Milliseconds since 1970 until which the last answer that held it counts as fresh. */
  readonly expiresAt: number;
}

/** One list of a `StoreState`. */
export interface ListState {
  /** What identifies it. */
  readonly args: ListArgs;
  /** Its members, as primary keys, and how far its pages go. */
  readonly listing: Listing;
  /** Milliseconds since 1970 until which the last answer that held it counts as fresh. */
  readonly expiresAt: number;
}

/** The stored answer of one endpoint to one set of arguments, in a `StoreState`. */
export interface ResultState {
  /** The endpoint's `key(...args)`. */
  readonly key: string;
  /** Names the schema that the answer was read with: another one does not get it. */
  readonly schema: string;
  /** The answer, with primary keys in place of records. */
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly expiresAt: number;
  /** The fields that the response left out of its records, of those that their classes declare; absent where there are none. */
  readonly leftOut?: readonly string[];
}

/** What a page shows as the answer to one question, where that is no longer what the store holds; in a `StoreState`. */
export interface RenderedState {
  /** The question, by its key and schema. */
  readonly of: string;
  /** The records and lists in it as they were, by their names. */
  readonly cells: readonly (readonly unknown[])[];
}

/**
 * What a store holds, as plain data that JSON can carry: `controller.getState()` gives it, `controller.hydrate(state)` takes
 * it. Only confirmed data: nothing optimistic and no errors.
 */
export interface StoreState {
  /** Changes when the format does; state of another version is not taken. */
  readonly version: 1;
  /** Milliseconds since 1970, by the clock of whoever exported it. */
  readonly exportedAt: number;
  /** Records by the `key` of their entity class, in the order in which they came. */
  readonly entities: Readonly<Record<string, readonly RowState[]>>;
  /** Lists by the kind of their members. */
  readonly lists: Readonly<Record<string, readonly ListState[]>>;
  readonly results: readonly ResultState[];
  /** On a server that sends a page: what parts of it were rendered from that changed since. */
  readonly rendered?: readonly RenderedState[];
}

/** Exports what is confirmed. Its values are those of the store, not copies: they must not be changed. */
export function exportState(store: Store, now: number): StoreState {
  const names = temporaryNames(store);
  const entities: Record<string, RowState[]> = {};
  for (const { key, cells } of store.rows.values()) {
    const rows: RowState[] = [];
    for (const cell of ownCells(cells)) {
      const fields = showConfirmed(store, cell);
      if (isFields(fields)) {
        const { pk, lifetime } = cell;
        const expiresAt = finite(lifetime.expiresAt);
        rows.push({ pk, fields: fieldsToJson(fields, names), expiresAt });
      }
    }
    if (rows.length > 0) {
      setField(entities, key, rows);
    }
  }
  for (const [key, waiting] of store.hydrated?.rows ?? []) {
    const rows = [...waiting].flatMap(([pk, { stored, meta }]) =>
      isFields(stored) ? [{ pk, fields: stored, expiresAt: meta.expiresAt }] : [],
    );
    setField(entities, key, rows);
  }
  const lists: Record<string, ListState[]> = {};
  for (const { key, cells } of store.lists.values()) {
    const known: ListState[] = [];
    for (const cell of ownCells(cells)) {
      const listing = showConfirmed(store, cell);
      const json = isListing(listing) ? toJson(listing, names) : NOT_JSON;
      if (json !== NOT_JSON && cell.list) {
        // The cast: what is made of a listing has the same members.
        known.push({
          args: cell.list.args,
          listing: json as Listing,
          expiresAt: finite(cell.lifetime.expiresAt),
        });
      }
    }
    if (known.length > 0) {
      setField(lists, key, known);
    }
  }
  for (const [key, waiting] of store.hydrated?.lists ?? []) {
    const known = [...waiting.values()].flatMap(({ args, stored, meta }) =>
      args && isListing(stored) ? [{ args, listing: stored, expiresAt: meta.expiresAt }] : [],
    );
    setField(lists, key, known);
  }
  const rendered = exportRendered(store, names);
  return {
    version: 1,
    exportedAt: now,
    entities,
    lists,
    results: exportResults(store, names),
    ...(rendered.length > 0 && { rendered }),
  };
}

function exportResults(store: Store, names: ReadonlyMap<string, string>): ResultState[] {
  const results: ResultState[] = [];
  for (const result of resultsIn(store)) {
    const { key, shape, status, value, fetchedAt, expiresAt, leftOut } = result;
    const json = status === 'value' ? toJson(value, names) : NOT_JSON;
    if (json !== NOT_JSON) {
      const schema = signatureOf(shape);
      results.push({
        key,
        schema,
        value: json,
        fetchedAt,
        expiresAt: finite(expiresAt),
        ...(leftOut.length > 0 && { leftOut }),
      });
    }
  }
  for (const answers of store.hydrated?.answers.values() ?? []) {
    for (const { isWaiting, invalidatedIn, ...answer } of answers) {
      if (isWaiting && invalidatedIn === 0) {
        results.push(answer);
      }
    }
  }
  return results;
}

/** What never expires does so as late as a number can say in JSON, which has no infinity. */
function finite(expiresAt: number): number {
  return Math.min(expiresAt, Number.MAX_SAFE_INTEGER);
}

/** The temporary keys of rows that the server has named since, with their real ones. */
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

/** The cells of a table, each once. */
function* ownCells(cells: ReadonlyMap<string, Cell>): IterableIterator<Cell> {
  for (const [key, cell] of cells) {
    if (key === cell.pk) {
      yield cell;
    }
  }
}
