import type {
  ArgsOf,
  Controller,
  EndpointInterface,
  TrackedPromise,
  ValueOf,
  ViewSnapshot,
} from '../index.js';
import { remember } from './failures.js';
import { waiting } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/** A snapshot that there is nothing to wait for. */
export type Settled<T> = Exclude<ViewSnapshot<T>, { readonly status: 'pending' }>;

/**
 * For hooks that wait: the settled snapshot, or the promise of the request that is under way or started now; `status` tells
 * which.
 */
export function useAnswer<E extends EndpointInterface>(
  endpoint: E,
  args: ArgsOrNull<E>,
): Settled<ValueOf<E>> | TrackedPromise<ValueOf<E>> {
  const { view, snapshot, asked, interest, scope } = useEndpointView(endpoint, args, waiting);
  if (view && snapshot.status === 'pending') {
    const promise = view.load(interest?.signalInRender);
    scope.wait?.(promise);
    return promise;
  }
  if (snapshot.status === 'error') {
    // The cast drops `[null]`: there is a view.
    rememberFailure(scope.root.controller, snapshot.error, asked, args as ArgsOf<E>);
  }
  // The cast: without a view nothing is pending.
  return snapshot as Settled<ValueOf<E>>;
}

/** Notes how to ask again after an error. */
export function rememberFailure(
  controller: Controller,
  error: Error,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): void {
  remember(error, () => {
    // Another boundary may have tried again since: what came of that is not to be thrown away.
    if (controller.getError(endpoint, ...args) === error)
      void controller.invalidate(endpoint, ...args);
  });
}
