import { entryOf } from '../host/entryOf.js';

/**
 * Maps each error to the functions that clear it from the store before a retry, one for each failed
 * view. An error boundary receives only the error, so the error is the key.
 */
const failures = new WeakMap<Error, Map<object, () => void>>();

/** Called in render, so it must be idempotent. */
export function remember(error: Error, view: object, forget: () => void): void {
  entryOf(failures, error, () => new Map()).set(view, forget);
}

export function forget(error: unknown): void {
  // The cast: `get` returns undefined for a thrown value that is not an object.
  for (const forgetOne of failures.get(error as Error)?.values() ?? []) forgetOne();
}
