/** Listeners that are told at once, or at the end of the running job. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();
  readonly #report: (error: unknown) => void;
  #isPlanned = false;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Returns how to stop. */
  add(listener: (...args: Args) => void): () => void {
    // Wrapped, so that one listener may be added twice.
    const call = (...args: Args): void => listener(...args);
    this.#listeners.add(call);
    return () => {
      this.#listeners.delete(call);
    };
  }

  get size(): number {
    return this.#listeners.size;
  }

  notify(...args: Args): void {
    for (const listener of this.#listeners) {
      try {
        listener(...args);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** For what may happen while React renders, when nobody may be told. */
  notifyLater(...args: Args): void {
    if (this.#isPlanned || this.#listeners.size === 0) {
      return;
    }
    this.#isPlanned = true;
    void Promise.resolve().then(() => {
      this.#isPlanned = false;
      this.notify(...args);
    });
  }
}
