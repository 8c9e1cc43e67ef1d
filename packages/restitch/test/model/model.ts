/**
 * The naive model of the store: it keeps every transaction for ever and recomputes every row and list from nothing, in rank order.
 * It follows the written rules of order and shares no code and no representation with the store.
 *
 * Covered: reads of rows and lists, mutations with value patches (partial, whole and empty responses), deletions, creates with temporary
 * and with own pks, further pages of lists, `set` of values and functions, whole-list writes, lists born late, relations and cycles, a custom merge,
 * `shouldReorder`, resets, and of each question whether it has a response or an error and how fresh that is; where the generators'
 * `functionLayers` is on, optimistic functions of what there was before, other rows and lists included.
 * Relations may lead to rows that have a temporary key still.
 * So may state from elsewhere: a page that arrives in parts, and what only fills in.
 * Not covered: which results two out-of-order mutations expire, undo.
 */
import { Contents } from './content.js';
import { responseOf, answersNoRow, effectsOfWrite, unpredictedRow } from './responses.js';
import {
  createEffects,
  listEffects,
  NOTHING,
  type Effects,
  type Row,
  type RowKey,
} from './effects.js';
import { mayFillInList, mayFillInRow } from './fillIns.js';
import { concerns, lengthOf } from './folds.js';
import { Ledger, type Transaction } from './ledger.js';
import type { Merging } from './merges.js';
import {
  isFailure,
  ISSUE_IDS,
  LIST_NAMES,
  readFor,
  USER_IDS,
  type Ending,
  type IssuePayload,
  type ListName,
  READS,
  type Request,
  type ViewName,
  type Write,
} from './program.js';
import { questionOf, Registers, type Asked, type Question } from './results.js';

/** What everybody sees. Lists hold only members whose rows exist; an unknown list is undefined. */
export interface Visible {
  readonly rows: ReadonlyMap<RowKey, Row>;
  readonly lists: ReadonlyMap<ListName, readonly RowKey[] | undefined>;
  /** Rows that are not there, but that something was said about: a deletion, or an optimistic update that waits for the row. */
  readonly touched: ReadonlySet<RowKey>;
  /** What is known of the question that a read with an ordinary key asks. */
  readonly asked: (read: Request) => Asked;
}

export class Model {
  readonly #ledger: Ledger;
  readonly #registers = new Registers();
  #knownDoubt = 0;
  /** Optimistic functions that an empty response confirmed. */
  readonly #counted = new Set<Transaction>();
  /** The page that arrives in parts, until it has. */
  #page: Transaction | undefined;
  /** Starts before everything that happened here, each before the last one. */
  #earliest = 0;

  constructor(options: { readonly merging: Merging; readonly streams?: boolean }) {
    this.#ledger = new Ledger(options.merging);
    if (options.streams) this.#page = this.#ledger.add(0, NOTHING);
  }

  /** A part of the page: what it says goes over earlier parts, and under all else. False where the page has arrived. */
  streamPart(list: ListName, rows: readonly IssuePayload[]): boolean {
    if (this.#page === undefined) return false;
    const { patches, operations } = listEffects(list, rows);
    const { effects } = this.#page;
    this.#page.effects = {
      patches: [...effects.patches, ...patches],
      operations: [...effects.operations, ...operations],
    };
    this.#registers.respond(questionOfList(list), 0, this.#ledger.clock);
    this.#expireShownUnnamed();
    return true;
  }

  /** See `Ledger.pendingOn`. */
  readonly pendingOn = (cell: RowKey): number => this.#ledger.pendingOn(cell);

  /** Whether a page still arrives in parts. */
  readonly isArriving = (): boolean => this.#page !== undefined;

