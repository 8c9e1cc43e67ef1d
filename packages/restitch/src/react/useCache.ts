import type { ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './absent.js';
import { knownOf, looking } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/**
 * Reads what the cache has for an endpoint, or undefined; never sends a request and never suspends. Invalidated, failed
 * and missing data are undefined, or where the schema is an object its shape without records and lists, as for `null`; stale
 * data is returned.
 *
 * @example
 * ```tsx
 * import { RestEndpoint } from 'restitch';
 * import { useCache } from 'restitch/react';
 *
 * const getSession = new RestEndpoint({ path: '/session' });
 *
 * export function Greeting() {
 *   const session = useCache(getSession);
 *   return session ? <p>Hello, {session.name}</p> : <a href="/login">Log in</a>;
 * }
 * ```
 */
export function useCache<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): ValueOf<E> | AbsentOf<E> {
  // The cast: of nothing it is what the schema leaves.
  return knownOf(useEndpointView(endpoint, args, looking).snapshot, endpoint.schema) as ValueOf<E>;
}
