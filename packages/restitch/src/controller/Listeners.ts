/** Listeners that are told at once, or at the end of the running job. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();
  protected readonly report: (error: unknown) => void;
  #isPlanned = false;

  constructor(report: (error: unknown) => void) {
    this.report = report;
  }

  /** Returns how to stop, which says whether that was new. */
  add(listener: (...args: Args) => void): () => boolean {
    // Wrapped, so that one listener may be added twice.
    const call = (...args: Args): void => listener(...args);
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  get size(): number {
    return this.#listeners.size;
  }

  notify(...args: Args): void {
    // One that is added meanwhile has missed nothing.
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        // An earlier one may have stopped it.
        if (this.#listeners.has(listener)) {
          listener(...args);
        }
      } catch (error) {
        this.report(error);
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
