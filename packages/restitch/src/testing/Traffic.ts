import type { Dispatch, Manager } from '../index.js';

/** Counts the requests in flight of one controller. */
export class Traffic implements Manager {
  readonly #pending = new Set<unknown>();
  readonly #waiting = new Set<() => void>();

  get pending(): number {
    return this.#pending.size;
  }

  readonly middleware =
    () =>
    (next: Dispatch): Dispatch =>
    (action) => {
      if (action.type === 'fetch') this.#pending.add(action.flight);
      try {
        next(action);
      } catch (error) {
        // A manager threw, so the request was not sent.
        if (action.type === 'fetch') this.#pending.delete(action.flight);
        throw error;
      } finally {
        if (action.type === 'receive' || action.type === 'fail')
          this.#pending.delete(action.flight);
        for (const wake of this.#waiting) wake();
        this.#waiting.clear();
      }
    };

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  async settled(): Promise<void> {
    while (this.pending > 0) await this.next();
  }
}
