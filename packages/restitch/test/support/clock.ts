import type { Environment } from 'restitch';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  /** Work that can wait, which keeps no program alive. */
  readonly isIdle: boolean;
}

/** A host whose time, screen and network the test moves by hand. */
export class Clock {
  /** Zero is a time like any other. */
  now = 0;
  isVisible = true;
  isOnline = true;
  /** What `random` gives: at one half no period varies. */
  random = 0.5;
  readonly reported: unknown[] = [];
  readonly #timers = new Map<number, Timer>();
  readonly #listeners = new Set<() => void>();
  #count = 0;

  readonly environment: Environment = {
    now: () => this.now,
    random: () => this.random,
    report: (error) => this.reported.push(error),
    setTimeout: (callback, milliseconds) => this.#start(callback, milliseconds, false),
    clearTimeout: (timer) => this.#timers.delete(Number(timer)),
    whenIdle: (callback, milliseconds) => {
      const timer = this.#start(callback, milliseconds, true);
      return () => this.#timers.delete(timer);
    },
    isVisible: () => this.isVisible,
    isOnline: () => this.isOnline,
    watch: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };

  /** How many timers run that keep the program alive. */
  get timers(): number {
    return [...this.#timers.values()].filter(({ isIdle }) => !isIdle).length;
  }

  /** How many callers wait for the host to be idle. */
  get idleWaits(): number {
    return this.#timers.size - this.timers;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Lets time pass, timer by timer, and what they begin come to rest. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await settle();
      const [first] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at);
      if (!first || first[1].at > end) break;
      const [id, { at, callback }] = first;
      this.#timers.delete(id);
      this.now = Math.max(this.now, at);
      callback();
    }
    this.now = end;
  }

  #start(callback: () => void, milliseconds: number, isIdle: boolean): number {
    this.#count += 1;
    // As hosts do: a longer time than timers can count ends at once.
    const wait = milliseconds > 2 ** 31 - 1 ? 1 : milliseconds;
    this.#timers.set(this.#count, { at: this.now + wait, callback, isIdle });
    return this.#count;
  }

  /** Changes what the screen and the network are like, as a browser's event would. */
  async change(state: { isVisible?: boolean; isOnline?: boolean }): Promise<void> {
    Object.assign(this, state);
    for (const listener of this.#listeners) listener();
    await settle();
  }
}

/** Lets every promise that can settle do so. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
