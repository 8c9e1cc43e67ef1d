import type { Operation } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';

/**
 * A request that never ends freezes nothing. Two minutes after its start it is stalled: it raises no other mutation, withholds no
 * member, and what it held back folds. What was confirmed meanwhile overtakes it, cell by cell:
 *
 * ```
 *   M1  title: A  ├────────────── 2 min ─ ─ ─ ─ ─ ─ ─ ─┤  shows A, also over newer reads, until M2 is confirmed: then B for good
 *   M2  title: B                          ├────┤
 * ```
 */

/** Milliseconds after which a request that was not answered is stalled, and nobody waits for it any more. */
export const STALLED = 120_000;

/** Notes what is said of a cell. Once it is confirmed, it overtakes stalled reads that rank below it, and mutations that were sent earlier. */
export function noteOvertaken(
  { stalled }: Store,
  cell: Cell,
  { kind, start, settle }: Transaction,
  type?: Operation['type'],
): void {
  // Called for every row of an answer, and nothing is stalled.
  for (const { kind: stalledKind, start: since, overtaken } of stalled.size > 0 ? stalled : []) {
    const isAbove =
      stalledKind === 'mutation'
        ? kind === 'mutation' && start > since
        : (kind === 'mutation' || type === 'page' ? settle : start) > since;
    if (isAbove && settle < Infinity) {
      overtaken?.add(cell);
    }
  }
}

/** Whether a cell says that a row was deleted which a stalled request may still answer: forgotten, the row would come back. */
export function isAwaitedDeletion({ stalled }: Store, cell: Cell): boolean {
  return cell.shown === null && [...stalled].some(({ overtaken }) => overtaken?.has(cell));
}
