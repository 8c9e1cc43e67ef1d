import type { ReadEndpoint, ValueOf } from '../index.js';
import type { AbsentOf } from './valueWithoutData.js';
import { knownOf, looking } from './readerModes.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/**
 * Returns the cached data of an endpoint, or undefined. Never sends a request and never suspends.
 *
 * @remarks Stale data is returned too. Before the endpoint's first response, the hook can return an
 * incomplete record from other responses. Missing, failed or invalidated data is undefined. `null`
 * as the only argument returns undefined. With an object schema, the hook always returns an object.
 * Without data, the records and lists in the object are undefined.
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
  // The cast: without data, the value has the type `AbsentOf<E>`.
  return knownOf(useEndpointView(endpoint, args, looking).snapshot, endpoint.schema) as ValueOf<E>;
}
