/** A listener of the change feed that folds all changes, and compares the result with the exported state. */
import {
  pendingOf,
  type Controller,
  type ListState,
  type ResultState,
  type RowState,
  type StoreState,
} from 'restitch';
import { applyChange, changes, getState, type ChangeSet } from 'restitch/state';
import { isDeepStrictEqual } from 'node:util';
import { Disagreement } from './checker.js';
import type { Visible } from './model.js';
import type { RowKey } from './effects.js';
import { Issue, User } from './entities.js';
import { ISSUE_IDS, LIST_NAMES, LISTS, USER_IDS } from './program.js';
import { LIFETIME } from './results.js';

const ROWS: readonly RowKey[] = [
  ...ISSUE_IDS.map((id) => `Issue:${id}`),
  ...USER_IDS.map((id) => `User:${id}`),
];

/** What the changes so far come to, by names. Lifetimes of rows are left out. */
interface Folded {
  readonly rows: Map<string, Omit<RowState, 'expiresAt'>>;
  readonly lists: Map<string, Omit<ListState, 'expiresAt'>>;
  readonly results: Map<string, ResultState>;
}

/** A mistake in the changes, as it would look from outside; undefined where a change is left out. */
export type Mistake = (change: ChangeSet, controller: Controller) => ChangeSet | undefined;

export class Follower {
  readonly #controller: Controller;
  /** Whether garbage collection runs: the changes then know more than the store. */
  readonly #isForgetful: boolean;
  #folded: Folded;
  /** The same by the function of the library. */
  #applied: StoreState;
  #seq = 0;
  /** The changes of the running step. */
  #changes: ChangeSet[] = [];
  /** The real keys of created rows in the changes so far. */
  readonly #named = new Set<string>();
  /** Rows that were deleted, and may have come back since. */
  readonly #gone = new Set<string>();
  /** The last lifetime of each row in the changes so far. */
  readonly #expiries = new Map<string, number>();
  /** The created row that the server names in the running step. */
  #namedRow: string | undefined;
  #error: Error | undefined;

  constructor(controller: Controller, isForgetful: boolean, mistake: Mistake = (change) => change) {
    this.#controller = controller;
    this.#isForgetful = isForgetful;
    this.#applied = getState(controller);
    this.#folded = folded(this.#applied);
    changes(controller, (notified) => {
      const change = mistake(notified, controller);
      if (!change) return;
      try {
        this.#fold(change);
        this.#compare('when its listener is called');
      } catch (error) {
        this.#error ??= error instanceof Error ? error : new Error(String(error));
      }
    });
  }

  beforeStep(): void {
    this.#changes = [];
    this.#namedRow = undefined;
  }

  /** The server names a created row in this step: the changes have to say so. */
  expectName(row: string | undefined): void {
    this.#namedRow = row;
  }

