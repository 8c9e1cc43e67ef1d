import { type FailedAttempts, retryHook } from './retryHook.js';
import { toError } from './toError.js';

const failedBySignal = new WeakMap<AbortSignal, FailedAttempts>();
const listeners = new Set<(signal: AbortSignal) => void>();

retryHook.note = (signals, attempts): void => {
  for (const signal of signals) {
    if (signal) {
      failedBySignal.set(signal, attempts);
      listeners.forEach((listener) => listener(signal));
    }
  }
};

export function failedAttemptsOf(
  signal: AbortSignal,
): { readonly count: number; readonly error: Error } | undefined {
  const attempts = failedBySignal.get(signal);
  if (!attempts) {
    return undefined;
  }
  // If the thrown value is not an Error, every call returns the same converted error.
  const error = toError(attempts.error);
  const known = { count: attempts.count, error };
  failedBySignal.set(signal, known);
  return known;
}

/** Calls `listener` after each failed attempt that will be repeated. */
export function watchFailedAttempts(listener: (signal: AbortSignal) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
