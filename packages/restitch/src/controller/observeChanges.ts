import { notify } from '../store/journal/commit.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Observer } from '../store/cells/Observer.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Operation } from '../store/journal/operations.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { Core } from './Core.js';

/** The cells (rows and lists) and results that one outermost commit may have changed. */
export interface Touched {
  /** The time of the last confirmed write to each cell (see `rankTime`), otherwise 0. */
  readonly cells: Map<Cell, number>;
  readonly results: Set<Result>;
  /** True if hydrated data may have changed, and no endpoint with its schema was used yet. */
  isOfWaiting: boolean;
  isReset: boolean;
}

/**
 * Called at the end of each outermost commit, before readers are notified. Must only read the
 * store. The returned function calls listeners, which may write.
 */
export type Consumer = (store: Store, touched: Touched) => (() => void) | undefined;

export function observe(core: Core, consumer: Consumer): () => void {
  const changes = known.get(core) ?? new Changes();
  known.set(core, changes);
  changes.consumers.add(consumer);
  core.store.observer = changes;
  return () => {
    changes.consumers.delete(consumer);
    if (changes.consumers.size === 0) {
      core.store.observer = undefined;
    }
  };
}

const known = new WeakMap<Core, Changes>();

class Changes implements Observer {
  readonly consumers = new Set<Consumer>();
  /** Emptied after each commit, so consumers must not keep the object. */
  readonly #touched: Touched = {
    cells: new Map(),
    results: new Set(),
    isOfWaiting: false,
    isReset: false,
  };
  readonly #queue: (() => void)[] = [];
  #isReporting = false;
  /** Stores that listeners wrote to, whose readers are notified after all listeners. */
  readonly #later = new Set<Store>();

  cell(cell: Cell, transaction?: Transaction, type?: Operation['type']): void {
    const { cells } = this.#touched;
    const rankedAt = transaction ? rankTime(transaction, type) : 0;
    const before = cells.get(cell);
    if (before === undefined || before < rankedAt) {
      cells.set(cell, rankedAt);
    }
  }

  result(result: Result): void {
    this.#touched.results.add(result);
  }

  waiting(): void {
    this.#touched.isOfWaiting = true;
  }

  moved(from: Store): Observer {
    // Requests in flight still write to the old store, which has no readers.
    from.observer = undefined;
    this.#clear(true);
    return this;
  }

  end(store: Store): boolean {
    for (const consumer of this.consumers) {
      try {
        const report = consumer(store, this.#touched);
        if (report) {
          this.#queue.push(report);
        }
      } catch (error) {
        // The write itself is complete, so readers must still be notified.
        store.report(error);
      }
    }
    this.#clear(false);
    if (this.#isReporting) {
      this.#later.add(store);
      return true;
    }
    this.#isReporting = true;
    // If a listener writes, its changes join the queue. So each listener gets all changes in order.
    for (let report = this.#queue.shift(); report; report = this.#queue.shift()) {
      report();
    }
    this.#isReporting = false;
    for (const other of this.#later) {
      this.#later.delete(other);
      if (other !== store) {
        notify(other);
      }
    }
    return false;
  }

  #clear(isReset: boolean): void {
    const touched = this.#touched;
    touched.cells.clear();
    touched.results.clear();
    touched.isOfWaiting = false;
    touched.isReset = isReset;
  }
}

/** Returns the time that orders a confirmed write among the others. 0 for a pending write. */
function rankTime({ kind, settle, meta }: Transaction, type?: Operation['type']): number {
  if (settle === Infinity) {
    return 0;
  }
  return kind === 'mutation' || type === 'page' ? meta.date : meta.fetchedAt;
}
