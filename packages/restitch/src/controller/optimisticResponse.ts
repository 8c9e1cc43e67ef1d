import { isDevelopment } from '../errors/development.js';
import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import type { SnapshotSource } from './snapshotSource.js';

/** Returns the endpoint's optimistic response or undefined. Rethrows the endpoint's errors. */
export function optimisticResponse(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  source: SnapshotSource,
  fetchedAt: number,
): unknown {
  let abort: Error | undefined;
  const snapshot: Snapshot = {
    ...source,
    // Optimization: creating an error collects its stack, which costs more than the rest of an
    // optimistic update.
    get abort() {
      abort ??= new Error(isDevelopment ? 'No optimistic update this time.' : 'abort');
      return abort;
    },
    fetchedAt,
  };
  try {
    return endpoint.getOptimisticResponse?.(snapshot, ...args);
  } catch (error) {
    if (abort && error === abort) {
      return undefined;
    }
    throw error;
  }
}
