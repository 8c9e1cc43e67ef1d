import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import type { ListArgs } from '../schema/Collection.js';
import { setField } from '../schema/fields.js';
import { signatureOf } from '../schema/signature.js';
import { type Declarations, declarationsOf } from './declarations.js';
import { isFields, showConfirmed } from './fold.js';
import { type Encoding, fieldsToJson, isWhole, NOT_JSON, toJson } from './json.js';
import { isListing } from './listing.js';
import { exportRendered } from './rendered.js';
import { type Lifetime, resultsIn, resultsOf } from './results.js';
import type { Shape } from '../schema/shape.js';
import type { Waiting } from './hydrated.js';
import { type Naming, refuseUnnamed } from './leaving.js';
import type { Fields, Listing, ListTable, Result, RowTable, Store } from './state.js';

/** Changes when the format does. */
export const STATE_VERSION = 2;

/** One record of a `StoreState`. */
export interface RowState {
  readonly pk: string;
  /** The fields as they are stored: raw values, and other records as their primary keys. */
  readonly fields: Fields;
  /** Milliseconds since 1970 until which the last answer that held it counts as fresh. */
  readonly expiresAt: number;
  /** What its fields hold, by the classes that it was read as: another one does not get what it declares otherwise. */
  readonly declared?: Declarations | undefined;
  /** It lacks values that JSON cannot carry: results that lead to it are fetched again. */
  readonly isIncomplete?: boolean | undefined;
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
  /** State of another version is not taken. */
  readonly version: 2;
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

/**
 * Exports what is confirmed. Its values are those of the store, not copies: they must not be changed.
 *
 * @throws RestitchError where something in it has no name in another program, unless `named` finds one.
 */
export function exportState(store: Store, now: number, named: Naming = refuseUnnamed): StoreState {
  const encoding: Encoding = { named, names: temporaryNames(store) };
  const rendered = exportRendered(store, encoding);
  return {
    version: STATE_VERSION,
    exportedAt: now,
    entities: exportTables(store, 'rows', rowState, encoding),
    // Before lists: an endpoint without a name has lists without one.
    results: exportResults(store, encoding),
    lists: exportTables(store, 'lists', listState, encoding),
    ...(rendered.length > 0 && { rendered }),
  };
}

/** A row or list to be exported, known or waiting. */
interface Part extends Pick<Waiting, 'stored' | 'declared' | 'isIncomplete'> {
  readonly meta: Lifetime;
  readonly args?: ListArgs | undefined;
}

/** The states of rows or lists by table, without those of which nothing is confirmed. */
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
  for (const [key, parts] of store.hydrated?.[kind] ?? []) {
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
    const stored = showConfirmed(store, cell);
    // Under its temporary key a row is only an alias.
    if (stored && key === cell.pk) {
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
  const json = isListing(stored) ? toJson(stored, encoding) : NOT_JSON;
  // The cast: what is made of a listing has the same members.
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
  for (const answers of store.hydrated?.answers.values() ?? []) {
    for (const { isWaiting, invalidatedIn, ...answer } of answers) {
      if (isWaiting && invalidatedIn === 0) {
        add(answer);
      }
    }
  }
  return results;
}

/** Whether no other result would be the same one in another program: there functions do not tell endpoints apart. */
function isOnlyOne(store: Store, result: Result): boolean {
  const { key, shape } = result;
  const [first, ...others] = [...resultsOf(store, key)].filter(
    (other) => other.status === 'value' && signatureOf(other.shape) === signatureOf(shape),
  );
  if (isDevelopment && others.length > 0 && !told.has(first ?? result)) {
    told.add(first ?? result);
    const names = [first, ...others].map((one) => one?.endpoint.name).join(' and ');
    const message = isDevelopment
      ? `${names} make something else of ${key}: neither result is exported. Give one of them a \`key\`.`
      : names;
    store.report(new RestitchError('ambiguous-result', message));
  }
  return others.length === 0;
}

/** Results of which that was said. */
const told = new WeakSet<Result>();

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
