/**
 * What to forget before failed readers may try again: by the question that failed, since several readers may fail with one
 * error object. Keyed by the error, because that is all an error boundary gets; the reader that threw it left no state behind.
 */
const failures = new WeakMap<Error, Map<object, () => void>>();

/** Notes, in render and each time alike, how to make the store forget `error` of a question. */
export function remember(error: Error, question: object, forget: () => void): void {
  const questions = failures.get(error) ?? new Map<object, () => void>();
  failures.set(error, questions.set(question, forget));
}

/** Makes the store forget what a boundary caught, if it came from there. */
export function forget(error: unknown): void {
  // Anything may be thrown; only what `remember` was given is ever found.
  for (const forgetOne of failures.get(error as Error)?.values() ?? []) forgetOne();
}
