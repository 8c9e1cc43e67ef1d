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

/** How `useFetch` loads. Without this, the promise is thrown, and may settle before the request. */
export interface Loading<T> {
  /** Called in each render. */
  readonly ask: (view: View<T> | undefined) => void;
  readonly load: (
    view: View<T>,
    signal: AbortSignal | undefined,
    controller: Controller,
  ) => TrackedPromise<T>;
}

export function useResult<E extends ReadEndpoint>(
  endpoint: E,
  args: ArgsOrNull<E>,
  loading?: Loading<ValueOf<E>>,
): Settled<ValueOf<E>> | TrackedPromise<ValueOf<E>> {
  // `load` returns another promise after each change, although its arguments stay the same.
  'use no memo';
  const { view, snapshot, asked, interest, scope } = useEndpointView(endpoint, args, waiting);
  loading?.ask(view);
  // The cast: without a view, the snapshot is never pending.
  if (!view || snapshot.status === 'ready') return snapshot as Settled<ValueOf<E>>;
  if (snapshot.status === 'error') {
    rememberFailure(scope.root.controller, view, asked, args, snapshot.error);
    return snapshot;
  }
  const signal = interest?.signalInRender(!loading);
  const promise = loading?.load(view, signal, scope.root.controller) ?? view.load(signal, true);
  scope.wait?.(promise, view);
  // The cast: a thrown promise is only awaited; its value is not read.
  return !loading && interest ? (interest.thrownFor(promise) as typeof promise) : promise;
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
