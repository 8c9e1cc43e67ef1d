import type { ArgsOf, ReadEndpoint, TrackedPromise, ValueOf } from '../index.js';
import type { AbsentOf } from './valueWithoutData.js';
import { type Settled, useResult } from './useResult.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { suspend } from './useView.js';

/**
 * Reads an endpoint and always returns data. Without data, the component suspends, and the nearest
 * `AsyncBoundary` renders its fallback. A failed request is thrown to the boundary. Stale data is
 * returned and fetched again in the background.
 *
 * @remarks `null` as the only argument skips the request. The hook then returns undefined, or for
 * an object schema, an object without records and lists. The component renders again only when the
 * returned data changes.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useSuspense } from 'restitch/react';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 *
 * export function UserName({ id }: { id: string }) {
 *   const user = useSuspense(getUser, { id });
 *   return <b>{user.name}</b>;
 * }
 * ```
 */
export function useSuspense<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E>;
export function useSuspense<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E> {
  return dataOrThrow(useResult(endpoint, args));
}

export function dataOrThrow<T>(result: Settled<T> | TrackedPromise<T>): T {
  if (result.status === 'ready') return result.data;
  if (result.status === 'error') throw result.error;
  return suspend(result);
}
