/**
 * For each error, the functions that clear the stored error before a retry, by the failed view.
 * Several readers may fail with the same error object.
 *
 * The error is the key, because an error boundary receives only the error. The reader that threw it
 * has no state.
 */
const failures = new WeakMap<Error, Map<object, () => void>>();

/** Called in render, so it must be idempotent. */
export function remember(error: Error, caller: object, forget: () => void): void {
  const callers = failures.get(error) ?? new Map<object, () => void>();
  failures.set(error, callers.set(caller, forget));
}

export function forget(error: unknown): void {
  // The cast: any value may be thrown, but only registered errors are found.
  for (const forgetOne of failures.get(error as Error)?.values() ?? []) forgetOne();
}
