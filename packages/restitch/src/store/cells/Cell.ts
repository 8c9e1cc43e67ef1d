import type { ListArgs } from '../../schema/Collection.js';
import type { CollectionShape } from '../../schema/shapes.js';
import type { Stack } from '../journal/Transaction.js';
import type { Links } from '../views/Node.js';
import type { Lifetime } from './results.js';
import type { ListTable, RowTable, SelectionTable } from './Store.js';

/**
 * The stored fields of a row: plain JSON with relations as primary keys. Never modified once
 * stored.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The stored members of a list. Never modified once stored. */
export interface Listing {
  /** Primary keys, each of them once. */
  readonly members: readonly unknown[];
  /** In a map of records, the key of each member. */
  readonly keys: readonly string[] | undefined;
  /**
   * The number of members in the first page, which the last whole response determined. Pages and
   * created members follow.
   */
  readonly head: number;
  /**
   * The number of members in the first page and all further pages. Members that were added at the
   * end follow.
   */
  readonly tail: number;
  /**
   * The last member of the response that determined the end, even if it was deleted since. The page
   * fields refer to the position after it.
   */
  readonly end: unknown;
  /** True if pages were appended. */
  readonly isPaged: boolean;
  /** Members within the first page that its response did not contain. */
  readonly added: readonly unknown[] | undefined;
  /**
   * The members of the pages in order, or their keys in a map. Undefined unless the first page
   * contains some of them.
   */
  readonly pages: readonly unknown[] | undefined;
  /**
   * The page fields of the response that determined the end: plain fields next to the list, such as
   * a cursor.
   */
  readonly pageFields: Fields | undefined;
  /** The pages of an infinite list; undefined for any other list. */
  readonly marks: readonly PageMark[] | undefined;
}

/**
 * One page of an infinite list. Its members end at `end`; `pagination/` defines the other fields.
 */
export interface PageMark {
  readonly end: number;
}

/**
 * The value of a cell: the fields of a row or the members of a list. It is null for a deleted row,
 * and undefined for an unknown row or list.
 */
export type Stored = Fields | Listing | null | undefined;

/** One row or one list. */
export interface Cell {
  readonly table: RowTable | ListTable | SelectionTable;
  /** The primary key. For a list, its arguments in canonical form. */
  pk: string;
  /**
   * The current value: the base with all patches applied. It is the same object until the content
   * changes.
   */
  current: Stored;
  /**
   * The base, and the patches that a request in flight could still precede. Usually undefined: the
   * current value is then the base.
   */
  stack: Stack | undefined;
  /** The nodes that show this cell, one for each class that reads it. */
  nodes: Links;
  /** The lifetime of the last response that contained this cell. */
  lifetime: Lifetime;
  /** The last use, by a reader, a write or garbage collection: see `Store.uses`. */
  usedIn: number;
  /**
   * Undefined for rows. Optimization: rows do not have this slot, because there are many of them.
   */
  list?: ListOrigin;
}

/** The identity of a list. */
export interface ListOrigin {
  readonly args: ListArgs;
  /** The schema that created the list. Its filter decides which rows join. */
  readonly shape: CollectionShape;
}
