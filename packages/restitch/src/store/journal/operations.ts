import type { CollectionMerge } from '../../schema/Collection.js';
import type { EntityShape } from '../../schema/shapes.js';
import type { Cell, Fields, Listing } from '../cells/Cell.js';

/** What a patch does to its cell: the first three are for rows, the others for lists. */
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
  /** A callback of its class threw after it was placed: reported once, then left out. */
  isBroken?: true;
  /** The row that an edit of a list is about. */
  row?: Cell;
  /** Of a temporary row that is hidden in a list, once the answer that hid it is folded. */
  isHidden?: true;
  /** Of a temporary row: an answer was folded that began after its create, and replaces it should the server not name it. */
  isReplaced?: true;
};

/** Fields that go over the row, or are the row. */
export interface MergeRow {
  readonly type: 'merge';
  readonly shape: EntityShape;
  readonly fields: Fields;
  /** A guess about a row that may not exist: it shows only over one. */
  readonly needsRow?: boolean;
}

/** A function of the row's stored fields; kept as a function while something older is in flight. */
export interface UpdateRow {
  readonly type: 'update';
  readonly shape: EntityShape;
  readonly update: (fields: Fields | undefined) => Fields | undefined;
}

/** The row is deleted. What lies above starts from nothing. */
export interface Remove {
  readonly type: 'delete';
}

/** A whole answer: what the list holds, or its first page. */
export interface ReplaceMembers {
  readonly type: 'replace';
  readonly members: readonly unknown[];
  readonly keys: readonly string[] | undefined;
  readonly beside: Fields | undefined;
}

/** A further page: goes to the end of a list that is known. */
export interface AppendPage {
  readonly type: 'page';
  /** The list as it was when the page was asked for; undefined where it was not known. */
  readonly behind: Listing | undefined;
  /** What was added to the list since: the page need not hold it, and what comes behind the page does not either. */
  readonly meanwhile: Pick<Listing, 'members' | 'keys'> & {
    /** What was removed since: the page may still hold it. */
    readonly removed: ReadonlySet<unknown>;
  };
  readonly members: readonly unknown[];
  readonly keys: readonly string[] | undefined;
  readonly beside: Fields | undefined;
}

/** What the list shows is no first page with others behind it any more: the next answer is the whole of it. */
export interface EndPages {
  readonly type: 'unpage';
}

export interface AddMember {
  readonly type: 'add';
  readonly member: string;
  readonly place: 'start' | 'end' | CollectionMerge;
  /** The member has a temporary primary key: answers that started later may hold the same row under its real one. */
  readonly temporary: boolean;
}

/** A member of a map takes its key, whatever stood there. */
export interface AssignMember {
  readonly type: 'assign';
  readonly key: string;
  readonly member: string;
}

export interface RemoveMember {
  readonly type: 'remove';
  readonly members: readonly unknown[];
}

/** Whether an operation is the response of a list: the whole list, or a further page. */
export function isResponse(
  operation: Operation,
): operation is Operation & (ReplaceMembers | AppendPage) {
  return operation.type === 'replace' || operation.type === 'page';
}
