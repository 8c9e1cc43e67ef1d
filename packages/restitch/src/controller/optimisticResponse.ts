import { isDevelopment } from '../errors/development.js';
import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import type { SnapshotSource } from './snapshotSource.js';

/** Asks an endpoint what its server will probably answer; undefined when it does not say. Throws what the endpoint throws. */
export function optimisticResponse(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  source: SnapshotSource,
  fetchedAt: number,
): unknown {
  let abort: Error | undefined;
  const snapshot: Snapshot = {
    ...source,
    // Made when it is asked for: an error collects its stack, which costs more than the rest of a guess.
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
