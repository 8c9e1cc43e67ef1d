import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { FailAction, ReceiveAction } from './actions.js';
import type { Core } from './Core.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Called for every failed request, after readers and callers were notified. */
export type ErrorListener = (error: Error, action: FailAction) => void;

/**
 * Called for every stored response, after readers and callers were notified. `response` is the
 * value that the endpoint returned.
 */
export type SuccessListener = (response: unknown, action: ReceiveAction) => void;

/** In development, the promise reports a failure that neither the caller nor `onError` handles. */
export function watched<T>(
  core: Core,
  endpoint: EndpointInterface,
  promise: Promise<T>,
): Promise<T> {
  // A call without `await` causes no unhandled rejection: readers and `onError` get the error.
  promise.catch(() => {});
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    core.failures.size === 0
  ) {
    const watching = new Watched<T>((resolve, reject) => void promise.then(resolve, reject));
    promise.catch((error: Error) => {
      // The caller may still attach a handler within the running task.
      setTimeout(() => {
        if (!watching.isHandled && error.name !== 'AbortError') {
          core.environment.report(
            `restitch: ${endpoint.name} failed, and nothing handled the promise of controller.fetch: ${error.message}`,
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

  ignore(): void {
    super.then(undefined, () => {});
  }
}
