import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import type { SnapshotSource } from './snapshotSource.js';

/** Asks an endpoint what its server will probably answer; undefined when it does not say. Throws what the endpoint throws. */
export function optimisticResponse(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  source: SnapshotSource,
  fetchedAt: number,
): unknown {
  if (!endpoint.getOptimisticResponse) {
    return undefined;
  }
  const abort = new Error('No optimistic update this time.');
  const snapshot: Snapshot = { ...source, abort, fetchedAt };
  try {
    return endpoint.getOptimisticResponse(snapshot, ...args);
  } catch (error) {
    if (error === abort) {
      return undefined;
    }
    throw error;
  }
}
