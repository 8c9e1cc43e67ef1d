import type {
  Controller,
  EndpointInterface,
  ReadEndpoint,
  TrackedPromise,
  ValueOf,
  View,
  ViewSnapshot,
} from '../index.js';
import { remember } from './failures.js';
import { waiting } from './readerModes.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

export type Settled<T> = Exclude<ViewSnapshot<T>, { readonly status: 'pending' }>;

/** With `throws`, the promise is thrown, and may settle before the request. */
export function useResult<E extends ReadEndpoint>(
  endpoint: E,
  args: ArgsOrNull<E>,
  throws: boolean,
  noteLoad?: (view: View<ValueOf<E>>, promise: TrackedPromise<ValueOf<E>>) => void,
): Settled<ValueOf<E>> | TrackedPromise<ValueOf<E>> {
  const { view, snapshot, asked, interest, scope } = useEndpointView(endpoint, args, waiting);
  // The cast: without a view, the snapshot is never pending.
  if (!view || snapshot.status === 'ready') return snapshot as Settled<ValueOf<E>>;
  if (snapshot.status === 'error') {
    rememberFailure(scope.root.controller, view, asked, args, snapshot.error);
    return snapshot;
  }
  const promise = view.load(interest?.signalInRender(throws), throws);
  scope.wait?.(promise, view);
  noteLoad?.(view, promise);
  // The cast: a thrown promise is only awaited; its value is not read.
  return throws && interest ? (interest.thrownFor(promise) as typeof promise) : promise;
}

/** `thrown` is the error that the boundary catches. */
export function rememberFailure(
  controller: Controller,
  view: View<unknown>,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  error: Error,
  thrown: Error = error,
): void {
  remember(thrown, view, () => {
    // If another boundary has already retried, the result of its retry must stay.
    if (controller.getError(endpoint, ...args) === error)
      void controller.invalidate(endpoint, ...args);
  });
}