  /** `most`: how many changes the step may report. */
  afterStep(most: number, isOptimistic: boolean): void {
    // Hydrated parts move into the store when they are first read; what they lose then is in the next commit.
    this.#controller.batch(() => {});
    if (this.#error) throw this.#error;
    const { length } = this.#changes;
    if (length > most) throw new Disagreement(`${length} changes for ${most} commits`);
    if (isOptimistic && length > 0)
      throw new Disagreement(`a request that starts changes ${JSON.stringify(this.#changes)}`);
    const isNamed = this.#changes.some(({ rows }) =>
      rows.some(({ renamedFrom }) => renamedFrom !== undefined),
    );
    // The response to a stalled create stores no row if a later request wrote the row of its key.
    if (this.#folded.rows.get(this.#namedRow ?? '')?.fields && !isNamed)
      throw new Disagreement('no change names the created row');
    this.#compare('after the step');
  }

  /** Compares with what the naive model says is confirmed. */
  compareWith({ rows, lists }: Visible): void {
    const here = this.#folded.rows;
    for (const [key, row] of rows) {
      const fields = here.get(key)?.fields ?? undefined;
      if (!key.includes('~') && !isDeepStrictEqual(textsIn(fields), textsIn(row)))
        throw new Disagreement(`folded ${JSON.stringify(fields)}, model ${JSON.stringify(row)}`);
    }
    for (const [key, { fields }] of here) {
      if (fields && !rows.has(key) && !key.startsWith('Unrelated:'))
        throw new Disagreement(`${key} is in a change, the model has none`);
    }
    const byArgs = new Map(
      [...this.#folded.lists.values()].map(({ args, listing }) => [JSON.stringify(args), listing]),
    );
    for (const name of LIST_NAMES) {
      const members = byArgs
        .get(JSON.stringify(LISTS[name]))
        ?.members.map((pk) => `Issue:${String(pk)}`)
        .filter((key) => here.get(key)?.fields);
      const expected = lists.get(name)?.filter((key) => !key.includes('~'));
      // A list that waits for its schema still contains the rows that were deleted meanwhile.
      const stays = (key: string): boolean => !this.#gone.has(key);
      if (!isDeepStrictEqual(members?.filter(stays), expected?.filter(stays)))
        throw new Disagreement(`${name}: folded ${members?.join()}, model ${expected?.join()}`);
    }
  }

  /** Compares the mutations of each row; `expected`: how many there are. */
  comparePending(expected: (row: RowKey) => number): void {
    for (const key of ROWS) {
      const [entity, id] = key.split(':');
      const record =
        entity === 'User' ? User.fromJS({ id: id ?? '' }) : Issue.fromJS({ id: id ?? '' });
      const pending = pendingOf(this.#controller, record);
      if (pending.length !== expected(key))
        throw new Disagreement(
          `${key}: ${expected(key)} mutations, in the change ${JSON.stringify(pending)}`,
        );
      if (pending !== pendingOf(this.#controller, record))
        throw new Disagreement(`${key}: another array for the same mutations`);
    }
  }

  #fold(change: ChangeSet): void {
    this.#changes.push(change);
    this.#applied = applyChange(this.#applied, change);
    this.#seq += 1;
    if (change.seq !== this.#seq) throw new Disagreement(`change ${change.seq}, not ${this.#seq}`);
    const { rows, lists, results } = this.#folded;
    if (change.cause === 'reset') {
      this.#folded = { rows: new Map(), lists: new Map(), results: new Map() };
      this.#named.clear();
    } else if (change.rows.length + change.lists.length + change.results.length === 0) {
      throw new Disagreement('an empty change');
    }
    for (const { entity, rankedAt, renamedFrom, fields, expiresAt, ...rest } of change.rows) {
      const key = `${entity}:${rest.pk}`;
      const before = rows.get(key);
      if (key.includes('~')) throw new Disagreement(`${key} has no real key`);
      if (!(rankedAt > 0)) throw new Disagreement(`${key} is ranked at ${rankedAt}`);
      if (renamedFrom !== undefined && this.#named.has(renamedFrom))
        throw new Disagreement(`${renamedFrom} is named twice`);
      if (renamedFrom !== undefined) this.#named.add(renamedFrom);
      const after = { ...rest, fields };
      const expiry = Math.abs(expiresAt);
      const gain = Math.abs(expiry - (this.#expiries.get(key) ?? 0));
      this.#expiries.set(key, expiry);
      // A lifetime alone is a change after a quarter of it. A row that was evicted is in a change again.
      const isNews = renamedFrom !== undefined || !isDeepStrictEqual(before, after);
      if (fields && !isNews && gain * 4 < LIFETIME && !this.#isForgetful)
        throw new Disagreement(`${key} did not change`);
      rows.set(key, after);
      if (!fields) this.#gone.add(key);
    }
    for (const { kind, expiresAt: _, ...list } of change.lists)
      lists.set(`${kind} ${JSON.stringify(list.args)}`, list);
    for (const result of change.results) {
      const key = `${result.key} ${result.schema}`;
      if (result.gone) results.delete(key);
      else results.set(key, result);
    }
  }

  #compare(when: string): void {
    const state = folded(getState(this.#controller));
    const applied = folded(this.#applied);
    // A row that came back after a delete or an eviction has lost the fields that it lacks now.
    for (const [key, { lost: _, ...row }] of applied.rows)
      if (this.#isForgetful || !this.#folded.rows.get(key)?.lost) applied.rows.set(key, row);
    if (!isDeepStrictEqual(applied, this.#folded))
      throw new Disagreement(`${when}: applyChange gives ${JSON.stringify(this.#applied)}`);
    for (const part of ['rows', 'lists', 'results'] as const) {
      const known: ReadonlyMap<string, unknown> = this.#folded[part];
      const exported: ReadonlyMap<string, unknown> = state[part];
      for (const [key, value] of exported) {
        if (!isDeepStrictEqual(known.get(key), value))
          throw new Disagreement(
            `${when}: ${key} is ${JSON.stringify(value)}, in the changes ${JSON.stringify(known.get(key))}`,
          );
      }
      for (const key of this.#isForgetful ? [] : known.keys()) {
        if (!exported.has(key))
          throw new Disagreement(`${when}: ${key} is in the changes and not in the state`);
      }
    }
  }
}

function folded({ entities, lists, results }: StoreState): Folded {
  return {
    rows: new Map(
      Object.entries(entities).flatMap(([entity, rows]) =>
        rows.map(({ expiresAt: _, ...row }) => [`${entity}:${row.pk}`, row] as const),
      ),
    ),
    lists: new Map(
      Object.entries(lists).flatMap(([kind, known]) =>
        known.map(
          ({ expiresAt: _, ...list }) => [`${kind} ${JSON.stringify(list.args)}`, list] as const,
        ),
      ),
    ),
    results: new Map(results.map((result) => [`${result.key} ${result.schema}`, result])),
  };
}

/** Keys as texts, because a server may spell them as numbers. All temporary keys are one: creates that failed leave them behind. */
function textsIn(row: Readonly<Record<string, unknown>> | undefined): unknown {
  const isTemporary = String(row?.['parent']).startsWith('~');
  return row && { ...row, id: String(row['id']), ...(isTemporary && { parent: '~' }) };
}
