import type { ArgsOf, EndpointInterface, TrackedPromise, ValueOf, ViewSnapshot } from '../index.js';
import { remember } from './failures.js';
import { waiting } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/** A snapshot that there is nothing to wait for. */
export type Settled<T> = Exclude<ViewSnapshot<T>, { readonly status: 'pending' }>;

/**
 * For hooks that wait: the settled snapshot, or the promise of the request that is under way or started now; undefined for
 * "not now". `status` tells which.
 */
export function useAnswer<E extends EndpointInterface>(
  endpoint: E,
  args: ArgsOrNull<E>,
): Settled<ValueOf<E>> | TrackedPromise<ValueOf<E>> | undefined {
  const { view, snapshot, asked, interest, scope } = useEndpointView(endpoint, args, waiting);
  if (!view) return undefined;
  if (snapshot.status === 'pending') {
    const promise = view.load(interest?.signalInRender);
    scope.wait?.(promise);
    return promise;
  }
  if (snapshot.status === 'error') {
    const { error } = snapshot;
    const { controller } = scope.root;
    // The cast drops `[null]`: there is a view.
    const given = args as ArgsOf<E>;
    remember(error, () => {
      // Another boundary may have tried again since: what came of that is not to be thrown away.
      if (controller.getError(asked, ...given) === error)
        void controller.invalidate(asked, ...given);
    });
  }
  return snapshot;
}
