import { errorOf } from '../controller/LiveView.js';
import { useMemo } from 'react';
import type {
  ArgsOf,
  EndpointError,
  FetchStatus,
  ReadEndpoint,
  ValueOf,
  ViewSnapshot,
} from '../index.js';
import type { AbsentOf } from './valueWithoutData.js';
import { dataOf, telling } from './readerModes.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';
import { useFetching } from './useFetching.js';

/** The members that every result of `useDLE` has. */
export interface DLEActions<T> {
  /**
   * Sends the request again; the data stays on the screen. Joins a request in flight, unless a
   * mutation has ended since that request began. Does nothing for a skipped request.
   *
   * @remarks A failure is stored as `error`, so `void refetch()` causes no unhandled rejection.
   */
  refetch(): Promise<T>;
  /** True if the data is stale. Read `isFetching` to find out if a newer response is on its way. */
  readonly isStale: boolean;
  /** True while missing fields of a record with `static partial` are fetched. */
  readonly isPartial: boolean;
  /**
   * `'fetching'` while a request is in flight, the first one or a refresh. `'paused'` while a
   * request waits for the network. Otherwise `'idle'`. A change renders only components that read
   * this property.
   */
  readonly fetchStatus: FetchStatus;
  /** True if `fetchStatus` is `'fetching'`. */
  readonly isFetching: boolean;
}

/** Data is present. With an `error`, the last refresh failed and the data is older. */
export interface DLEReady<T> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: EndpointError | undefined;
}

/** The first response is pending. */
export interface DLELoading<T, Nothing = undefined> extends DLEActions<T> {
  readonly data: Nothing;
  readonly loading: true;
  readonly error: undefined;
}

/** The request failed, and no data is present. */
export interface DLEFailed<T, Nothing = undefined> extends DLEActions<T> {
  readonly data: Nothing;
  readonly loading: false;
  readonly error: EndpointError;
}

/** The request is skipped: the argument is `null`. */
export interface DLEIdle<T = undefined> extends DLEActions<T> {
  readonly data: T;
  readonly loading: false;
  readonly error: undefined;
}

/**
 * The result of `useDLE`. To distinguish the cases, check `loading`, then `error && !data`. Without
 * a response, `data` has the type `Nothing`, which is undefined for most schemas. For an object
 * schema, `data` is then an object without records and lists, so check a field of `data` instead.
 */
export type DLE<T, Nothing = undefined> =
  | DLEReady<T>
  | DLELoading<T, Nothing>
  | DLEFailed<T, Nothing>;

/**
 * Returns `data`, `loading` and `error` of an endpoint. Never suspends or throws. The returned
 * object stays the same while nothing changes.
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
  const { fetchStatus, take } = useFetching(scope.root.controller, view, isLoading);
  return useMemo(
    () =>
      dleOf(data, snapshot, {
        fetchStatus,
        take,
        refetch: () => view?.refetch(interest?.signal) ?? nothing,
      }),
    [view, snapshot, data, interest, fetchStatus, take],
  );
}

const nothing = Promise.resolve();

interface Actions {
  readonly fetchStatus: FetchStatus;
  readonly take: () => void;
  readonly refetch: () => Promise<unknown>;
}

function dleOf<T, Nothing>(
  data: unknown,
  snapshot: ViewSnapshot<unknown>,
  { fetchStatus, take, refetch }: Actions,
): DLE<T, Nothing> {
  // The cast: all members come from one snapshot, so they form one case of `DLE`.
  return {
    data,
    loading: snapshot.status === 'pending',
    error: errorOf(snapshot),
    isStale: snapshot.status === 'ready' && snapshot.stale,
    isPartial: snapshot.status === 'ready' && snapshot.partial === true,
    get fetchStatus() {
      take();
      return fetchStatus;
    },
    get isFetching() {
      return this.fetchStatus === 'fetching';
    },
    refetch,
  } as DLE<T, Nothing>;
}
