import type { CollectionMerge } from '../../schema/Collection.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Cell, Fields, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';

/** The first three are for rows, the others for lists. */
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
  /** True if a callback of the class threw. The error was reported, and the patch is skipped. */
  isBroken?: true;
  /** For a list edit: the row that enters or leaves the list. */
  row?: Cell | undefined;
  /** True if the list was unknown when the create began, but is known now. */
  isHidden?: boolean;
  isCreate?: boolean;
  /**
   * True if a response in the base was requested after the create began. The response may contain
   * the created row under its real key.
   */
  isReplaced?: boolean;
  /** For a merge: true if the class decided that the stored record is newer. */
  isOlder?: boolean | undefined;
  /** For a list in a record: the responses that the class of the record considers older. */
  above?: ReadonlySet<Transaction> | undefined;
};

export interface MergeRow {
  readonly type: 'merge';
  readonly shape: EntityShape;
  readonly fields: Fields;
  /** True if the merge must not create the row. */
  readonly needsRow?: boolean;
  /** True if the merge must not restore a deleted row: a prediction may be older than the delete. */
  readonly keepsDeleted?: boolean;
}

/** The function can run again while an older request is in flight. */
export interface UpdateRow {
  readonly type: 'update';
  readonly shape: EntityShape;
  readonly update: (fields: Fields | undefined) => Fields | undefined;
}

/** A patch above a deletion creates the row anew, without the old fields. */
export interface Remove {
  readonly type: 'delete';
}

/** The response contains the whole list, or its first page. */
export interface ReplaceMembers {
  readonly type: 'replace';
  readonly members: readonly unknown[];
  /** The rows as sent, also repeated rows. Undefined for a row without a key that was skipped. */
  readonly sent?: readonly unknown[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly pageFields: Fields | undefined;
  readonly arrange?: Arrange | undefined;
  readonly isOverlapped?: boolean | undefined;
  /** True if the program wrote or predicted the list. False for a list in a written record. */
  readonly isWrite?: boolean | undefined;
  /** Set for a list that an optimistic update predicts: it only changes the rows that it knew. */
  readonly prediction?: Prediction | undefined;
  /** In the response to such a mutation, the predicted members. They cannot be rows of creates. */
  readonly predicted?: readonly unknown[] | undefined;
}

export interface Prediction {
  /** The members of the list, or the keys of a map, when it was predicted. */
  known: ReadonlySet<unknown>;
  readonly members: readonly unknown[];
}

/** Places a response in an infinite or windowed list. Must be pure. */
export interface Arrange {
  (before: Listing | undefined, response: ReplaceMembers | AppendPage): Listing | undefined;
  /**
   * Called once per response, after its rows are stored. Returns true if the request overlapped a
   * mutation of the list, or if rows of other pages are outdated.
   */
  noteStored?(
    store: Store,
    cell: Cell,
    transaction: Transaction,
    members: readonly unknown[],
  ): boolean;
}

export interface AppendPage {
  readonly type: 'page';
  readonly behind: Listing | undefined;
  /** The changes since the request, except adds of `above` and mutations from tick `before` on. */
  readonly meanwhile: (above?: ReadonlySet<unknown>, before?: number) => Meanwhile;
  readonly members: readonly unknown[];
  readonly sent?: readonly unknown[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly pageFields: Fields | undefined;
  readonly arrange?: Arrange | undefined;
  readonly isOverlapped?: boolean | undefined;
}

/** The `members` were added while a page was in flight. This page and later pages may lack them. */
export interface Meanwhile extends Pick<Listing, 'members' | 'keys'> {
  /** The page may still contain these members. */
  readonly removed: ReadonlySet<unknown>;
}

/** The next response replaces all pages. */
export interface EndPages {
  readonly type: 'unpage';
}

export interface AddMember {
  readonly type: 'add';
  readonly member: string;
  readonly place: 'start' | 'end' | CollectionMerge;
  readonly temporary: boolean;
}

export interface AssignMember {
  readonly type: 'assign';
  readonly key: string;
  readonly member: string;
}

export interface RemoveMember {
  readonly type: 'remove';
  readonly members: readonly unknown[];
  /** True if the row left the list because its fields changed. */
  readonly isMove?: boolean;
}

export type ListEdit = AddMember | AssignMember | RemoveMember;

export function isResponse(
  operation: Operation,
): operation is Operation & (ReplaceMembers | AppendPage) {
  return (operation.type === 'replace' && !operation.prediction) || operation.type === 'page';
}
