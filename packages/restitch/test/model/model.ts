/**
 * The naive model of the store: it keeps every transaction for ever and recomputes every row and list from nothing, in rank order.
 * It follows the written rules of order and shares no code and no representation with the store.
 *
 * Covered: reads of rows and lists, mutations with value patches (partial, whole and empty answers), deletions, creates with temporary
 * and with own pks, further pages of lists, `set` of values and functions, whole-list writes, lists born late, relations and cycles, a custom merge, `shouldReorder`; and,
 * where the generators' `functionLayers` is on, optimistic functions of a row's own older state.
 * Not covered: results and errors as such, hydration, snapshots that read other rows, relations to temporary
 * rows, collection, undo.
 */
import {
  createEffects,
  deleteEffects,
  entityOf,
  issuePatches,
  listEffects,
  NOTHING,
  userPatches,
  type Effects,
  type ListOperation,
  type Patch,
  type Row,
  type RowKey,
} from './effects.js';
import { concerns, foldList, foldRow } from './folds.js';
import { MERGES, overwrite, type Merge, type Merging } from './merges.js';
import {
  isRead,
  LIST_NAMES,
  type Ending,
  type Id,
  type IssuePayload,
  type ListName,
  type Request,
  type Write,
} from './program.js';
import type { Entry, Ranked } from './rank.js';

interface Transaction extends Ranked {
  settle: number | undefined;
  /** What it does now: the guess while in flight, then the answer, or nothing. */
  effects: Effects;
  readonly request: Request | undefined;
  failed: boolean;
}

/** What everybody sees. Lists hold only members whose rows exist; an unknown list is undefined. */
export interface Visible {
  readonly rows: ReadonlyMap<RowKey, Row>;
  readonly lists: ReadonlyMap<ListName, readonly RowKey[] | undefined>;
  /** Rows that are not there, but that something was said about: a deletion, or a guess that waits for the row. */
  readonly touched: ReadonlySet<RowKey>;
}

export class Model {
  readonly #transactions: Transaction[] = [];
  readonly #mergeIssues: Merge;
  #tick = 0;

  constructor(options: { readonly merging: Merging }) {
    this.#mergeIssues = MERGES[options.merging];
  }

  /** Starts a request; its guess shows at once. Returns its number. */
  begin(request: Request): number {
    const id = this.#transactions.length;
    const kind = isRead(request) ? 'read' : 'mutation';
    this.#transactions.push({
      id,
      kind,
      start: ++this.#tick,
      settle: undefined,
      effects: guessOf(request, id),
      request,
      failed: false,
    });
    return id;
  }

  settle(id: number, ending: Ending): void {
    const transaction = this.#transactions[id];
    if (transaction?.request === undefined || transaction.settle !== undefined)
      throw new Error(`request ${id} is not in flight`);
    transaction.settle = ++this.#tick;
    if (ending.how === 'fail' || ending.how === 'abort') {
      transaction.failed = true;
      transaction.effects = NOTHING;
    } else if (!answersNoRow(transaction.request, ending)) {
      transaction.effects = answerOf(transaction.request, ending);
    } else {
      // A success without a row keeps the guess as what is confirmed.
      transaction.effects = {
        patches: transaction.effects.patches,
        operations: transaction.effects.operations.map((operation) =>
          operation.kind === 'add' ? { ...operation, temporary: false } : operation,
        ),
      };
    }
  }

  /** A write that starts and ends now: it ranks like a read, below the mutations in flight. */
  write(write: Write): void {
    const start = ++this.#tick;
    this.#transactions.push({
      id: this.#transactions.length,
      kind: 'read',
      start,
      settle: start,
      effects: effectsOfWrite(write),
      request: undefined,
      failed: false,
    });
  }

  /** What is seen now. `confirmedOnly` leaves out whatever failed or is in flight, as if it had never been asked. */
  visible(confirmedOnly = false): Visible {
    const transactions = confirmedOnly
      ? this.#transactions.filter(({ settle, failed }) => settle !== undefined && !failed)
      : this.#transactions;
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
    const rows = new Map<RowKey, Row>();
    for (const [cell, entries] of patches) {
      const row = foldRow(entries, entityOf(cell) === 'Issue' ? this.#mergeIssues : overwrite);
      if (row !== undefined) rows.set(cell, row);
    }
    const lists = new Map<ListName, readonly RowKey[] | undefined>();
    for (const list of LIST_NAMES) {
      const members = foldList(operations.filter(({ what }) => concerns(what, list)));
      lists.set(
        list,
        members?.filter((member) => rows.has(member)),
      );
    }
    return { rows, lists, touched: new Set([...patches.keys()].filter((cell) => !rows.has(cell))) };
  }
}

