import { useEffect, useState } from 'react';
import { internalsOf } from '../controller/internals.js';
import type { ArgsOf, Controller, ReadEndpoint, TrackedPromise, ValueOf, View } from '../index.js';
import { type Asker, loadAcrossResets } from './loadAcrossResets.js';
import { type Loading, type Settled, useResult } from './useResult.js';
import type { ArgsOrNull } from './useEndpointView.js';

/** React's `use()` needs the same promise in every render, so each snapshot has one. */
const settled = new WeakMap<Settled<unknown>, TrackedPromise<unknown>>();

function promiseOf<T>(snapshot: Settled<T>): TrackedPromise<T> {
  let promise = settled.get(snapshot);
  if (!promise) {
    promise =
      snapshot.status === 'ready'
        ? Object.assign(Promise.resolve(snapshot.data), {
            status: 'fulfilled' as const,
            value: snapshot.data,
          })
        : Object.assign(Promise.reject<T>(snapshot.error), {
            status: 'rejected' as const,
            reason: snapshot.error,
          });
    promise.catch(() => {}); // an unused promise must not be an unhandled rejection
    settled.set(snapshot, promise);
  }
  // The cast: the promise of each snapshot resolves to its data.
  return promise as TrackedPromise<T>;
}

/**
 * React renders the component again after a response, and warns if `use()` receives another
 * promise. So the snapshot gets the promise of the request.
 */
function keep<T>(view: View<T>, promise: TrackedPromise<T>): void {
  const note = (): void => {
    const snapshot = view.getSnapshot();
    const isSame =
      snapshot.status === 'ready'
        ? promise.value === snapshot.data
        : snapshot.status === 'error' && promise.reason === snapshot.error;
    // The cast: `isSame` is true only for a settled snapshot.
    if (isSame) settled.set(snapshot as Settled<T>, promise);
  };
  promise.then(note, note);
}

class FetchLoading<T> implements Loading<T> {
  readonly asker: Asker<T> = { view: undefined, isMounted: false };

  readonly ask = (view: View<T> | undefined): void => {
    this.asker.view = view;
  };

  readonly load = (
    view: View<T>,
    signal: AbortSignal | undefined,
    controller: Controller,
  ): TrackedPromise<T> => {
    const promise = loadAcrossResets(internalsOf(controller), view, signal, this.asker);
    keep(view, promise);
    return promise;
  };

  readonly mount = (): (() => void) => {
    this.asker.isMounted = true;
    return () => {
      this.asker.isMounted = false;
    };
  };
}

/**
 * Starts the request without waiting and returns its promise, for React's `use()`. Several requests
 * in one component run in parallel.
 *
 * @remarks With cached data, the promise is resolved and `use()` does not suspend. `null` as the
 * only argument skips the request and returns undefined. If a mounted component waits while the
 * store is reset, the promise waits for the next response.
 *
 * @example
 * ```tsx
 * import { use } from 'react';
 * import { RestEndpoint } from 'restitch';
 * import { useFetch } from 'restitch/react';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 * const getPosts = new RestEndpoint({ path: '/users/:id/posts' });
 *
 * export function Profile({ id }: { id: string }) {
 *   const userPromise = useFetch(getUser, { id });
 *   const postsPromise = useFetch(getPosts, { id });
 *   const user = use(userPromise);
 *   return <p>{user.name}: {use(postsPromise).length} posts</p>;
 * }
 * ```
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOf<E>
): Promise<ValueOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Promise<ValueOf<E>> | undefined;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Promise<ValueOf<E>> | undefined {
  const [loading] = useState(() => new FetchLoading<ValueOf<E>>());
  useEffect(() => loading.mount(), [loading]);
  const result = useResult(endpoint, args, loading);
  if (args[0] === null) return undefined;
  return result.status === 'ready' || result.status === 'error' ? promiseOf(result) : result;
}
