/**
 * What to forget before a failed reader may try again. Keyed by the error, because that is all an error boundary gets; the
 * reader that threw it left no state behind.
 */
const failures = new WeakMap<Error, () => void>();

/** Notes, in render and each time alike, how to make the store forget `error`. */
export function remember(error: Error, forget: () => void): void {
  failures.set(error, forget);
}

/** Makes the store forget what a boundary caught, if it came from there. */
export function forget(error: unknown): void {
  // Anything may be thrown; only what `remember` was given is ever found.
  failures.get(error as Error)?.();
}
