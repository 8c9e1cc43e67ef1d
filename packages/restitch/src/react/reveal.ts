/**
 * How a reader tells the nearest `AsyncBoundary` what it waits for. React holds first content back for up to 300 ms after
 * a fallback appeared when only the awaited promise brings it; a state update of the boundary is shown at once.
 */
export class Reveal {
  /** Whether the fallback is on the screen: outside of that there is nothing to hurry. */
  isShown = false;
  readonly #update: () => void;
  readonly #awaited = new WeakSet<PromiseLike<unknown>>();

  constructor(update: () => void) {
    this.#update = update;
  }

  /** Called in render, as React itself listens to a thrown promise there: once per promise, however often rendered. */
  readonly wait = (promise: PromiseLike<unknown>): void => {
    if (this.#awaited.has(promise)) return;
    this.#awaited.add(promise);
    const settle = (): void => {
      if (this.isShown) this.#update();
    };
    promise.then(settle, settle);
  };

  /** The fallback appeared; returns what to call when it is gone. */
  appear(): () => void {
    this.isShown = true;
    return () => {
      this.isShown = false;
    };
  }
}
