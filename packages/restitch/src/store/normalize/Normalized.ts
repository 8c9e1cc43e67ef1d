import type { ListArgs } from '../../schema/Collection.js';
import type { Normalizer } from '../../schema/KindMethods.js';
import type { EditShape, CollectionShape, EntityShape, Shape } from '../../schema/shapes.js';
import type { Fields, Stored } from '../cells/Cell.js';
import type { Arrange } from '../journal/operations.js';
import type { Transaction } from '../journal/Transaction.js';

export interface NormalizedResponse {
  root?: unknown;
  /** Rows in the order of the response. For a deleted row, `fields` is null. */
  readonly rows: NormalizedRow[];
  /** True if the class of a row has a custom merge, which can throw. */
  hasMerge: boolean;
  /** True if a page of `getPage` lost its `Place` but is still next: the page is fetched again. */
  isNext: boolean;
  /** True for an empty response: the fields come from the request and only change stored rows. */
  needsRows: boolean;
  /**
   * True if an edit has a value without a class, or a prediction a nested record without a key or
   * a changed list.
   */
  isIncomplete: boolean;
  readonly lists: NormalizedList[];
  readonly edits: NormalizedEdit[];
}

export interface NormalizedRow {
  readonly shape: EntityShape;
  readonly pk: string;
  fields: Fields | null;
  readonly isNested: boolean;
  /**
   * True if the row must be fetched: a sent value or the members of a list are unknown, or the key of
   * a deleted record can also name this row.
   */
  isUnsure?: boolean;
  /** True if the class decided that the stored record is newer. Set when the row is stored. */
  isOlder?: boolean | undefined;
  /** The responses that the class considers older, although they may have started later. */
  older?: Set<Transaction>;
}

export interface NormalizedEdit {
  readonly shape: EditShape;
  readonly row: EntityShape;
  readonly pk: string;
  readonly reference: string;
  readonly fields: Fields;
  /** The arguments of the call can contain values that the row lacks. */
  readonly args: readonly unknown[];
  /** False for a move or a removal. */
  readonly isCreated: boolean;
  readonly temporary: boolean;
  readonly key: string | undefined;
  /** The list and the field of the response. */
  readonly group: string;
  /**
   * The place in the response. A response has the real key where the prediction has a temporary key.
   * The number of records in the group is a part of it: if the server created more or fewer records
   * than predicted, no record can be matched. An item of a map is matched by its key instead.
   */
  responsePlace: string;
}

export function emptyResponse(): NormalizedResponse {
  return {
    rows: [],
    hasMerge: false,
    isNext: false,
    needsRows: false,
    isIncomplete: false,
    lists: [],
    edits: [],
  };
}

export interface NormalizedList {
  readonly shape: CollectionShape;
  readonly args: ListArgs;
  readonly members: readonly unknown[];
  /** True if each member is a record of this response, so that duplicates can be ruled out. */
  readonly isOfRows: boolean;
  readonly keys: readonly string[] | undefined;
  readonly isPage: boolean;
  /** The record that contains the list. */
  readonly row?: NormalizedRow | undefined;
  pageFields?: Fields | undefined;
  isWrite?: boolean | undefined;
  arrange?: Arrange | undefined;
}

export interface NormalizeOptions {
  readonly source: string;
  readonly args: readonly unknown[];
  /** For a created row without a key. Without this function, such a row is an error. */
  readonly temporaryPk?: (place: string, isNumber: boolean) => string;
  /** Returns the instances of a row. In a written value, an instance is a reference to its row. */
  readonly instancesOf?: (shape: EntityShape, pk: string) => Iterable<object>;
  /** Returns the instances of a row that an optimistic update has read. */
  readonly readOf?: ((shape: EntityShape, pk: string) => Iterable<object>) | undefined;
  /** Returns the known classes that have the same `key`, this class included. */
  readonly sharing?: (shape: EntityShape) => readonly EntityShape[];
  /** True if an array as the response is an error, unless the request body is an array. */
  readonly isOnePerBody?: boolean | undefined;
  /** Returns true for an outdated copy of a stored row: see `unchangedRecords.ts`. */
  readonly keeps?:
    | ((shape: EntityShape, pk: string, fields: object, record: object) => boolean)
    | undefined;
  /** True if all fields were sent: `validate` of a class sees them only with a stored row. */
  readonly isSent?: boolean;
  /** True if all fields were received: `validate` of a class sees them without the stored row. */
  readonly isReceived?: boolean;
  /** True if the program wrote or predicted the value. Its lists have no pages. */
  readonly isWrite?: boolean;
  /** Returns the stored fields of a row, to which the fields of a record are added. */
  readonly stored?: (shape: EntityShape, pk: string) => Stored;
  /** Values from the request body. A relation with such a value is left out if it is invalid. */
  readonly sent?: Set<unknown>;
  /** True if other code owns the value, so that nested values are copied. */
  readonly copy: boolean;
}

export interface Context extends Normalizer {
  readonly options: NormalizeOptions;
  readonly out: NormalizedResponse;
  /** Optimization: the same for all records of a class. */
  readonly sharedKeys: Map<EntityShape, SharedKey>;
  /** Relations that are visited later, so that recursion does not overflow the call stack. */
  readonly deferred: (() => void)[];
  depth: number;
  temporary?: string;
  /** The `responsePlace` of the edit that is visited, without the number of records. */
  responsePlace: string;
  /** The number of edits so far in each field of the response. */
  readonly editCounts: Map<string, number>;
  /**
   * The list in the last visited object, which gets the plain fields around it as page fields. In
   * `{ list }`, the level is 1; in `{ page: { list } }`, 2.
   */
  inner?: { readonly list: NormalizedList; readonly level: number } | undefined;
  isNested: boolean;
  /** The keys of visited nested records. They end the walk through a cycle of objects. */
  readonly seen: Map<object, string>;
  /** By table and key. Optimization: records often repeat the same related records. */
  readonly met: Map<string, Map<string, Met>>;
  readonly visit: Visit;
}

/** Declarations of the known classes that have the same `key`. */
export interface SharedKey {
  /**
   * The related fields of the class, then those that only another class declares. As raw data, they
   * would replace the lists and records that this class reads.
   */
  readonly related: EntityShape['related'];
  /** True if one of them deserializes fields. */
  readonly deserializes: boolean;
}

/** A record without relations, to compare with its next copy in the response. */
export interface Met {
  /** Optimization: all references to the record share this text. */
  readonly pk: string;
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

export type Visit = (
  context: Context,
  shape: Shape,
  input: unknown,
  parent?: unknown,
  key?: string,
  owner?: Owner,
) => unknown;

/** The row whose relations are visited. Nested lists belong to it. */
export interface Owner {
  readonly row: NormalizedRow;
  readonly record: Record<string, unknown>;
  readonly field: string;
  /** The number of lists by name. */
  lists?: Map<string, number>;
}
