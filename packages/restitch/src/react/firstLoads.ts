import type { Attempts } from './boundaryAttempts.js';
import { cancel, Returns } from './cancelling.js';

interface FirstLoad {
  readonly abort: AbortController;
  attempt: number;
}

/**
 * The requests of cancelling readers that never mounted, below one boundary. React keeps no state
 * of such readers between two renders, so the boundary keeps their requests.
 *
 * - Each attempt renders all of these readers again. At its end, the requests that it did not use
 *   are withdrawn.
 * - An attempt that did not reach the end of the children withdraws nothing. React may have ended
 *   it at the first waiting reader.
 * - An attempt without any request withdraws nothing while the old screen is visible: the attempt
 *   is an urgent render during a transition.
 */
export class FirstLoads {
  readonly #attempts: Attempts;
  readonly #loads = new Map<string, FirstLoad>();
  readonly #returns = new Returns();
  /** The last attempt in which a reader requested a key. */
  #askedIn = 0;

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
  }

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

  end(): void {
    const { count, hasFallback: isShown } = this.#attempts;
    if (!isShown && this.#askedIn !== count) {
      if (this.#loads.size === 0) this.#returns.clear();
    } else if (!this.#returns.areTooMany) queueMicrotask(() => this.withdrawBefore(count));
  }

  /** Called when a reader mounts. From then on, the `Interest` of the reader withdraws the key. */
  release(key: string): void {
    const load = this.#loads.get(key);
    if (load) this.#withdraw(key, load);
  }

  /** Withdraws keys that were last requested before `attempt`. */
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

export function firstLoadsOf(attempts: Attempts): FirstLoads {
  return (attempts.loads ??= new FirstLoads(attempts));
}
