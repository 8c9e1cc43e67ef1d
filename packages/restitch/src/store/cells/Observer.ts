import type { Operation } from '../journal/operations.js';
import type { Transaction } from '../journal/Transaction.js';
import type { Cell } from './Cell.js';
import type { Result } from './Result.js';
import type { Store } from './Store.js';

/** Optimization: programs that observe no changes do not download the implementation. */
export interface Observer {
  /** Called when a cell may change. Without a `transaction`, the cell is only computed again. */
  cell(cell: Cell, transaction?: Transaction, type?: Operation['type']): void;
  result(result: Result): void;
  /** Called when hydrated data whose schema is still unknown may have changed. */
  waiting(): void;
  /** Returns true if a listener made the commit. The observer then notifies the readers later. */
  end(store: Store): boolean;
  /** Called when a reset replaces the store. Returns the observer of the next store. */
  moved(from: Store): Observer;
}