  streamEnd(): boolean {
    if (this.#page === undefined) return false;
    this.#page.settle = this.#ledger.next();
    this.#page = undefined;
    return true;
  }

  /** Takes what was brought, under all that is known; returns the rows that the rules say something of. */
  fillIn(list: ListName, offered: readonly IssuePayload[]): readonly IssuePayload[] | undefined {
    const said = this.#ledger.current();
    if (!mayFillInList(said, list)) return undefined;
    const rows = offered.filter((row) => mayFillInRow(said, row));
    this.#earliest -= 1;
    this.#ledger.add(this.#earliest, listEffects(list, rows)).settle = this.#earliest;
    this.#registers.answerUntouched(questionOfList(list), this.#ledger.clock);
    this.#expireShownUnnamed();
    return rows;
  }

  /** Starts a request; its optimistic update shows at once. Returns its number. */
  begin(request: Request): number {
    return this.#ledger.begin(request);
  }

  /** Ends a request. Returns those that waited for its row, by their numbers: as they are sent, or undefined where they fail. */
  settle(id: number, ending: Ending): ReadonlyMap<number, Request | undefined> {
    const waiting = this.#ledger.waitingFor(id);
    const before = this.#ledger.current().map((one) => ({ ...one }));
    this.#register(this.#ledger.settle(id, ending), ending, before);
    return new Map(
      waiting.map((one) => [one.id, one.settle === undefined ? one.request : undefined]),
    );
  }

  /** How many members a list has; undefined where it is not known. */
  lengthOf(list: ListName): number | undefined {
    const parts = this.#ledger.parts(list);
    return parts && lengthOf(parts);
  }

  /** Of a page with a response: whether its place was removed, and if so whether it is asked for again. */
  lost(id: number): 'again' | 'for good' | undefined {
    return this.#ledger.lost(id);
  }

  /** Whether the rules say what a response does. */
  mayAnswer(id: number, ending: Ending): boolean {
    return this.#ledger.mayAnswer(id, ending);
  }

  /** Time passes, and then something settles: what is in flight for too long is stalled. */
  stall(milliseconds: number): void {
    this.#ledger.stall(milliseconds);
  }

  /** Notes what the settled request means for the questions; `before`: what there was when its response arrived. */
  #register(transaction: Transaction, ending: Ending, before: readonly Transaction[]): void {
    const { kind, start, request, superseded, isStalled } = transaction;
    const { clock, tick } = this.#ledger;
    const question = questionOf(request);
    if (question !== undefined && request !== undefined) {
      if (!isFailure(ending))
        this.#registers.respond(
          question,
          start,
          clock,
          fieldsOf(responseOf(request, ending), request),
        );
      else if (!superseded) {
        this.#registers.fail(question, start, clock, {
          isSoft: ending.how !== 'fail',
          hasData: shows(this.visible(), request),
        });
      }
    }
    if (kind === 'mutation') this.#expireUnnamed(transaction, (list) => this.#ledger.parts(list));
    else this.#expireShownUnnamed();
    if (request?.type === 'create' && !isFailure(ending) && answersNoRow(request, ending))
      this.#expireUnseen(transaction, request);
    if (request && isFunction(request) && !isFailure(ending) && answersNoRow(request, ending))
      this.#counted.add(transaction);
    this.#refetchCounted();
    // A stalled read may have overlapped any mutation: whether its result is stale is not modeled.
    if (kind === 'read' && isStalled) this.#registers.refetch(tick);
    if (kind === 'read' || request === undefined) return;
    // Nothing is known of what the server did with the row, also where the optimistic function declined.
    const unknown = answersNoRow(request, ending)
      ? (unpredictedRow(request) ?? this.#ledger.declinedRow(transaction))
      : undefined;
    if (unknown) {
      this.#registers.refetch(tick);
      this.#expire([unknown]);
    }
    // An empty response to a mutation of many rows: any of them may have changed.
    if (request.type === 'sortList' && !isFailure(ending) && answersNoRow(request, ending)) {
      this.#registers.refetch(tick);
      this.#expire([...this.visible().rows.keys()].filter((key) => key.startsWith('Issue:')));
    }
    // The server may have run two mutations in the other order than they were sent: which results expire then is not modelled,
    // where the later one says otherwise than the earlier one did.
    const isOverlapping = before.some(
      (other) => other.kind === 'mutation' && hasOverlapped(other, start),
    );
    if (isOverlapping) this.#registers.refetch(tick);
    const later = before.filter(
      (other) => other.kind === 'mutation' && other.start > start && other.settle !== undefined,
    );
    if (later.length === 0 && !isStalled) return;
    this.#registers.refetch(tick);
    if (isFailure(ending)) return;
    const said = answersNoRow(request, ending) ? transaction.effects : responseOf(request, ending);
    const others = later.flatMap(({ effects }) => cellsOf(effects));
    this.#expire(cellsOf(said).filter((cell) => isStalled || others.includes(cell)));
  }

  /**
   * A read may contain already what an optimistic function adds that an empty response confirmed, where the two overlapped: which
   * results expire then is not modeled.
   */
  #refetchCounted(): void {
    const all = this.#ledger.current();
    for (const { start, settle = Infinity } of all.filter((one) => this.#counted.has(one))) {
      const isOverlapped = all.some(
        (other) =>
          other.kind === 'read' &&
          other.start < settle &&
          other.settle !== undefined &&
          other.settle > start,
      );
      if (isOverlapped) this.#registers.refetch(this.#ledger.tick);
    }
  }

  /** Lists that hold a row which the server created without naming it are fetched again. */
  #expireUnnamed({ settle, effects: { operations } }: Transaction, holds: ListTest): void {
    for (const operation of operations) {
      if (operation.kind !== 'add' || operation.temporary !== 'unnamed') continue;
      for (const list of LIST_NAMES) {
        if (settle === undefined || !concerns(operation, list) || !holds(list, operation.member))
          continue;
        this.#registers.refetch(settle);
        this.#registers.expire(questionOfList(list), settle);
      }
    }
  }

  /** So are lists that a row matches which no optimistic update shows. */
  #expireUnseen({ settle, effects: { operations } }: Transaction, request: Create): void {
    const [added] = createEffects('Issue:unseen', {}, request, true).operations;
    if (settle === undefined || added === undefined || operations.length > 0) return;
    for (const list of LIST_NAMES) {
      if (!concerns(added, list)) continue;
      this.#registers.refetch(settle);
      this.#registers.expire(questionOfList(list), settle);
    }
  }

  /** So are those responses that came later and do not hold the real row yet. */
  #expireShownUnnamed(): void {
    const { lists } = this.visible();
    for (const transaction of this.#ledger.current())
      this.#expireUnnamed(transaction, (list, member) => lists.get(list)?.includes(member));
  }

  /**
   * Two mutations of one row, with responses in the other order than their starts: the server may have run them in either. Nothing is known of
   * the order of a stalled one. Responses that show the row have to be fetched again.
   */
  #expire(doubtful: readonly RowKey[]): void {
    const contents = new Contents(this.visible());
    for (const read of READS.flatMap(readsOf)) {
      const current = contents.reachedFrom([keyOf(read)]);
      const isDoubtful = doubtful.some(
        (cell) => contents.visible.rows.has(cell) && current.has(cell),
      );
      if (isDoubtful) this.#registers.expire(JSON.stringify(read), this.#ledger.tick);
    }
  }

  /** A response is taken away: what is in flight does not bring it back. */
  invalidate(view: ViewName): void {
    if (view.of === 'list') this.#endPages(view.list);
    this.#registers.invalidate(JSON.stringify(readFor(view)), this.#ledger.next());
  }

  outdateAll(how: 'invalidate' | 'expire', of: (typeof READS)[number]): void {
    if (how === 'invalidate' && of === 'readList')
      for (const list of LIST_NAMES) this.#endPages(list);
    const tick = this.#ledger.next();
    const reads = readsOf(of);
    this.#registers.outdate(
      how,
      tick,
      new Set(reads.map((read) => JSON.stringify(read))),
      new Set(
        this.#ledger
          .current()
          .filter(({ settle }) => settle === undefined)
          .flatMap(({ request }) => questionOf(request) ?? []),
      ),
    );
  }

  setError(view: ViewName): void {
    const how = { isSoft: false, hasData: false };
    const { clock } = this.#ledger;
    this.#registers.fail(JSON.stringify(readFor(view)), this.#ledger.next(), clock, how);
  }

  wait(milliseconds: number): void {
    this.#ledger.clock += milliseconds;
  }

  /** Closes the epoch: nothing that was, or is in flight, counts. */
  reset(): void {
    this.#ledger.reset();
    this.#registers.clear();
  }

  /** Requests for a question that the next response is expected of, as their numbers. */
  awaited(read: Request): readonly number[] {
    return this.#ledger.awaited(questionOf(read)).map(({ id }) => id);
  }

  /** Whether who fetches joins the request that is under way: not where a mutation has ended since that began. */
  joins(read: Request): boolean {
    const ended = this.#ledger.current().filter(({ kind }) => kind === 'mutation');
    return this.#ledger
      .awaited(questionOf(read))
      .some(({ start }) => ended.every(({ settle }) => settle === undefined || settle < start));
  }

  /** The list whose response is taken away starts again with its first page. */
  #endPages(list: ListName): void {
    if (this.#registers.hasResponse(questionOfList(list)))
      this.#ledger.local({ patches: [], operations: [{ kind: 'unpage', list }] });
  }

  /** Whether out-of-order mutations since the last look expire results: readers then fetch again. */
  takeDoubt(): boolean {
    const { lastDoubt } = this.#registers;
    const isNew = lastDoubt > this.#knownDoubt;
    this.#knownDoubt = lastDoubt;
    return isNew;
  }

  /** A write that starts and ends now: it ranks like a read, below the mutations in flight. */
  write(write: Write): void {
    const behind = write.type === 'receivePage' ? this.#ledger.parts(write.list) : undefined;
    const start = this.#ledger.local(effectsOfWrite(write, behind));
    if (write.type === 'receiveList') {
      this.#registers.respond(questionOfList(write.list), start, this.#ledger.clock);
    }
  }

  /** What is seen now. `confirmedOnly` leaves out whatever failed or is in flight, as if it had never been asked. */
  visible(confirmedOnly = false): Visible {
    const current = this.#ledger.current();
    const sight = this.#ledger.sight(
      confirmedOnly
        ? current.filter(({ settle, failed }) => settle !== undefined && !failed)
        : current,
    );
    const said = [...sight.cells];
    const rows = new Map<RowKey, Row>();
    for (const cell of said) {
      const row = sight.row(cell);
      if (row !== undefined) rows.set(cell, row);
    }
    const lists = new Map(LIST_NAMES.map((name) => [name, sight.list(name)]));
    const { clock } = this.#ledger;
    return {
      rows,
      lists,
      touched: new Set(said.filter((cell) => !rows.has(cell))),
      asked: (read) => this.#registers.look(JSON.stringify(read), clock, rows.get(keyOf(read))),
    };
  }
}

