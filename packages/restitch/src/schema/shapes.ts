import type { Collection } from './Collection.js';
import type { CollectionEdit } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import type { KindMethods, Normalizer } from './KindMethods.js';
import type { CustomReading } from './readCustom.js';
import type { EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** Optimization: each schema is compiled once, so that reads and writes do not inspect it. */
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

export interface DeserializeShape {
  readonly kind: 'deserialize';
  readonly read: (raw: unknown) => unknown;
}

/** A class is compiled at its first use, so that classes can refer to one another. */
export interface EntityShape {
  readonly kind: 'entity';
  readonly entity: EntityClass;
  /** The `key` of the class, or a text that identifies the class. */
  readonly table: string;
  readonly name: string;
  /** Fields with records or lists. The store replaces their values by keys. */
  readonly relations: ReadonlyMap<string, Shape>;
  /** Optimization: the same fields as pairs, so that iteration allocates none. */
  readonly related: readonly (readonly [field: string, part: Shape])[];
  readonly readers: ReadonlyMap<string, Shape>;
  readonly guarded: (instance: object) => readonly string[];
  readonly defaults: () => Readonly<Record<string, unknown>>;
  readonly custom: {
    readonly pk: boolean;
    readonly process: boolean;
    readonly validate: boolean;
    /** A custom `merge` might not be associative, so patches of the record are not joined. */
    readonly merge: boolean;
    /** True if the class overrides a method that receives times, such as `shouldUpdate`. */
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
  /** Values that are not schemas, such as `''` in `{ user: User, cursor: '' }`. */
  readonly plain: ReadonlyMap<string, unknown>;
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly member: EntityShape | UnionShape;
  readonly map: ValuesShape | undefined;
  /** The key of the table. Lists with equal arguments in one table are the same list. */
  readonly key: string;
  /** Computes the key again. Throws if the collection has become ambiguous. */
  readonly settle: () => string;
}

/** The fields `telling` select the class `entity` in a union. */
export interface Selected {
  readonly entity?: EntityShape | undefined;
  readonly telling?: object | undefined;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly union: Union;
  /** Yields the classes that fit `value`. Without `args`, a key alone (`{ id: 5 }`) fits all. */
  readonly entities: (value?: object, args?: readonly unknown[]) => IterableIterator<Member>;
  /** `created` is true for a created record, which can lack a key. */
  readonly normalize: (
    context: Normalizer,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    created: boolean,
  ) => unknown;
  /**
   * Returns the row of a reference or of a whole record. Another class with the same `key` stores
   * whole records if the class declares no schema for the field.
   */
  readonly rowOf: (value: unknown, rows?: StoredRows) => Row | undefined;
  readonly queryKey: (args: readonly unknown[]) => unknown;
  /** Returns the class of a record. Several classes can share a table. */
  readonly memberFor: (
    members: readonly Member[],
    table: string,
    fields: object,
  ) => Member | undefined;
  /**
   * Receives the rows that a delete can mean, one for each class. The only stored row
   * is deleted. If several are stored, only the server knows which one the key names, so they stay
   * and are fetched again. Unknown rows can be in a response in flight. Returns true if rows stay.
   */
  readonly keepUnsure: (rows: readonly DeletedRow[], known: StoredRows) => boolean;
  /** The class, if only one fits `record`. With `isStored`, also the fields that select a class. */
  readonly selected: (record: object, isStored: boolean) => Selected;
  /** Returns undefined if no class has ever had rows. `take` returns the rows of one class. */
  readonly rowsIn: (take: (member: Member) => unknown) => readonly unknown[] | undefined;
}

export interface DeletedRow {
  readonly shape: EntityShape;
  readonly pk: string;
  fields: object | null;
  isUnsure?: boolean;
}

export interface StoredRows {
  /**
   * Returns the fields of a row, which select its class if several classes share a table. Without
   * this method, the class does not matter.
   */
  stored?(shape: EntityShape, pk: string): unknown;
}

/** The row of a stored value. A whole record can lack a key. */
export interface Row {
  readonly shape: EntityShape;
  readonly pk: string | undefined;
}

export interface Member {
  readonly entity: EntityShape;
  readonly path: readonly string[];
}

export interface ValuesShape extends KindMethods {
  readonly kind: 'values';
  readonly member: Shape;
  /** Returns the present members of a map and their keys. */
  readonly listed: (
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    owner: unknown,
  ) => MapContents;
  readonly mapped: (contents: MapContents) => Record<string, unknown>;
  /** A null value adds no member. */
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

export interface CustomShape extends KindMethods {
  readonly kind: 'custom';
  readonly member: Shape;
  readonly schema: CustomSchema & CustomReading;
  readonly isStored: (value: unknown) => boolean;
}

export interface LazyShape extends KindMethods {
  readonly kind: 'lazy';
  readonly member: Shape;
  readonly isStored: (value: unknown) => boolean;
}

export interface EditShape {
  readonly kind: 'edit';
  readonly list: CollectionShape;
  readonly member: EntityShape | UnionShape;
  readonly edit: CollectionEdit;
}

export interface InvalidateShape {
  readonly kind: 'invalidate';
  readonly member: EntityShape | UnionShape;
}
