import type { SchemaError, SchemaErrorCode } from '../errors/SchemaError.js';
import type { EntityShape, Shape } from './shapes.js';

/**
 * The work of a kind of schema that only some programs import: its class brings these methods
 * along. The kinds that `resource()` needs have their work in the store.
 *
 * ```
 *   response ──normalize──▶ stored value ──walk──▶ references in it
 *   arguments ──queryKey──▶ stored value ──denormalize──▶ value for readers
 * ```
 */
export interface KindMethods {
  /** Replaces the records in a part of a response by their keys. Never called with null. */
  normalize(
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown;
  /** Passes the references in a stored value to a sink. Never called with null. */
  walk(value: unknown, sink: References): void;
  /** Returns the value for readers of a stored value. Never called with null. */
  denormalize(value: unknown, reader: Reader, was: Previous): unknown;
  /** Returns the stored value that arguments name; `query` does so for another shape. */
  queryKey(
    args: readonly unknown[],
    query: (shape: Shape, args: readonly unknown[]) => unknown,
  ): unknown;
}

/** Normalizes the parts of a kind. The store implements it. */
export interface Normalizer {
  readonly options: { readonly source: string; readonly args: readonly unknown[] };
  /** Normalizes a part; `parent` and `key` are its place, `owner` is the row that it belongs to. */
  visit(
    self: Normalizer,
    shape: Shape,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown;
  /** Normalizes a record. Returns its primary key. */
  row(
    self: Normalizer,
    shape: EntityShape,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    created: boolean,
  ): unknown;
  /** Runs a user callback. What it throws is the cause of an error that names the place. */
  guarded<T>(
    self: Normalizer,
    code: SchemaErrorCode,
    what: string,
    value: unknown,
    run: () => T,
  ): T;
  /** Returns the error for a response that does not match its schema. */
  wrongShape(
    self: Normalizer,
    expected: string,
    input: unknown,
    key: string | undefined,
    member?: Shape,
  ): SchemaError;
}

/** Receives the references in a stored value, in order. A reader returns what they refer to. */
export interface References {
  row(shape: EntityShape, pk: string): unknown;
  /** Continues with a part of the value. */
  value(shape: Shape, value: unknown): unknown;
  /** True to receive also the records of lazy relations, of which readers see only keys. */
  readonly followsLazy?: true;
}

/** The previous value at the same place, and its source: the same source gives the same value. */
export interface Previous {
  readonly value: unknown;
  readonly source: unknown;
}

/** Denormalizes the parts of a kind. The store implements it. */
export interface Reader {
  /** The arguments of the call. Records and lists have none, because all readers share them. */
  readonly args?: readonly unknown[] | undefined;
  /** Returns the value of a part. */
  read(shape: Shape, value: unknown, was: Previous): unknown;
  /** Returns the previous value if it has equal content, otherwise the new one. */
  keep(before: unknown, next: object): unknown;
  /** Returns the previous value of one field. */
  before(was: Previous, field: string): Previous;
}
