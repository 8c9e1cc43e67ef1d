/**
 * The naive model of the store: it keeps every transaction for ever and recomputes every row and list from nothing, in rank order.
 * It follows the written rules of order and shares no code and no representation with the store.
 *
 * Covered: reads of rows and lists, mutations with value patches (partial, whole and empty answers), deletions, creates with temporary
 * and with own pks, further pages of lists, `set` of values and functions, whole-list writes, lists born late, relations and cycles, a custom merge,
 * `shouldReorder`, resets, and of each question whether it has an answer or an error and how fresh that is; where the generators'
 * `functionLayers` is on, optimistic functions of what there was before, other rows and lists included.
 * Relations may lead to rows that have a temporary key still.
 * So may state from elsewhere: a page that arrives in parts, and what only fills in.
 * Not covered: which answers two mutations put in doubt, undo.
 */
import { Contents } from './content.js';
import { answerOf, answersNoRow, createdId, effectsOfWrite, guessOf } from './answers.js';
import {
  listEffects,
  NOTHING,
  type Effects,
  type ListOperation,
  type Patch,
  type Row,
  type RowKey,
} from './effects.js';
import { mayFillInList, mayFillInRow } from './fillIns.js';
import { MERGES, type Merge, type Merging } from './merges.js';
import {
  isFailure,
  isRead,
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
import type { Entry, Ranked } from './rank.js';
import { Sight } from './sight.js';
import { questionOf, Registers, type Asked, type Question } from './registers.js';

interface Transaction extends Ranked {
  settle: number | undefined;
  /** What it does now: the guess while in flight, then the answer, or nothing. */
  effects: Effects;
  readonly request: Request | undefined;
  failed: boolean;
  /** Whether another request was sent in its place: its rows still count. */
  superseded: boolean;
  /** Of a create: the primary key that the server gave to its row. */
  answeredPk: string | undefined;
}

/** What everybody sees. Lists hold only members whose rows exist; an unknown list is undefined. */
export interface Visible {
  readonly rows: ReadonlyMap<RowKey, Row>;
  readonly lists: ReadonlyMap<ListName, readonly RowKey[] | undefined>;
  /** Rows that are not there, but that something was said about: a deletion, or a guess that waits for the row. */
  readonly touched: ReadonlySet<RowKey>;
  /** What is known of the question that a read with an ordinary key asks. */
  readonly asked: (read: Request) => Asked;
}

export class Model {
  readonly #transactions: Transaction[] = [];
  readonly #mergeIssues: Merge;
  readonly #registers = new Registers();
  #tick = 0;
  /** Milliseconds since the beginning. */
  #clock = 0;
  /** What started before counts no more. */
  #epoch = 0;

  /** The page that arrives in parts, until it has. */
  #page: Transaction | undefined;
  /** Starts before everything that happened here, each before the last one. */
  #earliest = 0;

  constructor(options: { readonly merging: Merging; readonly streams?: boolean }) {
    this.#mergeIssues = MERGES[options.merging];
    if (options.streams) this.#page = this.#add(0, NOTHING);
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
    this.#registers.answer(questionOfList(list), 0, this.#clock);
    return true;
  }

  streamEnd(): boolean {
    if (this.#page === undefined) return false;
    this.#page.settle = ++this.#tick;
    this.#page = undefined;
    return true;
  }

  /** Takes what was brought, under all that is known; returns the rows that the rules say something of. */
  fillIn(list: ListName, offered: readonly IssuePayload[]): readonly IssuePayload[] | undefined {
    const said = this.#current();
    if (!mayFillInList(said, list)) return undefined;
    const rows = offered.filter((row) => mayFillInRow(said, row));
    this.#earliest -= 1;
    this.#add(this.#earliest, listEffects(list, rows)).settle = this.#earliest;
    this.#registers.answerUntouched(questionOfList(list), this.#clock);
    return rows;
  }

  /** Starts a request; its guess shows at once. Returns its number. */
  begin(request: Request): number {
    const id = this.#transactions.length;
    const kind = isRead(request) ? 'read' : 'mutation';
    // Two requests for one question are never wanted at once.
    for (const older of this.#inFlight(questionOf(request))) older.superseded = true;
    this.#transactions.push({
      id,
      kind,
      start: ++this.#tick,
      settle: undefined,
      effects: guessOf(request, id),
      request,
      failed: false,
      superseded: false,
      answeredPk: undefined,
    });
    return id;
  }

  settle(id: number, ending: Ending): void {
    const transaction = this.#transactions[id];
    if (transaction?.request === undefined || transaction.settle !== undefined)
      throw new Error(`request ${id} is not in flight`);
    transaction.settle = ++this.#tick;
    if (isFailure(ending)) {
      transaction.failed = true;
      transaction.effects = NOTHING;
    } else if (!answersNoRow(transaction.request, ending)) {
      const { request } = transaction;
      transaction.effects = answerOf(request, ending);
      if (request.type === 'create') transaction.answeredPk = String(createdId(request, ending));
    } else {
      // A success without a row keeps the guess as what is confirmed.
      transaction.effects = {
        patches: transaction.effects.patches,
        operations: transaction.effects.operations.map((operation) =>
          operation.kind === 'add' ? { ...operation, temporary: false } : operation,
        ),
      };
    }
    this.#register(transaction, ending);
  }

  /** Notes what the settled request means for the questions. */
  #register(transaction: Transaction, ending: Ending): void {
    const { kind, start, request, superseded } = transaction;
    const question = questionOf(request);
    if (question !== undefined && request !== undefined) {
      if (!isFailure(ending)) this.#registers.answer(question, start, this.#clock);
      else if (!superseded) {
        this.#registers.fail(question, start, this.#clock, {
          isSoft: ending.how !== 'fail',
          hasData: shows(this.visible(), request),
        });
      }
    }
    // The server may have run two mutations in the other order than they were sent: not modelled is which answers they put in doubt.
    const isOvertaken =
      kind === 'mutation' &&
      this.#current().some(
        (other) => other.kind === 'mutation' && other.start > start && other.settle !== undefined,
      );
    if (isOvertaken) {
      this.#registers.doubt(this.#tick);
      if (!transaction.failed) this.#expireDoubtful(transaction);
    }
  }

  /**
   * Two mutations of one row, answered in the other order than their starts: the server may have run them in either. Answers that
   * show the row have to be fetched again.
   */
  #expireDoubtful(last: Transaction): void {
    const doubtful = new Set(
      this.#current()
        .filter(
          ({ kind, start, settle, failed }) =>
            kind === 'mutation' && start > last.start && settle !== undefined && !failed,
        )
        .flatMap(({ effects }) => cellsOf(effects))
        .filter((cell) => cellsOf(last.effects).includes(cell)),
    );
    const contents = new Contents(this.visible());
    for (const read of READS.flatMap(readsOf)) {
      const shown = contents.reachedFrom([keyOf(read)]);
      const isDoubtful = [...doubtful].some(
        (cell) => contents.visible.rows.has(cell) && shown.has(cell),
      );
      if (isDoubtful) this.#registers.expire(JSON.stringify(read), this.#tick);
    }
  }

  /** An answer is taken away: what is in flight does not bring it back. */
  invalidate(view: ViewName): void {
    if (view.of === 'list') this.#endPages(view.list);
    this.#registers.invalidate(JSON.stringify(readFor(view)), ++this.#tick);
  }

  outdateAll(how: 'invalidate' | 'expire', of: (typeof READS)[number]): void {
    if (how === 'invalidate' && of === 'readList')
      for (const list of LIST_NAMES) this.#endPages(list);
    const tick = ++this.#tick;
    const reads = readsOf(of);
    this.#registers.outdate(
      how,
      tick,
      new Set(reads.map((read) => JSON.stringify(read))),
      new Set(
        this.#transactions
          .filter(({ settle, id }) => settle === undefined && id >= this.#epoch)
          .flatMap(({ request }) => questionOf(request) ?? []),
      ),
    );
  }

  setError(view: ViewName): void {
    const how = { isSoft: false, hasData: false };
    this.#registers.fail(JSON.stringify(readFor(view)), ++this.#tick, this.#clock, how);
  }

  wait(milliseconds: number): void {
    this.#clock += milliseconds;
  }

  /** Closes the epoch: nothing that was, or is in flight, counts. */
  reset(): void {
    this.#epoch = this.#transactions.length;
    this.#registers.clear();
  }

  /** Requests for a question that the next answer is expected of, as their numbers. */
  awaited(read: Request): readonly number[] {
    return this.#inFlight(questionOf(read)).map(({ id }) => id);
  }

  /** The list whose answer is taken away starts again with its first page. */
  #endPages(list: ListName): void {
    if (this.#registers.isAnswered(questionOfList(list)))
      this.#local({ patches: [], operations: [{ kind: 'unpage', list }] });
  }

  /** Whether what happened last puts answers in doubt: readers are then asked to fetch again. */
  get isInDoubt(): boolean {
    return this.#registers.isInDoubtSince(this.#tick);
  }

  #current(): readonly Transaction[] {
    return this.#transactions.filter(({ id }) => id >= this.#epoch);
  }

  #inFlight(question: Question | undefined): readonly Transaction[] {
    return this.#current().filter(
      ({ settle, superseded, request }) =>
        question !== undefined &&
        settle === undefined &&
        !superseded &&
        questionOf(request) === question,
    );
  }

  /** A write that starts and ends now: it ranks like a read, below the mutations in flight. */
  write(write: Write): void {
    const start = this.#local(effectsOfWrite(write));
    if (write.type === 'receiveList') {
      this.#registers.answer(questionOfList(write.list), start, this.#clock);
    }
  }

  #local(effects: Effects): number {
    const start = ++this.#tick;
    this.#add(start, effects).settle = start;
    return start;
  }

  /** What no request of the program says. */
  #add(start: number, effects: Effects): Transaction {
    const added: Transaction = {
      id: this.#transactions.length,
      kind: 'read',
      start,
      settle: undefined,
      effects,
      request: undefined,
      failed: false,
      superseded: false,
      answeredPk: undefined,
    };
    this.#transactions.push(added);
    return added;
  }

  /** What is seen now. `confirmedOnly` leaves out whatever failed or is in flight, as if it had never been asked. */
  visible(confirmedOnly = false): Visible {
    const current = this.#current();
    const transactions = confirmedOnly
      ? current.filter(({ settle, failed }) => settle !== undefined && !failed)
      : current;
    const patches = new Map<RowKey, Entry<Patch>[]>();
    const operations: Entry<ListOperation>[] = [];
    for (const transaction of transactions) {
      for (const what of transaction.effects.patches) {
        const entries = patches.get(what.cell);
        if (entries === undefined) patches.set(what.cell, [{ by: transaction, what }]);
        else entries.push({ by: transaction, what });
      }
      for (const what of transaction.effects.operations) operations.push({ by: transaction, what });
    }
    const sight = new Sight({
      patches,
      operations,
      mergeIssues: this.#mergeIssues,
      realPk: (temporary) =>
        this.#transactions[Number(temporary.slice(1))]?.answeredPk ?? temporary,
    });
    const rows = new Map<RowKey, Row>();
    for (const cell of patches.keys()) {
      const row = sight.row(cell);
      if (row !== undefined) rows.set(cell, row);
    }
    const lists = new Map(LIST_NAMES.map((name) => [name, sight.list(name)]));
    const clock = this.#clock;
    return {
      rows,
      lists,
      touched: new Set([...patches.keys()].filter((cell) => !rows.has(cell))),
      asked: (read) => this.#registers.look(JSON.stringify(read), clock),
    };
  }
}

function questionOfList(list: ListName): Question {
  return JSON.stringify({ type: 'readList', list, shared: true });
}

/** The rows that are said something about. */
function cellsOf({ patches }: Effects): readonly RowKey[] {
  return patches.filter(({ kind }) => kind === 'fields').map(({ cell }) => cell);
}

/** The row or list that a read answers. */
function keyOf(read: Request): string {
  if ('list' in read) return `list:${read.list}`;
  return 'id' in read ? `${read.type === 'readIssue' ? 'Issue' : 'User'}:${read.id}` : '';
}

/** Whether a reader of this read's question sees rows, whoever brought them. */
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
