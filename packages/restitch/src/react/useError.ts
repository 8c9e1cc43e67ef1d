import type { ReadEndpoint } from '../index.js';
import { errorOf, failing } from './reading.js';
import { type ArgsOrNull, useEndpointView } from './useEndpointView.js';

/**
 * The stored error of an endpoint, the same object each time, or undefined while nothing has failed. Never sends a
 * request.
 */
export function useError<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Error | undefined {
  return errorOf(useEndpointView(endpoint, args, failing).snapshot);
}
