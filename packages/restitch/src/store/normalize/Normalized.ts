import type { ListArgs } from '../../schema/Collection.js';
import type { Normalizer } from '../../schema/KindMethods.js';
import type { EditShape, CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import type { Fields } from '../cells/Cell.js';
import type { Arrange } from '../journal/operations.js';

/** The normalized content of one response, before it is written to the store. */
export interface NormalizedResponse {
  /** The response with every record replaced by its key. */
  root: unknown;
  /** Rows in the order of the response. For a deleted row, `fields` is null. */
  readonly rows: {
    readonly shape: EntityShape;
    readonly pk: string;
    readonly fields: Fields | null;
    /** True for a record inside another record. */
    readonly isNested: boolean;
  }[];
  /** True if the class of a row has a custom merge, which can throw. */
  hasMerge: boolean;
  /**
   * True if a page has lost its place but is still the next page. The page is then fetched again.
   * Set when the page is placed.
   */
  isNext: boolean;
  /**
   * True if the response only changes rows and creates none. The changes also apply to a row that
   * an older response adds later. Nested records are stored in any case.
   */
  needsRows: boolean;
  readonly lists: NormalizedList[];
  readonly edits: NormalizedEdit[];
}

/** A row that joins or leaves lists. */
export interface NormalizedEdit {
  readonly shape: EditShape;
  readonly row: EntityShape;
  readonly pk: string;
  /** The reference to the row in lists; see `rowRef`. */
  readonly reference: string;
  readonly fields: Fields;
  /** The arguments of the call, which can contain values that the fields of the row lack. */
  readonly args: readonly unknown[];
  /** False for a move or a removal. */
  readonly isCreated: boolean;
  readonly temporary: boolean;
  /** In a map, the key of the member. */
  readonly key: string | undefined;
}

export function emptyResponse(): NormalizedResponse {
  return {
    root: undefined,
    rows: [],
    hasMerge: false,
    isNext: false,
    needsRows: false,
    lists: [],
    edits: [],
  };
}

export interface NormalizedList {
  readonly shape: CollectionShape;
  readonly args: ListArgs;
  readonly members: readonly unknown[];
  /**
   * True if each member is a record of this response. Optimization: if no row occurs twice, the
   * members need no search for repetitions.
   */
  readonly isOfRows: boolean;
  /** For a map, the key of each member. */
  readonly keys: readonly string[] | undefined;
  readonly isPage: boolean;
  /** The page fields: plain fields next to the list, if an object contains the list. */
  pageFields: Fields | undefined;
  /** The function that places the response in an infinite or windowed list. */
  arrange: Arrange | undefined;
}

/** The origin of a response, and how it is normalized. */
export interface NormalizeOptions {
  /** The name of the endpoint or call in error messages. */
  readonly source: string;
  readonly args: readonly unknown[];
  /**
   * Returns a temporary primary key for a created row without one. If `isNumber` is true, the key
   * is the text of a number. Without this function, such a row is an error.
   */
  readonly temporaryPk?: (position: number, isNumber: boolean) => string;
  /**
   * Returns the instances of a row that readers have received. In a written value, such an instance
   * is a reference to the row.
   */
  readonly instancesOf?: (shape: EntityShape, pk: string) => Iterable<object>;
  /**
   * Returns true if a class of the record's table deserializes fields. Only then can a written
   * record contain deserialized values.
   */
  readonly deserializes?: (shape: EntityShape) => boolean;
  /** True if an array of records is a valid response only to a body that is an array. */
  readonly isOnePerBody?: boolean | undefined;
  /** True if other code owns the value. Nested plain values are then copied. */
  readonly copy: boolean;
}

export interface Context extends Normalizer {
  readonly options: NormalizeOptions;
  readonly out: NormalizedResponse;
  /** Visits of relations that run later, because deeper recursion would overflow the call stack. */
  readonly deferred: (() => void)[];
  depth: number;
  /** The temporary key of the last created row. */
  temporary: string | undefined;
  /** The list in the last visited object, and the number of objects between the two. */
  inner: { readonly list: NormalizedList; readonly level: number } | undefined;
  /** True while the relations of a record are visited. */
  isNested: boolean;
  /**
   * In a copied value, the primary keys of visited nested records that have relations, so that an
   * object in a cycle is visited once.
   */
  readonly seen: Map<object, string>;
  /**
   * The last copy of each nested record without relations, by the key of its class. Optimization:
   * the records of a long response often repeat the same few related records.
   */
  readonly met: Map<string, Map<string, Met>>;
  readonly visit: Visit;
}

/**
 * The fields of a record in a response. The next copy of the record is compared with them in order.
 */
export interface Met {
  /** All references to the record share this text. */
  readonly pk: string;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

/** Normalizes one value. `parent` is the object that contains it, under `key`. */
export type Visit = (
  context: Context,
  shape: Shape,
  input: unknown,
  parent: unknown,
  key: string | undefined,
  owner: Owner | undefined,
) => unknown;

/** The row that is being visited. Nested lists belong to it. */
export interface Owner {
  readonly shape: EntityShape;
  readonly pk: string;
  readonly record: Record<string, unknown>;
  readonly field: string;
  /** The number of lists in that field, by name. Undefined before the first list. */
  lists: Map<string | undefined, number> | undefined;
}
