import type { ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './absent.js';
import { knownOf, looking } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/**
 * Returns the cached data of an endpoint, or undefined. It never sends a request and never
 * suspends.
 *
 * @remarks Stale data is returned, and so are the known fields of a record that only other
 * responses contain. Invalidated, failed and missing data are undefined, and so is the data for
 * `null`. If the schema is an object, the object keeps its shape without records and lists.
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
  // The cast: without data, the value depends on the schema.
  return knownOf(useEndpointView(endpoint, args, looking).snapshot, endpoint.schema) as ValueOf<E>;
}
