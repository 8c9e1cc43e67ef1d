import type { SchemaError, SchemaErrorCode } from '../errors/SchemaError.js';
import type { EntityShape, Shape } from './shapes.js';

/**
 * The methods of an optional kind of schema, such as `Values`. A program that does not import the
 * kind does not download its methods. `normalize`, `walk` and `denormalize` never receive null.
 *
 * ```
 *   response ──normalize──▶ stored value ──walk──▶ references in it
 *   arguments ──queryKey──▶ stored value ──denormalize──▶ value for readers
 * ```
 */
export interface KindMethods {
  /** Collects the records in a part of a response and replaces them by keys. */
  normalize(
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown;
  walk(value: unknown, sink: References): void;
  denormalize(value: unknown, reader: Reader, was: Previous): unknown;
  /** Returns the stored value for the arguments of a query. `query` is for inner schemas. */
  queryKey(
    args: readonly unknown[],
    query: (shape: Shape, args: readonly unknown[]) => unknown,
  ): unknown;
}

export interface Normalizer {
  readonly options: { readonly source: string; readonly args: readonly unknown[] };
  /** `parent` and `key` are the place of `input`. `owner` is the row that contains `input`. */
  visit(
    self: Normalizer,
    shape: Shape,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): unknown;
  row(
    self: Normalizer,
    shape: EntityShape,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    created: boolean,
  ): unknown;
  /** Runs a callback of the user. An exception becomes a `SchemaError` that names the callback. */
  guarded<T>(
    self: Normalizer,
    code: SchemaErrorCode,
    what: string,
    value: unknown,
    run: () => T,
  ): T;
  wrongShape(
    self: Normalizer,
    expected: string,
    input: unknown,
    key: string | undefined,
    member?: Shape,
  ): SchemaError;
}

/** One implementation collects the references. Another returns the value for readers. */
export interface References {
  row(shape: EntityShape, pk: string): unknown;
  value(shape: Shape, value: unknown): unknown;
  /** True if this object also receives the references in lazy relations. */
  readonly followsLazy?: true;
}

/** `value` was built from the stored value `source`. Unchanged parts of `value` are used again. */
export interface Previous {
  readonly value: unknown;
  readonly source: unknown;
}

export interface Reader {
  /** The arguments of the call. Undefined inside records and lists, which all readers share. */
  readonly args?: readonly unknown[] | undefined;
  value(shape: Shape, value: unknown, was?: Previous): unknown;
  /** Returns the previous value if it has equal content. */
  keep(before: unknown, next: object): unknown;
  before(was: Previous, field: string): Previous;
}
