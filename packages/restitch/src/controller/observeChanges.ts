import { notify } from '../store/journal/commit.js';
import type { Cell } from '../store/cells/Cell.js';
import type { Observer } from '../store/cells/Observer.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Operation } from '../store/journal/operations.js';
import type { Transaction } from '../store/journal/Transaction.js';
import type { Core } from './Core.js';

/** The cells and results that one outermost commit may have changed. */
export interface Touched {
  /**
   * The cells. The value is the latest rank time of the confirmed writes to the cell, in
   * milliseconds since 1970. It is 0 without a confirmed write, as after a change of optimistic
   * patches or a new key.
   */
  readonly cells: Map<Cell, number>;
  readonly results: Set<Result>;
  /** True if hydrated parts that wait for their schema may have changed. */
  isOfWaiting: boolean;
  /** True if a reset replaced the store. */
  isReset: boolean;
}

/**
 * Called at the end of each outermost commit, before readers are notified. It must only read the
 * store. It returns a function that calls listeners, which may write.
 */
export type Consumer = (store: Store, touched: Touched) => (() => void) | undefined;

/** Adds a consumer of the changes of a controller. Returns a function that removes it. */
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

/** Collects the changes of a commit and passes them to the consumers. */
class Changes implements Observer {
  readonly consumers = new Set<Consumer>();
  /**
   * The changes of the current commit. It is emptied after the commit, so consumers must not keep
   * it.
   */
  readonly #touched: Touched = {
    cells: new Map(),
    results: new Set(),
    isOfWaiting: false,
    isReset: false,
  };
  readonly #queue: (() => void)[] = [];
  #isReporting = false;
  /** Stores that listeners wrote to. Their readers are notified after all listeners. */
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
    // Requests in flight still write to the old store, which no reader uses.
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
    // A listener that writes adds to the queue, so all listeners get the changes in order.
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

/**
 * Returns the time that determines the rank of a confirmed write (see `rankOf`). Returns 0 for an
 * optimistic write.
 */
function rankTime({ kind, settle, meta }: Transaction, type?: Operation['type']): number {
  if (settle === Infinity) {
    return 0;
  }
  return kind === 'mutation' || type === 'page' ? meta.date : meta.fetchedAt;
}
