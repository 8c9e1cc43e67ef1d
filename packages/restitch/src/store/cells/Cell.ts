import type { ListArgs } from '../../schema/Collection.js';
import type { CollectionShape } from '../../schema/shapes.js';
import type { Stack } from '../journal/Transaction.js';
import type { Links } from '../views/Node.js';
import type { Lifetime } from './results.js';
import type { ListTable, RowTable, SelectionTable } from './Store.js';

/**
 * The stored fields of a row as plain JSON. A related row is stored as its primary key. Stored
 * fields are never modified.
 */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The stored members of a list. A list is never modified in place. In this example, the first page
 * is `[a b c]` and a further page is `[d e]`. The row `x` was created at the end:
 *
 * ```
 *   members   a  b  c  d  e  x
 *             ───────             head = 3     the first page
 *             ─────────────       tail = 5     all pages; end = e
 * ```
 */
export interface Listing {
  /** Primary keys without repetitions. */
  readonly members: readonly unknown[];
  /** The key of each member, if the list is a map. */
  readonly keys: readonly string[] | undefined;
  /** The number of members in the first page. */
  readonly head: number;
  /** The number of members in all pages. */
  readonly tail: number;
  /**
   * The last member of the last page, even if it was deleted later. A cursor in the page fields
   * continues after this member.
   */
  readonly end: unknown;
  /** True if further pages were appended. */
  readonly isPaged: boolean;
  /** Members that were inserted among the pages, such as a row that was created at the start. */
  readonly added: readonly unknown[] | undefined;
  /**
   * The members of the further pages in order; in a map, their keys. Set only while the first page
   * repeats a member, which returns to its page when it leaves the first page.
   */
  readonly pages: readonly unknown[] | undefined;
  /** The plain fields next to the list, such as a cursor: see `lists/fieldsByPlace.ts`. */
  readonly pageFields: Fields | undefined;
  /** The pages of an infinite list; undefined for any other list. */
  readonly marks: readonly PageMark[] | undefined;
}

/** A page of an infinite list, which ends before the index `end`. */
export interface PageMark {
  readonly end: number;
}

/** Null for a deleted row, undefined for an unknown row or list. */
export type Stored = Fields | Listing | null | undefined;

export interface Cell {
  readonly table: RowTable | ListTable | SelectionTable;
  /** The primary key of a row, or the arguments of a list as text. */
  pk: string;
  /** The value for readers: the same object until the content changes. */
  current: Stored;
  stack: Stack | undefined;
  /** The objects for readers, in one node for each class. */
  nodes: Links;
  lifetime: Lifetime;
  usedIn: number;
  /** Optimization: only lists have this slot, because there are many rows. */
  list?: ListOrigin;
}

export interface ListOrigin {
  readonly args: ListArgs;
  readonly shape: CollectionShape;
}
