import { isDevelopment } from '../errors/development.js';
import { LONGEST_TIMER } from '../host/startTimer.js';
import { rowCount, sweep, type SweepPolicy } from '../store/gc/sweep.js';
import type { Steps } from '../store/gc/markReachable.js';
import type { Core } from './Core.js';
import type { LiveView } from './LiveView.js';

/** Options of the garbage collection of data that no reader uses. */
export interface SweepOptions {
  /** Milliseconds between two sweeps; `Infinity` disables them. Default: 300 000. */
  readonly interval?: number;
  /** A result without a reader is kept for this multiple of its lifetime. Default: 2. */
  readonly lifetimes?: number;
}

interface SweeperOptions {
  readonly sweep?: SweepOptions | false;
  readonly maxEntities?: number;
}

/** The milliseconds for which one slice may block. */
const SLICE = 4;

/** Evicts data without readers at intervals, and when there are too many rows. */
export class Sweeper {
  readonly #core: Core;
  /** `Infinity`: sweeps start only above the limit of rows. */
  readonly #interval: number;
  readonly #policy: SweepPolicy<LiveView<unknown>>;
  /** The limit rises if a sweep evicts too few rows. Otherwise, each write would start a sweep. */
  #limit: number;
  #running: Steps | undefined;
  #cancel: (() => void) | undefined;

  constructor(core: Core, { sweep: options = {}, maxEntities = Infinity }: SweeperOptions) {
    this.#core = core;
    const never = { interval: Infinity, lifetimes: Infinity };
    const { interval = 300_000, lifetimes = 2 } = options || never;
    this.#interval = interval;
    this.#limit = maxEntities;
    this.#policy = {
      lifetimes,
      maxRows: maxEntities,
      views: core.views,
      isUnderWay: (result) =>
        core.reads.has(result) || [...core.superseded].some((flight) => flight.result === result),
    };
    refuse(!(interval > 0), 'sweep.interval');
    refuse(!(lifetimes >= 1), 'sweep.lifetimes');
    refuse(!(maxEntities >= 0), 'maxEntities');
  }

  /**
   * `isWrite` is false for a new reader: a synchronous sweep could evict the data before the reader
   * subscribes.
   */
  wake(isWrite: boolean): void {
    if (!this.#cancel && this.#interval < Infinity) {
      this.#plan(this.#interval);
    }
    const rows = this.#limit < Infinity ? rowCount(this.#core.store) : 0;
    if (this.#running) {
      if (isWrite && rows > 2 * this.#limit) {
        // The planned slice may never run: a loop that awaits responses leaves no idle time.
        this.#cancel?.();
        this.#slice(Infinity);
      }
    } else if (rows > this.#limit) {
      this.stop();
      this.#running = sweep(this.#core.store, this.#policy);
      this.#plan(0);
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#running?.return();
    this.#running = undefined;
  }

  #plan(milliseconds: number): void {
    const first = Math.min(milliseconds, LONGEST_TIMER);
    // The weak reference lets an unused controller be collected before its timer ends.
    const self = new WeakRef(this);
    this.#cancel = this.#core.environment.whenIdle(() => {
      const sweeper = self.deref();
      if (sweeper && milliseconds > first) {
        sweeper.#plan(milliseconds - first);
      } else if (sweeper) {
        sweeper.#slice();
      }
    }, first);
  }

  #slice(milliseconds = SLICE): void {
    const { store } = this.#core;
    this.#cancel = undefined;
    try {
      const isLate = store.depth > 0;
      this.#running ??= sweep(store, this.#policy);
      if (isLate || !runFor(this.#running, store.now, milliseconds)) {
        this.#plan(0);
        return;
      }
    } catch (error) {
      store.report(error);
    }
    this.#running = undefined;
    const rows = rowCount(store);
    this.#limit = Math.max(this.#policy.maxRows, rows + Math.floor(rows / 8));
    const { lists, results, hydrated } = store;
    const isEmpty =
      !hydrated && rows + lists.size + results.size + this.#core.views.attached.size === 0;
    if (!isEmpty && this.#interval < Infinity) {
      this.#plan(this.#interval);
    }
  }
}

/** Returns true if all steps are done. */
function runFor(steps: Steps, now: () => number, milliseconds: number): boolean {
  const start = now();
  while (!steps.next().done) {
    // A clock that is set back yields a negative duration.
    if (Math.abs(now() - start) >= milliseconds) {
      return false;
    }
  }
  return true;
}

function refuse(
  isWrong: boolean,
  option: 'sweep.interval' | 'sweep.lifetimes' | 'maxEntities',
): void {
  if (isWrong) {
    throw new RangeError(
      isDevelopment
        ? `\`${option}\` of a Controller must be ${{ 'sweep.interval': 'a positive number of milliseconds', 'sweep.lifetimes': 'at least 1', maxEntities: 'a number of records, or Infinity' }[option]}.`
        : option,
    );
  }
}
