/** Listeners that are told at once, or at the end of the running job. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  readonly #report: (error: unknown) => void;
  #isPlanned = false;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Returns how to stop. */
  add(listener: () => void): () => void {
    // Wrapped, so that one listener may be added twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => {
      this.#listeners.delete(call);
    };
  }

  notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** For what may happen while React renders, when nobody may be told. */
  notifyLater(): void {
    if (this.#isPlanned || this.#listeners.size === 0) {
      return;
    }
    this.#isPlanned = true;
    void Promise.resolve().then(() => {
      this.#isPlanned = false;
      this.notify();
    });
  }
}
