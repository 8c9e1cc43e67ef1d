/**
 * The vocabulary of the random programs: commands as plain data, so that fast-check can shrink them and both the naive model and the
 * library can carry them out.
 */
import type { Merging } from './merges.js';

/** An id as a server may spell it: the number and the string mean the same row. */
export type Id = string | number;

export type ListName = 'all' | 'open' | 'done';

export type Status = 'open' | 'done';

/** The filter arguments of each list. */
export const LISTS: Readonly<Record<ListName, { readonly status?: Status }>> = {
  all: {},
  open: { status: 'open' },
  done: { status: 'done' },
};

export const LIST_NAMES: readonly ListName[] = ['all', 'open', 'done'];
export const ISSUE_IDS: readonly string[] = ['1', '2', '3', '4'];
export const USER_IDS: readonly string[] = ['1', '2', '3'];

/** A user as it stands in a payload; `friend` makes cycles. */
export interface UserPayload {
  readonly id: Id;
  readonly name?: string;
  readonly friend?: Id | null;
}

/** What may be written to an issue besides its id. */
export interface IssueFields {
  readonly title?: string;
  readonly n?: number;
  readonly status?: Status;
  readonly author?: Id | UserPayload | null;
  readonly parent?: Id | null;
}

export interface IssuePayload extends IssueFields {
  readonly id: Id;
}

/** What the optimistic response of a create claims: nothing, a row without an id, or a row with an id chosen by the client. */
export type CreateGuess = 'none' | 'temporary' | { readonly id: Id };

/** A request as it starts. A `shared` read uses the endpoint's ordinary key; the others have a key of their own, so that many can be in flight. */
export type Request =
  | { readonly type: 'readIssue'; readonly id: Id; readonly shared: boolean }
  | { readonly type: 'readUser'; readonly id: Id; readonly shared: boolean }
  | { readonly type: 'readList'; readonly list: ListName; readonly shared: boolean }
  /** A further page of a list; always with a key of its own. */
  | {
      readonly type: 'readPage';
      readonly list: ListName;
      /** Which one it is: the argument says its number, or how many members there are. */
      readonly by: 'number' | 'offset';
      readonly at?: number;
    }
  /** A mutation whose response is the whole list. */
  | { readonly type: 'sortList'; readonly list: ListName }
  | { readonly type: 'patchIssue'; readonly id: Id; readonly optimistic?: IssueFields }
  | {
      readonly type: 'patchUser';
      readonly id: Id;
      readonly optimistic?: { readonly name?: string; readonly friend?: Id | null };
    }
  | { readonly type: 'incrementIssue'; readonly id: Id }
  /** Predicts its fields from another issue and from a list; declines where one of the two issues is not there. */
  | {
      readonly type: 'copyIssue';
      readonly id: Id;
      readonly from: Id;
      readonly list: ListName;
    }
  /** Predicts that the issue's parent is the row that a create shows under its temporary key; `of` is the number of that create. */
  | { readonly type: 'adoptIssue'; readonly id: Id; readonly of: number }
  /** Waits until the server has named the row of a create, and is then one of the other two; `of` is the number of that create. */
  | { readonly type: 'editCreated'; readonly of: number; readonly optimistic?: IssueFields }
  | { readonly type: 'deleteCreated'; readonly of: number; readonly optimistic: boolean }
  | { readonly type: 'deleteIssue'; readonly id: Id; readonly optimistic: boolean }
  | { readonly type: 'deleteUser'; readonly id: Id; readonly optimistic: boolean }
  | {
      readonly type: 'create';
      readonly at: 'start' | 'end';
      readonly body: IssueFields;
      readonly optimistic: CreateGuess;
    };

/** A write that starts and ends at once. */
export type Write =
  | { readonly type: 'setIssue'; readonly value: IssuePayload }
  | { readonly type: 'setUser'; readonly value: UserPayload }
  | { readonly type: 'bumpIssue'; readonly id: Id }
  | {
      /** The whole list, or a further page of it. */
      readonly type: 'receiveList' | 'receivePage';
      readonly list: ListName;
      readonly rows: readonly IssuePayload[];
      /** See `Ending.repeats`. */
      readonly repeats?: boolean;
    };

/**
 * How a request ends. It holds material for every kind of request, since which request a `pick` means is known only when the
 * program runs; shrinking then never makes a program meaningless.
 */
export interface Ending {
  /** `empty` is a 204: the mutation succeeded without a row. For reads, and for deletes without an optimistic update, it means `success`. */
  readonly how: 'success' | 'empty' | 'fail' | 'failSoftly' | 'abort';
  readonly issue: IssueFields;
  readonly user: { readonly name?: string; readonly friend?: Id | null };
  readonly rows: readonly IssuePayload[];
  /** The id in the response to a create. */
  readonly id: Id;
  /** For a create: whether the response's other fields are those of the call, as honest servers do. */
  readonly faithful: boolean;
  /** For a read: known rows are in the response as they are known, as polls mostly do. */
  readonly repeats?: boolean;
}