/** Whether the request succeeded without telling a row. */
export function answersNoRow(request: Request, ending: Ending): boolean {
  if (ending.how !== 'empty' || isRead(request)) return false;
  // A delete that guessed nothing is always answered with the pk: only then does the response say what was deleted.
  return !(
    (request.type === 'deleteIssue' || request.type === 'deleteUser') &&
    !request.optimistic
  );
}

function guessOf(request: Request, id: number): Effects {
  switch (request.type) {
    case 'readIssue':
    case 'readUser':
    case 'readList':
    case 'readPage':
      return NOTHING;
    case 'patchIssue':
      if (request.guess === undefined) return NOTHING;
      return {
        patches: issuePatches({ id: request.id, ...request.guess }, `Issue:${request.id}`, false),
        operations: [],
      };
    case 'patchUser':
      if (request.guess === undefined) return NOTHING;
      return {
        patches: userPatches({ id: request.id, ...request.guess }, `User:${request.id}`, false),
        operations: [],
      };
    case 'incrementIssue': {
      const apply = (row: Row | undefined): Row | undefined =>
        row && { id: request.id, n: countOf(row) + 1 };
      return { patches: [{ kind: 'layer', cell: `Issue:${request.id}`, apply }], operations: [] };
    }
    case 'deleteIssue':
      return request.optimistic ? deleteEffects(`Issue:${request.id}`) : NOTHING;
    case 'deleteUser':
      return request.optimistic ? deleteEffects(`User:${request.id}`) : NOTHING;
    case 'create':
      if (request.guess === 'none') return NOTHING;
      if (request.guess === 'temporary')
        return createEffects(`Issue:~${id}`, request.body, request, true);
      return createEffects(
        `Issue:${request.guess.id}`,
        { ...request.guess, ...request.body },
        request,
        false,
      );
  }
}

function answerOf(request: Request, ending: Ending): Effects {
  switch (request.type) {
    case 'readIssue':
    case 'patchIssue':
    case 'incrementIssue':
      return {
        patches: issuePatches({ id: request.id, ...ending.issue }, `Issue:${request.id}`, true),
        operations: [],
      };
    case 'readUser':
    case 'patchUser':
      return {
        patches: userPatches({ id: request.id, ...ending.user }, `User:${request.id}`, true),
        operations: [],
      };
    case 'readList':
      return listEffects(request.list, ending.rows);
    case 'readPage':
      return listEffects(request.list, ending.rows, 'page');
    case 'deleteIssue':
      return deleteEffects(`Issue:${request.id}`);
    case 'deleteUser':
      return deleteEffects(`User:${request.id}`);
    case 'create':
      return createEffects(
        `Issue:${createdId(request, ending)}`,
        createdRow(request, ending),
        request,
        false,
      );
  }
}

/** The id a create is answered with: the client's own choice if it made one. */
export function createdId(request: Request & { readonly type: 'create' }, ending: Ending): Id {
  return typeof request.guess === 'string' ? ending.id : request.guess.id;
}

/** The row a create is answered with. */
export function createdRow(
  request: Request & { readonly type: 'create' },
  ending: Ending,
): IssuePayload {
  return { ...(ending.faithful ? request.body : ending.issue), id: createdId(request, ending) };
}

function effectsOfWrite(write: Write): Effects {
  switch (write.type) {
    case 'setIssue':
      return {
        patches: issuePatches(write.value, `Issue:${write.value.id}`, true),
        operations: [],
      };
    case 'setUser':
      return { patches: userPatches(write.value, `User:${write.value.id}`, true), operations: [] };
    case 'bumpIssue': {
      const apply = (row: Row | undefined): Row => ({ id: write.id, n: countOf(row) + 1 });
      return { patches: [{ kind: 'function', cell: `Issue:${write.id}`, apply }], operations: [] };
    }
    case 'receiveList':
      return listEffects(write.list, write.rows);
    case 'receivePage':
      return listEffects(write.list, write.rows, 'page');
  }
}

/** The count as an instance shows it: with the field's default. */
function countOf(row: Row | undefined): number {
  const n = row?.['n'];
  return typeof n === 'number' ? n : 0;
}
