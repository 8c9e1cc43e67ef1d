import { cancel, Returns } from './cancelling.js';
import type { Reveal } from './reveal.js';

interface FirstLoad {
  readonly abort: AbortController;
  pass: number;
}

/**
 * What the cancelling readers below one boundary wait for that were never mounted: nothing of themselves is kept between
 * two renders, so that the boundary remembers for them. Each attempt renders all of them anew; what a complete attempt did
 * not ask for is no longer wanted. (React may end an attempt at the first reader that waits, so that only one which reached
 * the end of the children counts.) While the screen waits for a transition, what is rendered urgently is the old screen: an
 * attempt that asked for nothing says nothing.
 */
export class FirstLoads {
  readonly #reveal: Reveal;
  readonly #loads = new Map<string, FirstLoad>();
  readonly #returns = new Returns();
  #pass = 0;
  /** The last attempt in which a reader asked. */
  #askedIn = 0;
  #holders = 0;

  constructor(reveal: Reveal) {
    this.#reveal = reveal;
  }

  /** The signal of a question that a render asks for now. */
  signal(key: string): AbortSignal {
    let load = this.#loads.get(key);
    if (!load) {
      load = { abort: new AbortController(), pass: 0 };
      this.#loads.set(key, load);
      this.#returns.ask(key);
    }
    load.pass = this.#pass;
    this.#askedIn = this.#pass;
    return load.abort.signal;
  }

  /** Rendered before the children. */
  readonly begin = (): void => {
    this.#pass += 1;
  };

  /** Rendered after the children. */
  readonly end = (): void => {
    const pass = this.#pass;
    if (!this.#reveal.isShown && this.#askedIn !== pass) {
      if (this.#loads.size === 0) this.#returns.clear();
    } else if (!this.#returns.areTooMany) queueMicrotask(() => this.#withdrawBefore(pass));
  };

  /** A reader was mounted: from now on it withdraws by itself. */
  release(key: string): void {
    const load = this.#loads.get(key);
    if (load) this.#withdraw(key, load);
  }

  /** The boundary is mounted; returns what to call when it no longer is. */
  readonly hold = (): (() => void) => {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
      // Strict Mode lets go and holds again before any microtask.
      queueMicrotask(() => {
        if (this.#holders === 0) this.#withdrawBefore(Infinity);
      });
    };
  };

  #withdrawBefore(pass: number): void {
    for (const [key, load] of this.#loads) {
      if (load.pass >= pass) continue;
      this.#returns.withdraw(key);
      this.#withdraw(key, load);
    }
  }

  #withdraw(key: string, { abort }: FirstLoad): void {
    this.#loads.delete(key);
    cancel(abort);
  }
}
