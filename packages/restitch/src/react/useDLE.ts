import { useMemo } from 'react';
import type { ArgsOf, ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './absent.js';
import { dataOf, errorOf, telling } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/** What every outcome of `useDLE` has. */
export interface DLEActions<T> {
  /** Sends the request again, or joins the one in flight; data stays on the screen. Without arguments it does nothing. */
  refetch(): Promise<T>;
  /** The data was marked stale; a newer answer is on its way. */
  readonly isStale: boolean;
  /** The record lacks fields, and its class asks to be shown all the same (`static partial`); the rest is on its way. */
  readonly isPartial: boolean;
}

/** There is data. */
export interface DLEReady<T> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: undefined;
}

/** The first answer is awaited. */
export interface DLELoading<T> extends DLEActions<T> {
  readonly data: undefined;
  readonly loading: true;
  readonly error: undefined;
}

/** The request failed. */
export interface DLEFailed<T> extends DLEActions<T> {
  readonly data: undefined;
  readonly loading: false;
  readonly error: Error;
}

/** Nothing was asked: the argument is `null`. */
export interface DLEIdle<T = undefined> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: undefined;
}

/** What `useDLE` returns: `loading` and `error` tell which it is. */
export type DLE<T> = DLEReady<T> | DLELoading<T> | DLEFailed<T>;

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
 *   if (error) return <p role="alert">{error.message}</p>;
 *   return <b>{data.name}</b>;
 * }
 * ```
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): DLE<ValueOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): DLE<ValueOf<E>> | DLEIdle<AbsentOf<E>>;
export function useDLE<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): DLE<ValueOf<E>> | DLEIdle<AbsentOf<E>> {
  const { view, snapshot, interest } = useEndpointView(endpoint, args, telling);
  return useMemo(
    () =>
      // The cast: `status` decides which combination it is, and the type cannot follow that.
      ({
        data: dataOf(snapshot),
        loading: snapshot.status === 'pending',
        error: errorOf(snapshot),
        isStale: snapshot.status === 'ready' && snapshot.stale,
        isPartial: snapshot.status === 'ready' && snapshot.partial === true,
        refetch: async () => view?.load(interest?.signal),
      }) as DLE<ValueOf<E>>,
    [view, snapshot, interest],
  );
}
