export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();
  declare protected readonly report: (error: unknown) => void;
  #isPlanned = false;

  constructor(report: (error: unknown) => void) {
    this.report = report;
  }

  /** The returned function removes the listener, and returns false if called again. */
  add(listener: (...args: Args) => void): () => boolean {
    // The wrapper lets one listener be added twice.
    const call = (...args: Args): void => listener(...args);
    this.#listeners.add(call);
    return () => this.#listeners.delete(call);
  }

  get size(): number {
    return this.#listeners.size;
  }

  notify(...args: Args): void {
    // The copy leaves out listeners that are added during the loop.
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        // A previous listener may have removed this one.
        if (this.#listeners.has(listener)) {
          listener(...args);
        }
      } catch (error) {
        this.report(error);
      }
    }
  }

  /** Notifies in a microtask, because React must not be notified while it renders. */
  notifyLater(this: Listeners): void {
    if (this.#isPlanned || this.#listeners.size === 0) {
      return;
    }
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.notify();
    });
  }
}
