import type { ListArgs } from '../../schema/Collection.js';
import type { Fields, Listing } from './Cell.js';

/** What fields hold that are not plain values, as text; several texts where classes of one key declare them differently. */
export type Declarations = Readonly<Record<string, readonly string[]>>;

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
 * What a store holds, as plain data that JSON can carry: `getState(controller)` gives it, `hydrate(controller, state)` takes
 * it. Only confirmed data: nothing optimistic and no errors.
 */
export interface StoreState {
  /** State of another version is not taken. */
  readonly version: 2;
  /** Milliseconds since 1970, by the clock of the exporting program. */
  readonly exportedAt: number;
  /** Records by the `key` of their entity class, in the order in which they came. */
  readonly entities: Readonly<Record<string, readonly RowState[]>>;
  /** Lists by the kind of their members. */
  readonly lists: Readonly<Record<string, readonly ListState[]>>;
  readonly results: readonly ResultState[];
  /** On a server that sends a page: what parts of it were rendered from that changed since. */
  readonly rendered?: readonly RenderedState[];
}
