import type { Collection } from './Collection.js';
import type { CollectionEdit } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import type { KindMethods, Normalizer } from './KindMethods.js';
import type { CustomReading } from './readCustom.js';
import type { EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/**
 * The compiled form of a schema. Each schema object is compiled once, so that reads and writes do
 * not inspect schemas.
 */
export type Shape =
  | LeafShape
  | DeserializeShape
  | EntityShape
  | ArrayShape
  | ObjectShape
  | CollectionShape
  | EditShape
  | InvalidateShape
  | UnionShape
  | ValuesShape
  | AllShape
  | CustomShape
  | LazyShape;

export interface LeafShape {
  readonly kind: 'leaf';
}

/** A raw value that is converted on read. */
export interface DeserializeShape {
  readonly kind: 'deserialize';
  readonly read: (raw: unknown) => unknown;
}

/**
 * A record. A class is compiled at its first use rather than at its declaration, so that classes
 * can refer to one another.
 */
export interface EntityShape {
  readonly kind: 'entity';
  readonly entity: EntityClass;
  /** The name of the table: the `key` of the class, or a text that identifies the class. */
  readonly table: string;
  readonly name: string;
  /** Fields that hold other records or lists. The store replaces their values by keys. */
  readonly relations: ReadonlyMap<string, Shape>;
  /** The same fields as pairs. Optimization: iterating them allocates no pairs. */
  readonly related: readonly (readonly [field: string, part: Shape])[];
  /** Fields whose stored raw value is converted on read. */
  readonly readers: ReadonlyMap<string, Shape>;
  /** Returns the names of the accessors and read-only properties of an instance. */
  readonly guarded: (instance: object) => readonly string[];
  readonly defaults: () => Readonly<Record<string, unknown>>;
  /** True if a field is a required relation: its default is truthy. */
  readonly requires: (field: string) => boolean;
  /**
   * The methods that the class overrides. Optimization: methods that it does not override are not
   * called.
   */
  readonly custom: {
    readonly pk: boolean;
    readonly process: boolean;
    readonly validate: boolean;
    /**
     * True if the class overrides merging. Two patches of such a record are never joined into one,
     * because a custom `merge` is possibly not associative.
     */
    readonly merge: boolean;
    /**
     * True if the class overrides a method that receives the times of requests, such as
     * `shouldUpdate`.
     */
    readonly order: boolean;
    readonly create: boolean;
  };
}

export interface ArrayShape {
  readonly kind: 'array';
  readonly member: Shape;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
  readonly isSingle: boolean;
  /**
   * Values that are not schemas, such as `''` in `{ user: User, cursor: '' }`. A query of the
   * schema returns them unchanged.
   */
  readonly plain: ReadonlyMap<string, unknown>;
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly member: EntityShape | UnionShape;
  /** The shape of the `Values`, if the collection is a map. */
  readonly map: ValuesShape | undefined;
  /**
   * The key of the table that contains these lists. In one table, lists with equal arguments are
   * the same list.
   */
  readonly key: string;
  /** Computes the key again. Throws if the collection has become ambiguous. */
  readonly settle: () => string;
}

/** The class of a record, and the fields that select it in a union. */
export interface Selected {
  readonly entity?: EntityShape | undefined;
  readonly telling?: object | undefined;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly union: Union;
  /**
   * Yields the classes of the union. If `value` is given, yields only the classes that it can
   * belong to. `args` are given if `value` is the response to a call with these arguments. Otherwise,
   * `value` may contain only the fields of a key.
   */
  readonly entities: (value?: object, args?: readonly unknown[]) => IterableIterator<Member>;
  /** See `KindMethods`. `created` is true for a created record, which can lack a key. */
  readonly normalize: (
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    created: boolean,
  ) => unknown;
  /**
   * Returns the row of a stored value. The value is a reference, or a whole record that was stored
   * by a class that does not declare the relation.
   */
  readonly rowOf: (value: unknown) => Row | undefined;
  readonly queryKey: (args: readonly unknown[]) => unknown;
  /** Returns the member that a record belongs to, among members that share a table. */
  readonly memberFor: (
    members: readonly Member[],
    table: string,
    fields: object,
  ) => Member | undefined;
  /**
   * Returns the class of a record, if its fields allow only one. With `isStored`, only the
   * discriminator fields of the record count, and they are returned as `telling`. If a function
   * selects the class, the fields that it reads are unknown, so `telling` lacks them.
   */
  readonly selected: (record: object, isStored?: boolean) => Selected;
  /**
   * Returns the rows of all classes, or undefined if no class has ever had rows. `take` returns the
   * rows of one class.
   */
  readonly rowsIn: (take: (member: Member) => unknown) => readonly unknown[] | undefined;
}

/** The row that a stored value refers to. A whole record can lack a key. */
export interface Row {
  readonly shape: EntityShape;
  readonly pk: string | undefined;
}

/** A possible class of a record, with the discriminators that select it in a union. */
export interface Member {
  readonly entity: EntityShape;
  readonly path: readonly string[];
}

export interface ValuesShape extends KindMethods {
  readonly kind: 'values';
  readonly member: Shape;
  /** Returns the present members of a map and their keys, as a list stores them. */
  readonly listed: (
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    owner: unknown,
  ) => MapContents;
  /** Returns the map with these keys and members. */
  readonly mapped: (contents: MapContents) => Record<string, unknown>;
  /** Normalizes the members of `assign`. A null value adds no member. */
  readonly assigned: (
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    edited: (value: unknown, field: string) => unknown,
  ) => Record<string, unknown>;
}

export interface MapContents {
  readonly members: readonly unknown[];
  readonly keys: readonly string[] | undefined;
}

export interface AllShape extends KindMethods {
  readonly kind: 'all';
  readonly member: EntityShape | UnionShape;
}

/** A value that is stored in the form of another schema. Custom code converts it on read. */
export interface CustomShape extends KindMethods {
  readonly kind: 'custom';
  readonly member: Shape;
  readonly schema: CustomSchema & CustomReading;
}

export interface LazyShape extends KindMethods {
  readonly kind: 'lazy';
  readonly member: Shape;
}

export interface EditShape {
  readonly kind: 'edit';
  readonly list: CollectionShape;
  /** The shape of a single record in the list. */
  readonly member: EntityShape | UnionShape;
  readonly edit: CollectionEdit;
}

export interface InvalidateShape {
  readonly kind: 'invalidate';
  readonly member: EntityShape | UnionShape;
}
