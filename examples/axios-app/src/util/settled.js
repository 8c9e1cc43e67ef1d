/**
 * Gives the value of a promise, or the second argument when it fails.
 *
 * @template T, F
 * @param {Promise<T>} promise
 * @param {F} otherwise
 */
export const orElse = (promise, otherwise) => promise.catch(() => otherwise);
