import type { TrackedPromise, View } from '../index.js';
import { isSameQuestion } from './useView.js';

/** Has the view that a component asked for in its latest render. */
export interface Asker<T> {
  view: View<T> | undefined;
  isMounted: boolean;
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
 *   reset       user 1: no component asks
 * ```
 *
 * A component that never mounted may be gone. If it still waits, React renders it again.
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
  const isAsking = ({ view, isMounted }: Asker<T>): boolean =>
    isMounted && isSameQuestion(view, first);
  const load = (): typeof REPEAT | T | Promise<T | typeof REPEAT> => {
    const asker = [...askers].findLast(isAsking);
    if (!asker?.view) return REPEAT;
    const snapshot = asker.view.getSnapshot();
    // A second sign-out begins another pause.
    return snapshot.status === 'ready'
      ? snapshot.data
      : loadAfterPause(asker.view, undefined, asker);
  };
  return { askers, promise: tracked(end.then(load)) };
}

const REPEAT = Symbol('repeat');

/** If the status stays `'pending'`, React does not read the value, but renders from the start. */
function tracked<T>(plain: Promise<T | typeof REPEAT>): TrackedPromise<T> {
  // The cast: the value `REPEAT` is never read.
  const promise = Object.assign(plain, { status: 'pending' as const }) as TrackedPromise<T>;
  plain.then(
    (value) => value === REPEAT || void Object.assign(promise, { status: 'fulfilled', value }),
    (reason: unknown) => void Object.assign(promise, { status: 'rejected', reason }),
  );
  return promise;
}
