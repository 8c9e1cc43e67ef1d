import { isDevelopment } from '../errors/development.js';
import { LONGEST_TIMER } from '../host/startTimer.js';
import { rowCount, sweep } from '../store/gc/sweep.js';
import type { Steps } from '../store/gc/mark.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';

/** When what nobody reads is forgotten. */
export interface SweepOptions {
  /** Milliseconds between two looks at what nobody reads; `Infinity`: none. Default: 300 000. */
  readonly interval?: number;
  /** How many times its lifetime an answer is kept that nobody reads. Default: 2. */
  readonly lifetimes?: number;
}

/** What of the controller's options concerns the sweeper. */
interface SweeperOptions {
  readonly sweep?: SweepOptions | false;
  readonly maxEntities?: number;
}

/** Milliseconds for which a slice may run before it lets the program go on; clocks that count whole ones may add one. */
const SLICE = 4;

/**
 * Forgets what nobody reads: from time to time, and when there are more rows than wanted. In slices, when the
 * host is idle; at once where there are twice as many.
 */
export class Sweeper {
  readonly #core: Core;
  /** Infinity: only too many rows are a reason. */
  readonly #interval: number;
  readonly #lifetimes: number;
  readonly #maxRows: number;
  /** Above this many rows the next sweep begins at once: if all of them are in use, not before there are more. */
  #limit: number;
  #running: Steps | undefined;
  #cancel: (() => void) | undefined;

  constructor(core: Core, { sweep: options = {}, maxEntities = Infinity }: SweeperOptions) {
    this.#core = core;
    const never = { interval: Infinity, lifetimes: Infinity };
    const { interval = 300_000, lifetimes = 2 } = options || never;
    this.#interval = interval;
    this.#lifetimes = lifetimes;
    this.#maxRows = maxEntities;
    this.#limit = maxEntities;
    refuse(
      !(interval > 0),
      'sweep.interval',
      isDevelopment ? 'a positive number of milliseconds' : '',
    );
    refuse(!(lifetimes >= 1), 'sweep.lifetimes', isDevelopment ? 'at least 1' : '');
    refuse(
      !(maxEntities >= 0),
      'maxEntities',
      isDevelopment ? 'a number of records, or Infinity' : '',
    );
  }

  /**
   * To be called when the store may have grown. `isWrite`: not for a reader, whose data must not go before it is held, be it far too
   * much.
   */
  wake(isWrite: boolean): void {
    if (!this.#cancel && this.#interval < Infinity) {
      this.#plan(this.#interval);
    }
    const rows = this.#limit < Infinity ? rowCount(this.#core.store) : 0;
    if (this.#running) {
      if (isWrite && rows > 2 * this.#limit) {
        // A loop of awaited responses leaves the host no idle moment.
        this.#cancel?.();
        this.#slice(Infinity);
      }
    } else if (rows > this.#limit) {
      this.stop();
      this.#running = this.#begin(this.#core.store);
      this.#plan(0);
    }
  }

  /** Ends what is planned and under way. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#running?.return();
    this.#running = undefined;
  }

  #plan(milliseconds: number): void {
    const rest = milliseconds - LONGEST_TIMER;
    // Held weakly, so that a controller that nobody disposed of does not have to wait for the host's timer.
    const self = new WeakRef(this);
    const run = (): void => {
      const sweeper = self.deref();
      if (sweeper) {
        if (rest > 0) {
          sweeper.#plan(rest);
        } else {
          sweeper.#slice();
        }
      }
    };
    this.#cancel = this.#core.environment.whenIdle(run, Math.min(milliseconds, LONGEST_TIMER));
  }

  #slice(milliseconds = SLICE): void {
    const { store, environment } = this.#core;
    this.#cancel = undefined;
    try {
      // In the middle of a write nothing is as it seems.
      const isLate = store.depth > 0;
      this.#running ??= this.#begin(store);
      if (isLate || !runFor(this.#running, environment.now, milliseconds)) {
        this.#plan(0);
        return;
      }
    } catch (error) {
      environment.report(error);
    }
    this.#finish(store);
  }

  #begin(store: Store): Steps {
    const { environment, views, reads, superseded } = this.#core;
    return sweep(store, {
      now: environment.now,
      lifetimes: this.#lifetimes,
      maxRows: this.#maxRows,
      views: () => views.attached,
      drop: (view) => views.drop(view),
      isUnderWay: (result) =>
        reads.has(result) || [...superseded].some((flight) => flight.result === result),
    });
  }

  #finish(store: Store): void {
    this.#running = undefined;
    const rows = rowCount(store);
    this.#limit = Math.max(this.#maxRows, rows + Math.floor(rows / 8));
    const { lists, results, hydrated } = store;
    const isEmpty =
      !hydrated && rows + lists.size + results.size + this.#core.views.attached.size === 0;
    if (!isEmpty && this.#interval < Infinity) {
      this.#plan(this.#interval);
    }
  }
}

/** Runs for so many milliseconds; true when everything is done. */
function runFor(steps: Steps, now: () => number, milliseconds: number): boolean {
  const start = now();
  while (!steps.next().done) {
    const passed = now() - start;
    // A clock that was set back says nothing.
    if (passed >= milliseconds || (passed < 0 && milliseconds === SLICE)) {
      return false;
    }
  }
  return true;
}

function refuse(isWrong: boolean, option: string, expected: string): void {
  if (isWrong) {
    throw new RangeError(
      isDevelopment ? `\`${option}\` of a Controller must be ${expected}.` : `${option}`,
    );
  }
}
