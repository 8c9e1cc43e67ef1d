import { RestitchError } from '../index.js';

/** What a hook under test shows. */
export interface HookResult<Result> {
  /**
   * What the hook returned when it was rendered last. While it waits for data there is nothing to return: reading this throws
   * a `RestitchError` of the code `hook-waits`; once it failed, what it failed with is thrown.
   */
  readonly current: Result;
  /** What the hook threw, or what its request failed with; undefined while it did neither. */
  readonly error: Error | undefined;
  /** Whether the hook waits for data: an application would show a fallback. */
  readonly isWaiting: boolean;
}

type State<Result> =
  | { readonly is: 'waiting' }
  | { readonly is: 'shown'; readonly value: Result }
  | { readonly is: 'failed'; readonly error: Error; readonly retry: () => void };

/** Keeps what the hook showed last, and tells of every update. */
export class Recorder<Result> implements HookResult<Result> {
  updates = 0;
  #state: State<Result> = { is: 'waiting' };
  readonly #waiting = new Set<() => void>();

  get current(): Result {
    const state = this.#state;
    if (state.is === 'shown') return state.value;
    if (state.is === 'failed') throw state.error;
    throw new RestitchError(
      'hook-waits',
      'The hook waits for data, so it has returned nothing yet. First `await allSettled()` or `waitForNextUpdate()`, or give the fixture `args` and no `delay`: its answer is then there from the start.',
    );
  }

  get error(): Error | undefined {
    return this.#state.is === 'failed' ? this.#state.error : undefined;
  }

  get isWaiting(): boolean {
    return this.#state.is === 'waiting';
  }

  /** Forgets what the hook failed with; says whether it had failed. */
  retry(): boolean {
    const state = this.#state;
    if (state.is !== 'failed') return false;
    state.retry();
    return true;
  }

  wait(): void {
    this.#state = { is: 'waiting' };
  }

  show(value: Result): void {
    this.#update({ is: 'shown', value });
  }

  fail(error: Error, retry: () => void): void {
    this.#update({ is: 'failed', error, retry });
  }

  /** Settles with the next update. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #update(state: State<Result>): void {
    this.#state = state;
    this.updates += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
