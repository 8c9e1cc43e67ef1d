import type { ListArgs } from '../../schema/Collection.js';
import type { EditShape, CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import type { Fields } from '../cells/Cell.js';

/** What one answer says, taken apart: nothing of it is in the store yet. */
export interface NormalizedResponse {
  /** The answer with every record replaced by its key. */
  root: unknown;
  /** Rows in the order of the answer; `fields` is null where it says that the row is deleted. */
  readonly rows: {
    readonly shape: EntityShape;
    readonly pk: string;
    readonly fields: Fields | null;
  }[];
  /** Whether a class of theirs merges its own way, and may throw. */
  hasMerge: boolean;
  /** It was a page whose place is gone, and is still the next one: to be asked for again. Set when it is placed. */
  isNext: boolean;
  /** Whole lists, and further pages of lists. */
  readonly lists: NormalizedList[];
  /** Rows that enter or leave lists. */
  readonly edits: {
    readonly shape: EditShape;
    readonly row: EntityShape;
    readonly pk: string;
    /** How the row stands in lists: its primary key, or in a union with its discriminator. */
    readonly reference: string;
    readonly fields: Fields;
    /** The arguments of the call, which may say more about the row than its fields. */
    readonly args: readonly unknown[];
    readonly temporary: boolean;
    /** In a map, the key that it takes. */
    readonly key: string | undefined;
  }[];
}

/** An answer that says nothing, to be filled. */
export function emptyResponse(): NormalizedResponse {
  return { root: undefined, rows: [], hasMerge: false, isNext: false, lists: [], edits: [] };
}

/** A list of an answer. */
export interface NormalizedList {
  readonly shape: CollectionShape;
  readonly args: ListArgs;
  readonly members: readonly unknown[];
  /** Whether each member is a record of this answer: none is there twice then, unless one of its rows is. */
  readonly isOfRows: boolean;
  /** Of a map, the key of each member. */
  readonly keys: readonly string[] | undefined;
  readonly isPage: boolean;
  /** The plain fields beside it, where it stands in an object. */
  beside: Fields | undefined;
}

/** Where an answer comes from and how it may be treated. */
export interface NormalizeOptions {
  /** Names the endpoint or call in error messages. */
  readonly source: string;
  readonly args: readonly unknown[];
  /** Gives a primary key to a created row that has none yet, as the text of a number or not; without it such a row is an error. */
  readonly temporaryPk?: (position: number, isNumber: boolean) => string;
  /** The instances that the store shows of a row: handed back inside a value, they are references. */
  readonly shown?: (shape: EntityShape, pk: string) => Iterable<object>;
  /** The value belongs to somebody else: nested plain values are copied. */
  readonly copy: boolean;
}

export interface Context {
  readonly options: NormalizeOptions;
  readonly out: NormalizedResponse;
  /** Rows whose relations still have to be visited: what lies deeper than the call stack should go. */
  readonly deferred: (() => void)[];
  depth: number;
  /** The last temporary key that was given to a row. */
  temporary: string | undefined;
  /** The list in the object that was visited last, and how many objects further up that one stands. */
  inner: { readonly list: NormalizedList; readonly level: number } | undefined;
  /** The walk is inside a record. */
  isNested: boolean;
  /**
   * Of a copied value, the keys of the records visited so far that lie in others and hold others: one object may lie in many
   * places, or in a circle.
   */
  readonly seen: Map<object, string>;
  /**
   * By the key of their class, the records without relations that lie in others, each as it was met last: most records of a
   * long answer refer to a few others, and say the same of them.
   */
  readonly met: Map<string, Map<string, Met>>;
  /** The walk over any shape, for what rows contain. */
  readonly visit: Visit;
}

/** What an answer says of a record: arrays, since another one is compared with it field by field, in order. */
export interface Met {
  /** Whoever refers to it holds this very text. */
  readonly pk: string;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

/** Normalizes one value; `parent` and `key` say where it was found. */
export type Visit = (
  context: Context,
  shape: Shape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
) => unknown;

/** The row in which the walk is: nested lists belong to it. */
export interface Owner {
  readonly shape: EntityShape;
  readonly pk: string;
  /** What the answer says of it. */
  readonly record: Record<string, unknown>;
  /** The field in which the walk is. */
  readonly field: string;
  /** How many lists of each name were met in that field; undefined before the first. */
  lists: Map<string | undefined, number> | undefined;
}
