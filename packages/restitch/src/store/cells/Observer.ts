import type { Operation } from '../journal/operations.js';
import type { Transaction } from '../journal/Transaction.js';
import type { Cell } from './Cell.js';
import type { Result } from './Result.js';
import type { Store } from './Store.js';

/**
 * Receives everything that a commit may change. Programs that observe no changes do not download
 * its implementation.
 */
export interface Observer {
  /**
   * Called when a cell may get another value, or gains or loses a patch. `transaction` is the
   * request or local write that writes the cell. It is undefined if patches are only removed or
   * folded.
   */
  cell(cell: Cell, transaction?: Transaction, type?: Operation['type']): void;
  /** Called when a result may get another value or lifetime. */
  result(result: Result): void;
  /** Called when hydrated parts that wait for their schema may have changed. */
  waiting(): void;
  /**
   * Called at the end of an outermost commit, before readers are notified. Returns true if the
   * observer notifies them later, because this commit came from one of its own listeners.
   */
  end(store: Store): boolean;
  /** Called when a reset replaces the store. Returns the observer of the next store. */
  moved(from: Store): Observer;
}
