import { useMemo } from 'react';
import type { ArgsOf, EndpointError, ReadEndpoint, ValueOf, ViewSnapshot } from '../index.js';
import type { AbsentOf } from './absent.js';
import { dataOf, errorOf, telling } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';
import { useFetching } from './useFetching.js';

/** What every outcome of `useDLE` has. */
export interface DLEActions<T> {
  /**
   * Sends the request again; data stays on the screen. A request in flight is joined, unless a mutation has ended since it
   * began. Without arguments it does nothing. A failure shows as `error`, so that `void refetch()` is no unhandled rejection.
   */
  refetch(): Promise<T>;
  /** The data was marked stale; a newer answer is on its way. */
  readonly isStale: boolean;
  /** The record lacks fields, and its class asks to be shown all the same (`static partial`); the rest is on its way. */
  readonly isPartial: boolean;
  /** A request is under way, the first or a refresh. Only a component that reads this renders again when it changes. */
  readonly isFetching: boolean;
}

/** There is data. With an `error` the last refresh failed: the data is what was there before. */
export interface DLEReady<T> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: EndpointError | undefined;
}

/** The first answer is awaited. */
export interface DLELoading<T, Nothing = undefined> extends DLEActions<T> {
  readonly data: Nothing;
  readonly loading: true;
  readonly error: undefined;
}

/** The request failed, and there is nothing to show. */
export interface DLEFailed<T, Nothing = undefined> extends DLEActions<T> {
  readonly data: Nothing;
  readonly loading: false;
  readonly error: EndpointError;
}

/** Nothing was asked: the argument is `null`. */
export interface DLEIdle<T = undefined> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: undefined;
}

/**
 * What `useDLE` returns: `loading`, then `error` without `data`, tell which it is. `Nothing` is what stands for data that is
 * not there: undefined, or of an object schema its shape without records and lists.
 */
export type DLE<T, Nothing = undefined> =
  | DLEReady<T>
  | DLELoading<T, Nothing>
  | DLEFailed<T, Nothing>;

/**
 * Data, loading, error: reads an endpoint without suspending or throwing, for components that show all three themselves.
 * The returned object is the same while nothing changed.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useDLE } from 'restitch/react';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 *
 * export function User({ id }: { id: string }) {
 *   const { data, loading, error } = useDLE(getUser, { id });
 *   if (loading) return <p>Loading…</p>;
 *   if (error && !data) return <p role="alert">{error.message}</p>;
 *   return <b title={error && 'Not up to date'}>{data.name}</b>;
 * }
 * ```
 */
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOf<E>
): DLE<ValueOf<E>, AbsentOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): DLE<ValueOf<E>, AbsentOf<E>> | DLEIdle<AbsentOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): DLE<ValueOf<E>, AbsentOf<E>> | DLEIdle<AbsentOf<E>> {
  const { view, snapshot, interest, scope, asked } = useEndpointView(endpoint, args, telling);
  const data = dataOf(snapshot, asked.schema);
  const isLoading = snapshot.status === 'pending';
  const { isFetching, take } = useFetching(scope.root.controller, view, isLoading);
  return useMemo(
    () =>
      dleOf(data, snapshot, {
        isFetching,
        take,
        refetch: () => view?.refetch(interest?.signal) ?? nothing,
      }),
    [view, snapshot, data, interest, isFetching, take],
  );
}

const nothing = Promise.resolve();

interface Actions {
  readonly isFetching: boolean;
  readonly take: () => void;
  readonly refetch: () => Promise<unknown>;
}

function dleOf<T, Nothing>(
  data: unknown,
  snapshot: ViewSnapshot<unknown>,
  { isFetching, take, refetch }: Actions,
): DLE<T, Nothing> {
  // The cast: `status` decides which combination it is, and the type cannot follow that.
  return {
    data,
    loading: snapshot.status === 'pending',
    error: errorOf(snapshot),
    isStale: snapshot.status === 'ready' && snapshot.stale,
    isPartial: snapshot.status === 'ready' && snapshot.partial === true,
    get isFetching() {
      take();
      return isFetching;
    },
    refetch,
  } as DLE<T, Nothing>;
}
