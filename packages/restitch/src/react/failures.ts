/**
 * For each error, the functions that clear the stored error before a retry, by the failed view.
 * Several readers may fail with the same error object.
 *
 * An error boundary receives only the error, and the reader that threw it has no state. So the
 * error is the key.
 */
const failures = new WeakMap<Error, Map<object, () => void>>();

/** Registers the function that clears `error` of a view. Called in render, so it is idempotent. */
export function remember(error: Error, caller: object, forget: () => void): void {
  const callers = failures.get(error) ?? new Map<object, () => void>();
  failures.set(error, callers.set(caller, forget));
}

/** Clears the stored errors behind an error that a boundary caught. */
export function forget(error: unknown): void {
  // The cast: any value may be thrown, but only registered errors are found.
  for (const forgetOne of failures.get(error as Error)?.values() ?? []) forgetOne();
}
