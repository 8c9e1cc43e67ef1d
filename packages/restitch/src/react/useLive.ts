import type { ArgsOf, ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './valueWithoutData.js';
import { useResult } from './useResult.js';
import type { ArgsOrNull } from './useEndpointView.js';
import { useSubscribed } from './useSubscription.js';
import { dataOrThrow } from './useSuspense.js';

/**
 * Returns the data like `useSuspense`, and keeps it up to date like `useSubscription`.
 *
 * @remarks Suspends and throws errors like `useSuspense`. After a failed poll, the hook still
 * returns the data. `null` as the only argument stops fetching, and returns the same as in
 * `useSuspense`.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useLive } from 'restitch/react';
 *
 * const getPrice = new RestEndpoint({ path: '/price/:id', pollFrequency: 5_000 });
 *
 * export function Price({ id }: { id: string }) {
 *   return <b>{useLive(getPrice, { id }).amount}</b>;
 * }
 * ```
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E>;
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E>;
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E> {
  useSubscribed(endpoint, args);
  return dataOrThrow(useResult(endpoint, args));
}
