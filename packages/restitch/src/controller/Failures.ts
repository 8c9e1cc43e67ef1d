import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { FailAction } from './actions.js';
import type { Core } from './Core.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Called with every request that fails, aborted ones too (`action.aborted`), after readers and callers were told. */
export type ErrorListener = (error: Error, action: FailAction) => void;

/** What a caller is given for a promise of the library's: in development it notices whether somebody handles it. */
export function watched<T>(
  { failures, environment }: Core,
  { name }: EndpointInterface,
  promise: Promise<T>,
): Promise<T> {
  // Readers show it, or `onError` is told: nobody waiting is no reason for an unhandled rejection.
  promise.catch(() => {});
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    failures.size === 0
  ) {
    const watching = new Watched<T>((resolve, reject) => void promise.then(resolve, reject));
    promise.catch((error: Error) => {
      // After the running task: until then a caller may still handle it.
      setTimeout(() => {
        if (!watching.isHandled && error.name !== 'AbortError') {
          environment.report(
            `restitch: ${name} failed, and nothing handled the promise of controller.fetch: ${error.message}`,
          );
        }
      });
    });
    watching.ignore();
    return watching;
  }
  return promise;
}

class Watched<T> extends Promise<T> {
  /** What `then` makes is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  isHandled = false;

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isHandled = true;
    return super.then(onFulfilled, onRejected);
  }

  /** Keeps the host from reporting a rejection. */
  ignore(): void {
    super.then(undefined, () => {});
  }
}
