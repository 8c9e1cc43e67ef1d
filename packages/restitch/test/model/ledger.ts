/**
 * Every request and write there ever was, and what each does now. Nothing is ever folded or thrown away, except that what a rule calls
 * final stays as it is.
 */
import {
  responseOf,
  answersNoRow,
  createdId,
  guessOf,
  sentAs,
  unpredictedRow,
  waitsFor,
} from './responses.js';
import { NOTHING, type Effects, type Parts, type RowKey } from './effects.js';
import { concerns, isPlace, lengthOf } from './folds.js';
import { MERGES, type Merge, type Merging } from './merges.js';
import { isFailure, isRead, type Ending, type Id, type ListName, type Request } from './program.js';
import type { Ranked } from './rank.js';
import { questionOf, type Question } from './results.js';
import { sightOf, type Sight } from './sight.js';
import {
  answerWithout,
  frozen,
  predictionWithout,
  isFinal,
  isOvertaken,
  LIMIT,
  rowsConfirmedSince,
} from './stalls.js';

export interface Transaction extends Ranked {
  /** Changes where it waits for the key of a row. */
  start: number;
  settle: number | undefined;
  /** Its effect now: the optimistic update while in flight, then the response, or nothing. */
  effects: Effects;
  request: Request | undefined;
  failed: boolean;
  /** Whether another request was sent in its place: its rows still count. */
  superseded: boolean;
  isStalled: boolean;
  /** Of a stalled mutation: the rows that others confirmed which were sent later. They stay so, whatever becomes of the others. */
  readonly overtaken: Set<RowKey>;
  /** Milliseconds since the beginning at which it started. */
  since: number;
  /** Of a create: the primary key that the server gave to its row. */
  answeredPk: string | undefined;
  /** Of a page: its list as it was when it was asked for. */
  readonly behind: Parts | undefined;
  /** Of a page: its place was gone when it came. Whether it still fits what the list is, and is asked for again. */
  lost: 'again' | 'for good' | undefined;
}

export class Ledger {
  readonly #transactions: Transaction[] = [];
  readonly #mergeIssues: Merge;
  #tick = 0;
  /** Milliseconds since the beginning. */
  clock = 0;
  /** What started before counts no more. */
  #epoch = 0;

  constructor(merging: Merging) {
    this.#mergeIssues = MERGES[merging];
  }

  /** The last event. */
  get tick(): number {
    return this.#tick;
  }

  /** Something happens. */
  next(): number {
    return ++this.#tick;
  }

  /** Starts a request; its optimistic update shows at once. Returns its number. */
  begin(request: Request): number {
    // Two requests for one question are never wanted at once.
    for (const older of this.awaited(questionOf(request))) older.superseded = true;
    const kind = isRead(request) ? 'read' : 'mutation';
    const optimistic = guessOf(request, this.#transactions.length);
    return this.#push(kind, this.next(), optimistic, request).id;
  }

  /** What no request of the program says; it is not settled yet. */
  add(start: number, effects: Effects): Transaction {
    return this.#push('read', start, effects, undefined);
  }

  /** A write that starts and ends now: it ranks like a read, below the mutations in flight. Returns its start. */
  local(effects: Effects): number {
    const start = this.next();
    this.add(start, effects).settle = start;
    this.#finalize();
    return start;
  }

  /** Ends a request. Those that waited for the row that it created are sent, or fail, one after the other. */
  settle(id: number, ending: Ending): Transaction {
    const transaction = this.#transactions[id];
    if (transaction?.request === undefined || transaction.settle !== undefined)
      throw new Error(`request ${id} is not in flight`);
    const { request } = transaction;
    const before = this.sight();
    transaction.settle = this.next();
    if (isFailure(ending)) {
      fail(transaction);
    } else if (request.type === 'readPage') {
      this.#place(transaction, request, ending);
    } else if (!answersNoRow(request, ending)) {
      transaction.effects = this.#counted(transaction, responseOf(request, ending), before);
      if (request.type === 'create') transaction.answeredPk = String(createdId(request, ending));
    } else {
      // A success without a row keeps the optimistic update as what is confirmed. Without one, it counts as a response that holds
      // the key alone, of a row that is there.
      const cell = unpredictedRow(request);
      const touched: Effects = {
        patches:
          cell && before.row(cell) ? [{ kind: 'fields', cell, fields: {}, creates: false }] : [],
        operations: [],
      };
      transaction.effects = {
        patches: cell
          ? this.#counted(transaction, touched, before).patches
          : transaction.effects.patches,
        operations: transaction.effects.operations.map((operation) =>
          operation.kind === 'add' && operation.temporary
            ? { ...operation, temporary: 'unnamed' as const }
            : operation,
        ),
      };
    }
    if (!isFailure(ending) && answersNoRow(request, ending))
      this.#noteUnknown(transaction, request);
    this.#withdrawOvertaken(before);
    this.#finalize();
    if (request.type === 'create') this.#endWaiting(transaction, createdId(request, ending));
    return transaction;
  }

  /** The number of mutations in flight with an optimistic update of a row. An optimistic function that declines writes nothing. */
  pendingOn(cell: RowKey): number {
    const sight = this.sight();
    return this.current().filter(
      ({ kind, settle, start, effects: { patches } }) =>
        kind === 'mutation' &&
        settle === undefined &&
        patches.some(
          (patch) =>
            patch.cell === cell && (patch.kind !== 'layer' || patch.apply(sight.before(start))),
        ),
    ).length;
  }

  /** A row of which no effect tells is confirmed all the same: it overtakes older mutations. */
  #noteUnknown(transaction: Transaction, request: Request): void {
    const row = unpredictedRow(request) ?? this.declinedRow(transaction);
    for (const { kind, start, overtaken } of this.current())
      if (row && kind === 'mutation' && start < transaction.start) overtaken.add(row);
  }

