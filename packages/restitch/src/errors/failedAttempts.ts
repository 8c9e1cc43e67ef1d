import { toError } from './toError.js';

export interface FailedAttempts {
  readonly count: number;
  readonly error: unknown;
}

/** By the signals of the request: the controller knows a request by its signal. */
const failed = new WeakMap<AbortSignal, FailedAttempts>();
const listeners = new Set<(signal: AbortSignal) => void>();

export function noteFailedAttempt(
  signals: readonly (AbortSignal | null | undefined)[],
  attempts: FailedAttempts,
): void {
  for (const signal of signals) {
    if (signal) {
      failed.set(signal, attempts);
      listeners.forEach((listener) => listener(signal));
    }
  }
}

/** Returns the failed attempts of the request with a signal, if it is being repeated. */
export function failedAttemptsOf(
  signal: AbortSignal,
): { readonly count: number; readonly error: Error } | undefined {
  const attempts = failed.get(signal);
  if (!attempts) {
    return undefined;
  }
  // Kept, so that a thrown value that is no Error has one identity.
  const error = toError(attempts.error);
  const known = { count: attempts.count, error };
  failed.set(signal, known);
  return known;
}

/** Calls `listener` after each failed attempt to repeat. Returns a function that stops it. */
export function watchFailedAttempts(listener: (signal: AbortSignal) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
