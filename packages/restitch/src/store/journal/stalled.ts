import { markOutOfOrder } from './outOfOrderMarks.js';
import type { Operation } from './operations.js';
import type { Cell } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from './Transaction.js';

/**
 * A request without a response must not delay the folding of patches forever. After two minutes,
 * the request is stalled: it no longer counts as in flight, so other patches are folded. Changes
 * that are confirmed later overtake the stalled request, cell by cell:
 *
 * ```
 *   M1  title: A  ├────────────── 2 min ─ ─ ─ ─ ─ ─ ─ ─┤
 *   M2  title: B                          ├────┤
 *   value          A, even over newer reads      B for good, because M2 is confirmed
 * ```
 */

export const STALLED = 120_000;

/** If the clock was set back by two minutes, the request counts as stalled, too. */
export function isStalled(sentAt: number, now: number): boolean {
  return Math.abs(now - sentAt) >= STALLED;
}

/** Only a confirmed mutation that was sent later can overtake a stalled mutation. */
export function noteOvertaken(
  store: Store,
  cell: Cell,
  transaction: Transaction,
  type?: Operation['type'],
): void {
  const { kind, start, settle, isEmpty } = transaction;
  const { stalled, observer } = store;
  observer?.cell(cell, transaction, type);
  // Optimization: skipped without stalled requests, because this runs for every row of a response.
  for (const other of stalled.size > 0 ? stalled : []) {
    const { kind: stalledKind, start: since, overtaken, cells } = other;
    const isAbove =
      stalledKind === 'mutation'
        ? kind === 'mutation' && start > since
        : (kind === 'mutation' || type === 'page' ? settle : start) > since;
    if (isAbove && settle < Infinity) {
      overtaken?.add(cell);
      // The row loses the stalled value, but the server may have it: only a response can tell.
      if (isEmpty && cell.table.kind === 'rows' && cells?.has(cell)) {
        markOutOfOrder(store, cell, settle);
      }
    }
  }
}

/** True if the response of a stalled request could restore the deleted row. */
export function isAwaitedDeletion({ stalled }: Store, cell: Cell): boolean {
  return cell.current === null && [...stalled].some(({ overtaken }) => overtaken?.has(cell));
}
