import type {
  ArgsOf,
  EndpointInterface,
  Snapshot,
  ValueOf,
} from '../endpoint/EndpointInterface.js';
import type { Denormalize } from '../schema/Schema.js';

/** What a snapshot reads from. */
export interface SnapshotSource {
  get(schema: unknown, ...args: readonly unknown[]): unknown;
  getResponse(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown;
  getError(endpoint: EndpointInterface, ...args: readonly unknown[]): Error | undefined;
}

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
  const snapshot: Snapshot = {
    abort,
    fetchedAt,
    // The source reads by schema and endpoint at run time; the snapshot's types say the same per call.
    get: <S>(schema: S, ...rest: readonly unknown[]) =>
      source.get(schema, ...rest) as Denormalize<S> | undefined,
    getResponse: <E extends EndpointInterface>(other: E, ...rest: ArgsOf<E>) =>
      source.getResponse(other, ...(rest as readonly unknown[])) as ValueOf<E> | undefined,
    getError: (other, ...rest) => source.getError(other, ...(rest as readonly unknown[])),
  };
  try {
    return endpoint.getOptimisticResponse(snapshot, ...args);
  } catch (error) {
    if (error === abort) {
      return undefined;
    }
    throw error;
  }
}
