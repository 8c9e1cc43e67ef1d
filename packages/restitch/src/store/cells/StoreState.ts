import type { ListArgs } from '../../schema/Collection.js';
import type { Fields, Listing } from './Cell.js';

/**
 * By field, the schema of its records, list or deserialized value, as text. A field has several
 * texts if two classes with the same key declare it differently.
 */
export type Declarations = Readonly<Record<string, readonly string[]>>;

/** One record of a `StoreState`. */
export interface RowState {
  readonly pk: string;
  /** The stored fields: raw values, with other records as primary keys; null for a deleted record. */
  readonly fields: Fields | null;
  /** Milliseconds since 1970. The last response with this record is fresh until then. */
  readonly expiresAt: number;
  /**
   * The declarations of the classes that read the record. A class that declares a field differently
   * does not receive that field.
   */
  readonly declared?: Declarations | undefined;
  /**
   * The fields whose values are missing, for example because JSON cannot carry them. Results with
   * this record are fetched again, until a response contains these fields.
   */
  readonly lost?: readonly string[] | undefined;
  /** True if the record was deleted while lists of the state were not read: they may contain it. */
  readonly removed?: boolean | undefined;
}

/** One list of a `StoreState`. */
export interface ListState {
  /** The arguments that identify the list. */
  readonly args: ListArgs;
  /** The members as primary keys, and the extent of the pages. */
  readonly listing: Listing;
  /** Milliseconds since 1970. The last response with this list is fresh until then. */
  readonly expiresAt: number;
}

/** The stored result of one endpoint for one set of arguments, in a `StoreState`. */
export interface ResultState {
  /** The endpoint's `key(...args)`. */
  readonly key: string;
  /** The signature of the schema. Endpoints with other schemas do not receive the result. */
  readonly schema: string;
  /** The result, with primary keys in place of records. */
  readonly value: unknown;
  /** The time of the response, in milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

/**
 * The older data of one endpoint or schema in a `StoreState`. A part of the page was rendered from
 * this data, and the store has newer data.
 */
export interface RenderedState {
  /**
   * Begins with the cache key of the endpoint, or with the arguments with which the schema was
   * read. Ends with the signature of the schema.
   */
  readonly of: string;
  /**
   * The former records and lists as pairs of a name and a value. Without a value, the record or
   * list was unknown.
   */
  readonly cells: readonly (readonly unknown[])[];
}

/**
 * The confirmed content of a store as plain data for JSON: `getState(controller)` returns it, and
 * `hydrate(controller, state)` restores it. It contains no optimistic updates and no errors.
 */
export interface StoreState {
  /** State of another version is ignored. */
  readonly version: 2;
  /** Milliseconds since 1970, by the clock of the exporting program. */
  readonly exportedAt: number;
  /** Records by the `key` of their entity class, in the order in which they were added. */
  readonly entities: Readonly<Record<string, readonly RowState[]>>;
  /**
   * Lists by the text that identifies their collection: the entity classes, and the `name` of the
   * collection or the path of the endpoint.
   */
  readonly lists: Readonly<Record<string, readonly ListState[]>>;
  readonly results: readonly ResultState[];
  /** For a streamed page: old data that changed after a part of the page was rendered from it. */
  readonly rendered?: readonly RenderedState[];
}
