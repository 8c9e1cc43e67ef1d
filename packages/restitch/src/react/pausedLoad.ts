import type { TrackedPromise, View } from '../index.js';
import { isSameQuestion } from './useView.js';

/** Has the view that a component asked for in its latest render. */
export interface Asker<T> {
  view: View<T> | undefined;
}

interface Paused<T> {
  readonly askers: Set<Asker<T>>;
  readonly promise: TrackedPromise<T>;
}

const known = new WeakMap<Promise<unknown>, Paused<unknown>>();

/**
 * Loads data for a component that does not call `load` again after a pause. After a sign-in, the
 * component may ask for the data of the next user. The request of the last user is then not sent:
 *
 * ```
 *   logout      useFetch of user 1: waits
 *   sign-in     useFetch of user 2: sends a request, and suspends
 *   reset       user 1: no component asks, so the promise never settles
 * ```
 */
export function loadAfterPause<T>(
  view: View<T>,
  signal: AbortSignal | undefined,
  asker: Asker<T>,
): TrackedPromise<T> {
  if (!view.isPaused) return view.load(signal);
  const end = view.load(signal, true);
  // The cast: the promise of a pause belongs to views of one type of data.
  const paused = (known.get(end) ?? begin(end, view)) as Paused<T>;
  known.set(end, paused as Paused<unknown>);
  paused.askers.add(asker);
  return paused.promise;
}

function begin<T>(end: Promise<unknown>, first: View<T>): Paused<T> {
  const askers = new Set<Asker<T>>();
  const promise = end.then(() => {
    const asker = [...askers].findLast(({ view }) => isSameQuestion(view, first));
    if (!asker?.view) return new Promise<T>(() => {});
    const snapshot = asker.view.getSnapshot();
    // A second sign-out begins another pause.
    return snapshot.status === 'ready'
      ? snapshot.data
      : loadAfterPause(asker.view, undefined, asker);
  });
  return { askers, promise: tracked(promise) };
}

function tracked<T>(plain: Promise<T>): TrackedPromise<T> {
  const promise: TrackedPromise<T> = Object.assign(plain, { status: 'pending' as const });
  promise.then(
    (value) => void Object.assign(promise, { status: 'fulfilled', value }),
    (reason: unknown) => void Object.assign(promise, { status: 'rejected', reason }),
  );
  return promise;
}
