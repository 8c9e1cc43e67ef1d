import type { ListArgs } from '../../schema/Collection.js';
import type { Fields, Listing } from './Cell.js';

/**
 * The declared content of fields other than plain values, as text. There are several texts if
 * classes with one key declare them differently.
 */
export type Declarations = Readonly<Record<string, readonly string[]>>;

/** One record of a `StoreState`. */
export interface RowState {
  readonly pk: string;
  /** The stored fields: raw values, and other records as their primary keys. */
  readonly fields: Fields;
  /**
   * The time until which the record is fresh, in milliseconds since 1970, from the last response
   * that contained it.
   */
  readonly expiresAt: number;
  /**
   * The declared content of its fields, by the classes that read the record. A class with other
   * declarations ignores the record.
   */
  readonly declared?: Declarations | undefined;
  /**
   * True if it lacks values that JSON cannot represent. Results that refer to it are fetched again.
   */
  readonly isIncomplete?: boolean | undefined;
}

/** One list of a `StoreState`. */
export interface ListState {
  /** The arguments that identify the list. */
  readonly args: ListArgs;
  /** Its members as primary keys, and the extent of its pages. */
  readonly listing: Listing;
  /**
   * The time until which the list is fresh, in milliseconds since 1970, from the last response that
   * contained it.
   */
  readonly expiresAt: number;
}

/** The stored response of one endpoint to one set of arguments, in a `StoreState`. */
export interface ResultState {
  /** The endpoint's `key(...args)`. */
  readonly key: string;
  /**
   * The signature of the schema that normalized the response. An endpoint with another schema
   * ignores the response.
   */
  readonly schema: string;
  /** The response, with primary keys in place of records. */
  readonly value: unknown;
  /** The time of the response in milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

/**
 * In a `StoreState`, the data that a page was rendered from for one result, if the store has
 * changed since.
 */
export interface RenderedState {
  /** The cache key and schema of the result. */
  readonly of: string;
  /** The previous values of its records and lists, by name. */
  readonly cells: readonly (readonly unknown[])[];
}

/**
 * The content of a store as plain JSON data. `getState(controller)` returns it, and
 * `hydrate(controller, state)` loads it. It holds only confirmed data: no optimistic updates and no
 * errors.
 */
export interface StoreState {
  /** The version of the format. State of another version is ignored. */
  readonly version: 2;
  /** The time of the export in milliseconds since 1970, by the clock of the exporting program. */
  readonly exportedAt: number;
  /** Records by the `key` of their entity class, in the order in which they were added. */
  readonly entities: Readonly<Record<string, readonly RowState[]>>;
  /** Lists by the kind of their members. */
  readonly lists: Readonly<Record<string, readonly ListState[]>>;
  readonly results: readonly ResultState[];
  /** In server rendering: data that parts of the page were rendered from and that changed since. */
  readonly rendered?: readonly RenderedState[];
}