/** A reader's question. */
export type ViewName =
  | { readonly of: 'issue' | 'user'; readonly id: string; readonly by: 'query' | 'endpoint' }
  | { readonly of: 'list'; readonly list: ListName; readonly by: 'query' | 'endpoint' };

/** The read, with the ordinary key of its endpoint, that fetches the data of a view. */
export function readFor(view: ViewName): Request {
  if (view.of === 'list') return { type: 'readList', list: view.list, shared: true };
  const type = view.of === 'issue' ? 'readIssue' : 'readUser';
  return { type, id: view.id, shared: true };
}

export const READS = ['readIssue', 'readUser', 'readList'] as const;

/** Steps about results other than responses. */
export type Upkeep =
  | { readonly type: 'invalidate' | 'setError'; readonly view: ViewName }
  | { readonly type: 'invalidateAll' | 'expireAll'; readonly of: (typeof READS)[number] }
  | { readonly type: 'fetchIfStale'; readonly view: ViewName }
  | { readonly type: 'wait'; readonly milliseconds: number }
  /** As `wait`, for so long that what is in flight may be stalled; then something else settles. */
  | { readonly type: 'stall'; readonly milliseconds: number }
  | { readonly type: 'reset' };

/** What another store brings. */
export type Hydration =
  /** A part of the page, which began before anything else; later parts go over earlier ones. */
  | { readonly type: 'streamPart'; readonly list: ListName; readonly rows: readonly IssuePayload[] }
  | { readonly type: 'streamEnd' }
  /** State from elsewhere, older than all that is known. Left out where the rules do not say what it comes to. */
  | { readonly type: 'fillIn'; readonly list: ListName; readonly rows: readonly IssuePayload[] };

export type Command =
  | Request
  | Write
  | Upkeep
  | Hydration
  | { readonly type: 'batch'; readonly writes: readonly Write[] }
  | { readonly type: 'settle'; readonly pick: number; readonly ending: Ending }
  /** The issue's parent is to be the row of a create that is in flight. */
  | { readonly type: 'adopt'; readonly id: Id; readonly pick: number }
  /** The row of a create that is in flight is changed, or deleted. */
  | { readonly type: 'edit'; readonly pick: number; readonly optimistic?: IssueFields }
  | { readonly type: 'remove'; readonly pick: number; readonly optimistic: boolean }
  /** `reads`: whether the subscriber reads the snapshot when it is notified, as a rendering does. */
  | { readonly type: 'subscribe'; readonly view: ViewName; readonly reads: boolean }
  | { readonly type: 'unsubscribe'; readonly pick: number }
  /** Some steps of looking for data without readers. If nothing is past its lifetime, nothing may be missing afterwards. */
  | { readonly type: 'sweep'; readonly steps: number }
  /** Reads and compares everything. */
  | { readonly type: 'look' };

export interface Program {
  /** Read everything after each step; otherwise only at `look` and at the end, so that much is written before it is ever read. */
  readonly lookAlways: boolean;
  /** Whether everything is past its lifetime at each sweep: only what is subscribed to is then compared, as long as it is. */
  readonly forgetful: boolean;
  /** Whether issues have a `merge` that is not commutative, or a `shouldReorder`. */
  readonly merging: Merging;
  /** Whether issues come to be parents, or are changed, under a temporary key. */
  readonly adopts: boolean;
  /** Whether the store begins with a page that arrives in parts. */
  readonly streams: boolean;
  readonly commands: readonly Command[];
}

export function viewKey(view: ViewName): string {
  return `${view.by} ${view.of}:${view.of === 'list' ? view.list : view.id}`;
}

const REQUESTS: ReadonlySet<string> = new Set<Request['type']>([
  'readIssue',
  'readUser',
  'readList',
  'readPage',
  'sortList',
  'patchIssue',
  'patchUser',
  'incrementIssue',
  'copyIssue',
  'adoptIssue',
  'editCreated',
  'deleteCreated',
  'deleteIssue',
  'deleteUser',
  'create',
]);

/** Whether the request comes to nothing but an error. */
export function isFailure({ how }: Ending): boolean {
  return how === 'fail' || how === 'failSoftly' || how === 'abort';
}

export function isRequest(command: Command): command is Request {
  return REQUESTS.has(command.type);
}

export function isRead(request: Request): boolean {
  return request.type.startsWith('read');
}

/** Whether a command is one write, or one batch of them. */
export function isLocal({ type }: Command): boolean {
  return /^(batch|set|bump|receive)/.test(type);
}