type Create = Extract<Request, { readonly type: 'create' }>;

type ListTest = (list: ListName, member: RowKey) => unknown;

function questionOfList(list: ListName): Question {
  return JSON.stringify({ type: 'readList', list, shared: true });
}

/** The rows that are said something about. */
function cellsOf({ patches }: Effects): readonly RowKey[] {
  return patches.filter(({ kind }) => kind === 'fields').map(({ cell }) => cell);
}

/** The fields that a response says of the row that it was asked for. */
function fieldsOf({ patches }: Effects, read: Request): readonly string[] {
  return patches.flatMap((patch) =>
    patch.kind === 'fields' && patch.cell === keyOf(read) ? Object.keys(patch.fields) : [],
  );
}

/** The row or list that a read fetches. */
function keyOf(read: Request): string {
  if ('list' in read) return `list:${read.list}`;
  return 'id' in read ? `${read.type === 'readIssue' ? 'Issue' : 'User'}:${read.id}` : '';
}

/** Whether a reader of this read's question sees rows of any response. */
function shows({ rows, lists }: Visible, read: Request): boolean {
  if (read.type === 'readList') return lists.get(read.list) !== undefined;
  return 'id' in read && rows.has(`${read.type === 'readIssue' ? 'Issue' : 'User'}:${read.id}`);
}

/** Every question to one endpoint, numbers and texts being two. */
function readsOf(of: (typeof READS)[number]): readonly Request[] {
  if (of === 'readList') return LIST_NAMES.map((list) => ({ type: of, list, shared: true }));
  const ids = of === 'readIssue' ? ISSUE_IDS : USER_IDS;
  return ids.flatMap((id) => [id, Number(id)]).map((id) => ({ type: of, id, shared: true }));
}

const isFunction = ({ type }: Request): boolean =>
  type === 'incrementIssue' || type === 'copyIssue';

/** True for a transaction that has ended and was in flight at a tick. */
function hasOverlapped({ start, settle }: Transaction, tick: number): boolean {
  return start < tick && settle !== undefined && settle > tick;
}
