import type { CollectionMerge } from '../../schema/Collection.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Cell, Fields, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';

/** The change of a cell by a patch. The first three are for rows, the others for lists. */
export type Operation = (
  | MergeRow
  | UpdateRow
  | Remove
  | ReplaceMembers
  | AppendPage
  | EndPages
  | AddMember
  | AssignMember
  | RemoveMember
) & {
  /**
   * True if a callback of the class threw. The error was reported once, and the patch is skipped.
   */
  isBroken?: true;
  /** For a list edit: the row that enters or leaves the list. */
  row?: Cell | undefined;
  /** True for a temporary row that a folded response hides in the list; see `createdRows.ts`. */
  isHidden?: boolean;
  /**
   * True for a temporary row if a folded response was requested after the create. The response
   * replaces the row if the server does not name the row.
   */
  isReplaced?: boolean;
};

/** Merges fields over the row, or creates it. */
export interface MergeRow {
  readonly type: 'merge';
  readonly shape: EntityShape;
  readonly fields: Fields;
  /** True if the merge applies only to an existing row. */
  readonly needsRow?: boolean;
}

/**
 * Applies a function to the row's stored fields. The function can run again while an older request
 * is in flight.
 */
export interface UpdateRow {
  readonly type: 'update';
  readonly shape: EntityShape;
  readonly update: (fields: Fields | undefined) => Fields | undefined;
}

/** Deletes the row. Patches above it start without fields. */
export interface Remove {
  readonly type: 'delete';
}

/** A whole response: all members of the list, or its first page. */
export interface ReplaceMembers {
  readonly type: 'replace';
  readonly members: readonly unknown[];
  readonly keys: readonly string[] | undefined;
  readonly pageFields: Fields | undefined;
  readonly arrange?: Arrange | undefined;
  /** The result of `Arrange.overlaps`. */
  readonly isOverlapped?: boolean | undefined;
}

/**
 * Places a response in an infinite or windowed list, instead of the rules of `members.ts`. Must be
 * pure. Returns undefined for a page of an unknown list.
 */
export interface Arrange {
  (before: Listing | undefined, response: ReplaceMembers | AppendPage): Listing | undefined;
  /**
   * Called when the response arrives. Returns true if its request overlapped a mutation that moves
   * rows of the list. The response may or may not reflect that mutation.
   */
  overlaps?(store: Store, cell: Cell, transaction: Transaction): boolean;
}

/** Appends a further page to the end of a known list. */
export interface AppendPage {
  readonly type: 'page';
  /** The list at the time of the request; undefined if it was unknown. */
  readonly behind: Listing | undefined;
  /**
   * Returns the confirmed changes since the request. Leaves out members that patches above the page
   * add, and the changes of transactions that started at the tick `before` or later.
   */
  readonly meanwhile: (above?: ReadonlySet<unknown>, before?: number) => Meanwhile;
  readonly members: readonly unknown[];
  readonly keys: readonly string[] | undefined;
  readonly pageFields: Fields | undefined;
  readonly arrange?: Arrange | undefined;
  readonly isOverlapped?: boolean | undefined;
}

/** The members that confirmed mutations added or removed while a page was requested. */
export interface Meanwhile extends Pick<Listing, 'members' | 'keys'> {
  /** The page may still contain these members. It and later pages may lack `members`. */
  readonly removed: ReadonlySet<unknown>;
}

/** Turns a list with pages into a list without pages, so that the next response replaces it. */
export interface EndPages {
  readonly type: 'unpage';
}

export interface AddMember {
  readonly type: 'add';
  readonly member: string;
  readonly place: 'start' | 'end' | CollectionMerge;
  /**
   * True if the member has a temporary primary key. Responses to later requests can contain the
   * same row under its real key.
   */
  readonly temporary: boolean;
}

/** Sets a member of a map under its key and replaces the existing member. */
export interface AssignMember {
  readonly type: 'assign';
  readonly key: string;
  readonly member: string;
}

export interface RemoveMember {
  readonly type: 'remove';
  readonly members: readonly unknown[];
}

export function isResponse(
  operation: Operation,
): operation is Operation & (ReplaceMembers | AppendPage) {
  return operation.type === 'replace' || operation.type === 'page';
}
