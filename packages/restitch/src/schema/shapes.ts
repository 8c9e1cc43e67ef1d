import type { Collection } from './Collection.js';
import type { CollectionEdit } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import type { CustomReading } from './readCustom.js';
import type { EntityClass } from './Schema.js';
import type { Union } from './Union.js';
import type { Unknown, UnionMember } from './unionMembers.js';

/**
 * A schema as the store walks it: compiled once per schema object, so that reading and writing never ask what a schema is.
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
  | LazyShape
  | SelectionShape;

/** Plain JSON that passes through. */
export interface LeafShape {
  readonly kind: 'leaf';
}

/** A raw value that is turned into something else when it is read. */
export interface DeserializeShape {
  readonly kind: 'deserialize';
  readonly read: (raw: unknown) => unknown;
}

/** A record. Its fields are compiled at first use, so that classes may refer to one another in a circle. */
export interface EntityShape {
  readonly kind: 'entity';
  readonly entity: EntityClass;
  /** Identifies the table of its rows: the class's own or inherited `key`, else the class itself. */
  readonly table: string;
  /** The class in messages. */
  readonly name: string;
  /** Fields that hold other records or lists, which the store replaces by their keys. */
  readonly relations: ReadonlyMap<string, Shape>;
  /** The same as pairs: walked without making any. */
  readonly related: readonly (readonly [field: string, part: Shape])[];
  /** Fields whose stored raw value is deserialized on read. */
  readonly readers: ReadonlyMap<string, Shape>;
  /** Names that a new instance does not take by assignment: those of accessors, and of what cannot be written. */
  readonly guarded: (instance: object) => readonly string[];
  /** What fields read as that a record lacks. */
  readonly defaults: () => Readonly<Record<string, unknown>>;
  /** Whether a field is a relation to a record that has to be there: its default is truthy. */
  readonly requires: (field: string) => boolean;
  /** What several of its rows are read through. */
  readonly selection: SelectionShape;
  /** Which static and instance members the class overrides: the defaults are then skipped. */
  readonly custom: {
    readonly pk: boolean;
    readonly process: boolean;
    readonly validate: boolean;
    /** How records are joined: such patches are never joined with one another. */
    readonly merge: boolean;
    /** Also by when they were fetched. */
    readonly order: boolean;
    /** How instances are made. */
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
  /** Whether nothing else is in it than one field. */
  readonly isSingle: boolean;
  /** What is no schema: it stands for the value of a response that is not there. */
  readonly plain: ReadonlyMap<string, unknown>;
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly member: EntityShape | UnionShape;
  /** Its members stand under keys. */
  readonly isMap: boolean;
  /** Names all lists of these members: lists of one table share arguments, so the same arguments mean the same list. */
  readonly key: string;
  /** Finds the key again, unless the list has become one of several. */
  readonly settle: () => string;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly union: Union;
  /** Its classes; of a value, which `isWhole` or may be no more than a key, those that are possible. */
  readonly entities: (value?: object, isWhole?: boolean) => IterableIterator<Member>;
  /** What a value in a response is. */
  readonly chosen: (
    value: object,
    parent: unknown,
    key: string | undefined,
  ) => UnionMember | Unknown;
  /** What a stored value is. */
  readonly classOf: (value: object) => EntityClass | undefined;
  /** The class to which discriminators lead, if they still do. */
  readonly classAt: (path: readonly string[]) => EntityClass | undefined;
  /** Of the members whose records have one table, the one that a record is. */
  readonly memberFor: (
    members: readonly Member[],
    table: string,
    fields: object,
  ) => Member | undefined;
  /** The rows of all its classes, given those of one class after the other; undefined where nothing is known of any. */
  readonly rowsIn: (take: () => unknown) => readonly unknown[] | undefined;
}

/** A class that a record may be of, with the discriminators that lead to it where it is in a union. */
export interface Member {
  readonly entity: EntityShape;
  readonly path: readonly string[];
}

export interface ValuesShape {
  readonly kind: 'values';
  readonly member: Shape;
}

export interface AllShape {
  readonly kind: 'all';
  readonly member: EntityShape | UnionShape;
}

/** Stored as another schema's value, read as what the user's own code makes of that. */
export interface CustomShape {
  readonly kind: 'custom';
  readonly member: Shape;
  readonly schema: CustomSchema & CustomReading;
}

/** Records that are stored and stay keys. */
export interface LazyShape {
  readonly kind: 'lazy';
  readonly member: Shape;
}

/** Rows of one class that are read together. No schema: what `All` and indexes are read through. */
export interface SelectionShape {
  readonly kind: 'selection';
  readonly member: EntityShape;
}

export interface EditShape {
  readonly kind: 'edit';
  readonly list: CollectionShape;
  readonly edit: CollectionEdit;
}

export interface InvalidateShape {
  readonly kind: 'invalidate';
  readonly member: EntityShape | UnionShape;
}
