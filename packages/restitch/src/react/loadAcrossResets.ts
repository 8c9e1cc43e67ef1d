import type { Core } from '../controller/Core.js';
import { deferred } from '../controller/trackedPromise.js';
import { entryOf } from '../host/entryOf.js';
import type { TrackedPromise, View } from '../index.js';
import { isSameQuestion } from './useView.js';

/** Has the view that a component asked for in its latest render. */
export interface Asker<T> {
  view: View<T> | undefined;
  isMounted: boolean;
}

interface Shared<T> {
  readonly askers: Set<Asker<T>>;
  readonly promise: TrackedPromise<T>;
}

/** By the promise of `View.load`. */
const known = new WeakMap<Promise<unknown>, Shared<unknown>>();

/**
 * Loads data for a component that does not call `load` again after a pause or a reset. The promise
 * then waits for the next response, because a child can read it in a boundary of its own. An error
 * would stay in this boundary.
 *
 * After a sign-in, the component may ask for the data of the next user. The request of the last
 * user is then not sent:
 *
 * ```
 *   logout      useFetch of user 1: waits
 *   sign-in     useFetch of user 2: sends a request, and suspends
 *   reset       user 1: no component asks
 * ```
 *
 * A component that never mounted may be gone. If it still waits, React renders it again.
 */
export function loadAcrossResets<T>(
  core: Core,
  view: View<T>,
  signal: AbortSignal | undefined,
  asker: Asker<T>,
): TrackedPromise<T> {
  const { isPaused } = view;
  const loading = view.load(signal, isPaused);
  // The cast: the promise belongs to views of one type of data.
  const shared = entryOf(known, loading, () => begin(core, view, loading, isPaused)) as Shared<T>;
  shared.askers.add(asker);
  return shared.promise;
}

function begin<T>(
  core: Core,
  first: View<T>,
  loading: Promise<T>,
  isPaused: boolean,
): Shared<unknown> {
  const { store } = core;
  const askers = new Set<Asker<T>>();
  const { promise, resolve, reject } = deferred<T>();
  const isAsking = ({ view, isMounted }: Asker<T>): boolean =>
    isMounted && isSameQuestion(view, first);
  const loadAgain = (): boolean => {
    const asker = [...askers].findLast(isAsking);
    const snapshot = asker?.view?.getSnapshot();
    if (snapshot?.status === 'ready') resolve(snapshot.data);
    else if (asker?.view)
      loadAcrossResets(core, asker.view, undefined, asker).then(resolve, reject);
    return snapshot !== undefined;
  };
  loading.then(
    (data) => {
      if (!isPaused) return resolve(data);
      if (loadAgain()) return;
      resolve(data);
      // So that React does not read the value, but renders from the start.
      promise.status = 'pending';
    },
    (error: Error) => (core.store !== store && loadAgain()) || reject(error),
  );
  return { askers: askers as Set<Asker<unknown>>, promise };
}
