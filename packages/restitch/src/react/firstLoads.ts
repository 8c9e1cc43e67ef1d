import type { Attempts } from './boundaryAttempts.js';
import { cancel, Returns } from './cancelling.js';

interface FirstLoad {
  readonly abort: AbortController;
  attempt: number;
}

/**
 * React keeps no state of a reader that never mounted, so the boundary keeps its request.
 *
 * - Each attempt to render the children renders all these readers again. At the end of an attempt,
 *   the requests that no reader used are withdrawn.
 * - If React ends an attempt early, at a waiting reader, no request is withdrawn.
 * - If an attempt requests nothing and no fallback is visible, React has rendered the old content
 *   again. A transition may still wait for its requests, so no request is withdrawn.
 */
export class FirstLoads {
  readonly #attempts: Attempts;
  readonly #loads = new Map<string, FirstLoad>();
  readonly #returns = new Returns();
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
    const { count, hasFallback } = this.#attempts;
    if (!hasFallback && this.#askedIn !== count) {
      if (this.#loads.size === 0) this.#returns.clear();
    } else if (!this.#returns.areTooMany) queueMicrotask(() => this.withdrawBefore(count));
  }

  /** A mounted reader waits with its own signal, so this abort does not end the request. */
  release(key: string): void {
    const load = this.#loads.get(key);
    if (load) this.#withdraw(key, load);
  }

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
