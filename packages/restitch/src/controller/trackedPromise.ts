import type { Environment } from './Environment.js';
import type { TrackedPromise } from './View.js';

export interface Deferred<T> {
  readonly promise: TrackedPromise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export function deferred<T>(): Deferred<T> {
  let settle: ((value: T) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const plain = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  // A failure without a waiting caller must cause no unhandled rejection.
  plain.catch(() => {});
  const promise: TrackedPromise<T> = Object.assign(plain, { status: 'pending' as const });
  return {
    promise,
    resolve(value) {
      promise.status = 'fulfilled';
      promise.value = value;
      settle?.(value);
    },
    reject(error) {
      promise.status = 'rejected';
      promise.reason = error;
      fail?.(error);
    },
  };
}

export function settledWithin(
  promise: Promise<unknown>,
  milliseconds: number,
  whenIdle: Environment['whenIdle'],
): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = whenIdle(() => resolve(false), milliseconds);
    const settle = (): void => {
      stop();
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
