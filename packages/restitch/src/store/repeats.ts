import type { EntityShape } from '../schema/shape.js';
import { noteUse } from './cells.js';
import { isFields } from './fold.js';
import { noteMeta } from './metas.js';
import { noteOvertaken } from './stalled.js';
import { isStack } from './patches.js';
import { isLowest } from './rank.js';
import { equalFields } from './record.js';
import type { Cell, Fields, Repeat, Store, Transaction } from './state.js';

/**
 * A poll beside an older request says of most rows what is stored of them. It has to be remembered that it does, since the older
 * answer goes below it; but no patch is made for each row:
 *
 * ```
 *   R1   ├──────────────────────┤ n: 1      goes under what R2 said: n stays 2
 *   R2        ├─────┤ n: 2                  as stored: the row holds the `Repeat` of R2, which holds the row
 * ```
 */

/** Notes that a transaction says of a row what is stored of it; false where it says something else, or other patches lie there. */
export function noteRepeat(
  store: Store,
  cell: Cell,
  fields: Fields,
  transaction: Transaction,
  shape: EntityShape,
): boolean {
  const { stack, shown } = cell;
  if (shape.custom.merge || isStack(stack)) {
    return false;
  }
  if (!isFields(shown) || !equalFields(shown, fields)) {
    return false;
  }
  const other = stack?.transaction;
  if (other && other !== transaction && store.watchers.size > 0) {
    // A guess that began between the two sees the row with the first one only.
    return false;
  }
  noteUse(store, cell);
  noteOvertaken(store, cell, transaction);
  // Of two the later one is enough: it says all that the other does.
  if (!other || other.start < transaction.start) {
    const repeats = (transaction.repeats ??= []);
    let own = repeats.find((one) => one.shape === shape);
    if (!own) {
      own = { transaction, shape, cells: [], left: 0 };
      repeats.push(own);
    }
    own.cells.push(cell);
    own.left += 1;
    cell.stack = own;
    if (stack) {
      leave(stack);
    }
  }
  return true;
}

/** One row less: beside a request that hangs, a poll every second must not leave its rows behind each time. */
function leave(own: Repeat): void {
  own.left -= 1;
  if (own.left * 2 < own.cells.length) {
    own.cells = own.cells.filter(({ stack }) => stack === own);
  }
}

/**
 * Folds what a transaction repeats, once nothing can come below it: a guess that was confirmed earlier may still run again. One
 * that only looks at a row does not need the repetition apart, since it sees the same without.
 */
export function foldRepeats(store: Store, transaction: Transaction): void {
  if (!isLowest(store, transaction, transaction.start)) {
    return;
  }
  for (const cell of repeatedBy(transaction)) {
    cell.stack = undefined;
    noteMeta(cell, transaction.meta);
  }
  transaction.repeats = undefined;
}

/** The rows that a transaction repeats: those that were not told anything else meanwhile. */
export function repeatedBy({ repeats = [] }: Transaction): readonly Cell[] {
  return repeats.flatMap((own) => own.cells.filter(({ stack }) => stack === own));
}
