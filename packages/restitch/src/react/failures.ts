import { entryOf } from '../host/entryOf.js';
import type { View } from '../index.js';

type Failed = Pick<View<unknown>, 'getSnapshot' | 'subscribe' | 'isPaused'>;

/**
 * For each error, functions that clear the error of a view before a retry. An error boundary
 * receives only the error, so the error is the key.
 */
const failures = new WeakMap<Error, Map<Failed, () => void>>();

/** Called in render, so it must be idempotent. */
export function remember(error: Error, view: Failed, forget: () => void): void {
  entryOf(failures, error, () => new Map()).set(view, forget);
}

export function forget(error: unknown): void {
  for (const forgetOne of failuresOf(error).values()) forgetOne();
}

/** Returns the views that have this error now. */
export function failedViews(error: unknown): readonly Failed[] {
  return [...failuresOf(error).keys()].filter(isFailed);
}

/** Calls `listener` when a view no longer has an error, for example after an invalidation. */
export function watchEnd(views: readonly Failed[], listener: () => void): () => void {
  const check = (): void => {
    if (views.some((view) => !isFailed(view) && !view.isPaused)) listener();
  };
  const ends = views.map((view) => view.subscribe(check));
  check();
  return () => ends.forEach((end) => end());
}

const isFailed = (view: Failed): boolean => view.getSnapshot().status === 'error';

// The cast: `get` returns undefined for a thrown value that is not an object.
const failuresOf = (error: unknown): ReadonlyMap<Failed, () => void> =>
  failures.get(error as Error) ?? new Map();