  /** The row of an optimistic function that declines, or declined when it became final. */
  declinedRow({ start, request, effects: { patches } }: Transaction): RowKey | undefined {
    const before = this.sight().before(start);
    const declines = patches.every((patch) => patch.kind === 'layer' && !patch.apply(before));
    const isFunction = request?.type === 'incrementIssue' || request?.type === 'copyIssue';
    return declines && isFunction ? `Issue:${request.id}` : undefined;
  }

  /** Requests that wait for the row of a create, in the order in which they were asked for. */
  waitingFor(create: number): readonly Transaction[] {
    return this.current().filter(
      ({ request, settle }) => settle === undefined && waitsFor(request) === create,
    );
  }

  /** Requests that waited for a row are sent, or fail, in the order in which they were asked for. */
  #endWaiting({ id: create, answeredPk }: Transaction, settled: Id): void {
    for (const waiting of this.waitingFor(create)) {
      if (answeredPk === undefined) {
        waiting.settle = this.next();
        fail(waiting);
      } else this.#send(waiting, settled);
      this.#finalize();
    }
  }

  #predict({ id: number, request }: Transaction, id: Id): Effects {
    return request === undefined ? NOTHING : guessOf(sentAs(request, id), number);
  }

  /** It takes its rank when it is sent: its response comes after those of all requests that were sent before. */
  #send(transaction: Transaction, id: Id): void {
    transaction.effects = this.#predict(transaction, id);
    transaction.request = transaction.request && sentAs(transaction.request, id);
    transaction.start = this.next();
    transaction.since = this.clock;
    transaction.isStalled = false;
    transaction.overtaken.clear();
  }

  /** A page whose place is gone stores its rows, and is none of the list. */
  #place(page: Transaction, request: Request & { type: 'readPage' }, ending: Ending): void {
    const { behind } = page;
    const now = this.parts(request.list);
    page.effects = responseOf(request, ending, behind);
    if (now === undefined || isPlace(now, behind)) return;
    page.effects = { ...page.effects, operations: [] };
    const isFirst = !now.hasPages && behind?.hasPages === false;
    // It may mean the last row as well, which must then be the same one.
    const isLast = (parts: Parts | undefined): boolean => parts?.end === `Issue:${request.at}`;
    const isSameRow = isLast(now) === isLast(behind);
    // A number fits any first page, an offset only what is as long.
    const fits = request.by === 'offset' ? lengthOf(now) === request.at : isFirst;
    page.lost = fits && isSameRow ? 'again' : 'for good';
  }

  /** See `Transaction.lost`. */
  lost(id: number): Transaction['lost'] {
    return this.#transactions[id]?.lost;
  }

  /** A list as a response would find it that came now. */
  parts(list: ListName): Parts | undefined {
    return this.sight().parts(list);
  }

  /** The parts of a response that count. */
  #counted(transaction: Transaction, response: Effects, sight: Sight): Effects {
    return transaction.isStalled && transaction.kind === 'mutation'
      ? answerWithout(response, this.#overtaken(transaction, sight))
      : response;
  }

  /** See `Transaction.overtaken`. */
  #overtaken({ start, overtaken }: Transaction, sight: Sight): ReadonlySet<RowKey> {
    for (const row of rowsConfirmedSince(start, this.current(), sight)) overtaken.add(row);
    return overtaken;
  }

  /** Whether the rules say what a response does: they do not where something newer overtook a stalled read. */
  mayAnswer(id: number, ending: Ending): boolean {
    const transaction = this.#transactions[id];
    const request = transaction?.request;
    if (request === undefined || !transaction?.isStalled || !isRead(request)) return true;
    return !isOvertaken(
      transaction,
      responseOf(request, ending),
      this.current(),
      (operation) => request.type === 'readList' && concerns(operation, request.list),
    );
  }

  /** Time passes, and then something settles. Requests that reach the limit together are cut together. */
  stall(milliseconds: number): void {
    this.clock += milliseconds;
    const sight = this.sight();
    const late = this.current().filter(
      ({ settle, isStalled, since, request }) =>
        request !== undefined && settle === undefined && !isStalled && since < this.clock - LIMIT,
    );
    this.#freeze(late, sight);
    for (const transaction of late) transaction.isStalled = true;
    this.#withdrawOvertaken(sight);
    this.#finalize();
  }

  /** Takes back what stalled mutations predict of rows that others confirmed which were sent later. */
  #withdrawOvertaken(sight: Sight): void {
    for (const transaction of this.current()) {
      const { kind, isStalled, settle, effects } = transaction;
      if (kind !== 'mutation' || !isStalled || settle !== undefined) continue;
      transaction.effects = predictionWithout(effects, this.#overtaken(transaction, sight));
    }
  }

  /**
   * Optimistic functions have run again: what they write now may overtake an optimistic update.
   * Without that update they may write something else again.
   * A function that a 204 confirmed runs no more once nothing that is not stalled is older.
   */
  #finalize(): void {
    const countOvertaken = (): number =>
      this.current().reduce((count, { overtaken }) => count + overtaken.size, 0);
    for (let before = -1; before < countOvertaken();) {
      before = countOvertaken();
      this.#withdrawOvertaken(this.sight());
    }
    const done = this.current().filter(
      (one) =>
        one.effects.patches.some(({ kind }) => kind === 'layer') && isFinal(one, this.current()),
    );
    this.#freeze(done, this.sight());
  }

  #freeze(transactions: readonly Transaction[], sight: Sight): void {
    const effects = transactions.map((transaction) => frozen(transaction, sight));
    for (const [index, transaction] of transactions.entries())
      transaction.effects = effects[index] ?? NOTHING;
  }

  /** Closes the epoch: nothing that was, or is in flight, counts. */
  reset(): void {
    this.#epoch = this.#transactions.length;
  }

  /** Everything that counts. */
  current(): readonly Transaction[] {
    return this.#transactions.filter(({ id }) => id >= this.#epoch);
  }

  /** Requests for a question that the next response is expected of. */
  awaited(question: Question | undefined): readonly Transaction[] {
    return this.current().filter(
      ({ settle, superseded, request }) =>
        question !== undefined &&
        settle === undefined &&
        !superseded &&
        questionOf(request) === question,
    );
  }

  /** What some transactions make of everything. */
  sight(transactions: readonly Transaction[] = this.current()): Sight {
    return sightOf(transactions, {
      mergeIssues: this.#mergeIssues,
      realPk: (temporary) =>
        this.#transactions[Number(temporary.slice(1))]?.answeredPk ?? temporary,
    });
  }

  #push(
    kind: 'read' | 'mutation',
    start: number,
    effects: Effects,
    request: Request | undefined,
  ): Transaction {
    const pushed: Transaction = {
      id: this.#transactions.length,
      kind,
      start,
      settle: undefined,
      effects,
      request,
      failed: false,
      superseded: false,
      isStalled: false,
      overtaken: new Set(),
      since: this.clock,
      answeredPk: undefined,
      behind: request?.type === 'readPage' ? this.parts(request.list) : undefined,
      lost: undefined,
    };
    this.#transactions.push(pushed);
    return pushed;
  }
}

function fail(transaction: Transaction): void {
  transaction.failed = true;
  transaction.effects = NOTHING;
}
