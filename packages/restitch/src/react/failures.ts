import { entryOf } from '../host/entryOf.js';

/**
 * For each error, functions that clear the error of a view before a retry. An error boundary
 * receives only the error, so the error is the key.
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
