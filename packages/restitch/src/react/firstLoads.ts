import type { Attempts } from './attempts.js';
import { cancel, Returns } from './cancelling.js';

interface FirstLoad {
  readonly abort: AbortController;
  attempt: number;
}

/**
 * What the cancelling readers below one boundary wait for that were never mounted: nothing of themselves is kept between
 * two renders, so that the boundary remembers for them. Each attempt renders all of them anew; what a complete attempt did
 * not ask for is no longer wanted. (React may end an attempt at the first reader that waits, so that only one which reached
 * the end of the children counts.) While the screen waits for a transition, what is rendered urgently is the old screen: an
 * attempt that asked for nothing says nothing.
 */
export class FirstLoads {
  readonly #attempts: Attempts;
  readonly #loads = new Map<string, FirstLoad>();
  readonly #returns = new Returns();
  /** The last attempt in which a reader asked. */
  #askedIn = 0;

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
  }

  /** The signal of a question that a render asks for now. */
  signal(key: string): AbortSignal {
    let load = this.#loads.get(key);
    if (!load) {
      load = { abort: new AbortController(), attempt: 0 };
      this.#loads.set(key, load);
      this.#returns.ask(key);
    }
    load.attempt = this.#attempts.count;
    this.#askedIn = load.attempt;
    return load.abort.signal;
  }

  /** The running attempt reached the end of the children. */
  end(): void {
    const { count, isShown } = this.#attempts;
    if (!isShown && this.#askedIn !== count) {
      if (this.#loads.size === 0) this.#returns.clear();
    } else if (!this.#returns.areTooMany) queueMicrotask(() => this.withdrawBefore(count));
  }

  /** A reader was mounted: from now on it withdraws by itself. */
  release(key: string): void {
    const load = this.#loads.get(key);
    if (load) this.#withdraw(key, load);
  }

  /** Withdraws what was last asked for before an attempt. */
  withdrawBefore(attempt: number): void {
    for (const [key, load] of this.#loads) {
      if (load.attempt >= attempt) continue;
      this.#returns.withdraw(key);
      this.#withdraw(key, load);
    }
  }

  #withdraw(key: string, { abort }: FirstLoad): void {
    this.#loads.delete(key);
    cancel(abort);
  }
}

/** What the cancelling readers below a boundary wait for. */
export function firstLoadsOf(attempts: Attempts): FirstLoads {
  return (attempts.loads ??= new FirstLoads(attempts));
}
