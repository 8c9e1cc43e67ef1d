import type { SchemaError, SchemaErrorCode } from '../errors/SchemaError.js';
import type { EntityShape, Shape } from './shapes.js';

/**
 * The methods of a schema kind that only some programs import. The module of the kind contains
 * them, so other programs do not download them. The store itself handles the kinds that
 * `resource()` needs.
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
  /** Returns the value that readers of a stored value receive. Never called with null. */
  denormalize(value: unknown, reader: Reader, was: Previous): unknown;
  /** Returns the stored value that arguments name; `query` does the same for another shape. */
  queryKey(
    args: readonly unknown[],
    query: (shape: Shape, args: readonly unknown[]) => unknown,
  ): unknown;
}

/** Normalizes the parts of a response. The store implements it for `KindMethods.normalize`. */
export interface Normalizer {
  readonly options: { readonly source: string; readonly args: readonly unknown[] };
  /** Normalizes a part. `parent` and `key` are its place; `owner` is the row that contains it. */
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
  /** Runs a user callback. A thrown value becomes the cause of an error that names the place. */
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

/**
 * Receives the references in a stored value, in order. A sink of a reader returns the value of each
 * reference.
 */
export interface References {
  row(shape: EntityShape, pk: string): unknown;
  /** Continues with a part of the value. */
  value(shape: Shape, value: unknown): unknown;
  /** True if the sink also receives the records of lazy relations. Readers see only their keys. */
  readonly followsLazy?: true;
}

/**
 * The previous value at the same place, and its source. An unchanged source gives an unchanged
 * value.
 */
export interface Previous {
  readonly value: unknown;
  readonly source: unknown;
}

/** Denormalizes the parts of a value. The store implements it for `KindMethods.denormalize`. */
export interface Reader {
  /** The arguments of the call. Undefined inside records and lists, which all readers share. */
  readonly args?: readonly unknown[] | undefined;
  /** Returns the value of a part. */
  value(shape: Shape, value: unknown, was?: Previous): unknown;
  /** Returns the previous value if it has equal content, otherwise the new one. */
  keep(before: unknown, next: object): unknown;
  /** Returns the previous value of one field, with its source. */
  before(was: Previous, field: string): Previous;
}
