import { RestitchError } from '../index.js';

/** The latest outcome of a hook under test. */
export interface HookResult<Result> {
  /**
   * The value that the hook returned in its last render. While the hook waits for data, reading
   * `current` throws a `RestitchError` with the code `hook-waits`. After the hook has failed,
   * reading `current` throws the error of the hook.
   */
  readonly current: Result;
  /** The error that the hook threw, or the error of its request. Undefined otherwise. */
  readonly error: Error | undefined;
  /** True while the hook waits for data. An application would render a fallback then. */
  readonly isWaiting: boolean;
}

type State<Result> =
  | { readonly is: 'waiting' }
  | { readonly is: 'ready'; readonly value: Result }
  | { readonly is: 'failed'; readonly error: Error; readonly retry: () => void };

export class Recorder<Result> implements HookResult<Result> {
  updates = 0;
  #state: State<Result> = { is: 'waiting' };
  readonly #waiting = new Set<() => void>();

  get current(): Result {
    const state = this.#state;
    if (state.is === 'ready') return state.value;
    if (state.is === 'failed') throw state.error;
    throw new RestitchError(
      'hook-waits',
      'The hook waits for data, so it has returned nothing yet. First `await allSettled()` or `waitForNextUpdate()`. Or give the fixture `args` and no `delay`, so that the data exists from the first render.',
    );
  }

  get error(): Error | undefined {
    return this.#state.is === 'failed' ? this.#state.error : undefined;
  }

  get isWaiting(): boolean {
    return this.#state.is === 'waiting';
  }

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
    this.#update({ is: 'ready', value });
  }

  fail(error: Error, retry: () => void): void {
    this.#update({ is: 'failed', error, retry });
  }

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
