import type { Operation } from '../journal/operations.js';
import type { Transaction } from '../journal/Transaction.js';
import type { Cell } from './Cell.js';
import type { Result } from './Result.js';
import type { Store } from './Store.js';

/**
 * Notified of the cells and results that a commit may change. Optimization: the store knows only
 * this interface, so programs that observe no changes do not download the implementation.
 */
export interface Observer {
  /**
   * Called when a cell may change. `transaction` is the request or local write that adds a patch;
   * undefined if no patch is added.
   */
  cell(cell: Cell, transaction?: Transaction, type?: Operation['type']): void;
  /** Called when a result may get another value or lifetime. */
  result(result: Result): void;
  /** Called when hydrated data whose schema is still unknown may have changed. */
  waiting(): void;
  /**
   * Called at the end of an outermost commit, before readers are notified. Returns true if a
   * listener of the observer made the commit: the observer then notifies the readers later.
   */
  end(store: Store): boolean;
  /** Called when a reset replaces the store. Returns the observer of the next store. */
  moved(from: Store): Observer;
}
