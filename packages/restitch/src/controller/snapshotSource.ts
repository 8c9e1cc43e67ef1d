import type { EndpointInterface, Snapshot } from '../endpoint/EndpointInterface.js';
import type { Shape } from '../schema/shape.js';
import { shapeOf } from '../schema/shape.js';
import { missingFields } from '../store/missing.js';
import { queryKey, queryShape } from '../store/query.js';
import { leftOutOf } from '../store/results.js';
import type { Cell, Store, Stored } from '../store/state.js';
import { errorsOf, isUntouched, registerOf } from './registers.js';

/** The methods of a snapshot, whatever it is a snapshot of. */
export type SnapshotSource = Pick<Snapshot, 'get' | 'getResponse' | 'getError'>;

/** Snapshots differ in how they `read` a normalized value, in what they take a cell to show and an answer to be. */
export function snapshotSource(
  store: Store,
  read: (shape: Shape, args: readonly unknown[], normalized: unknown) => unknown,
  shown: (cell: Cell) => Stored,
): SnapshotSource {
  const source = {
    get: (schema: unknown, ...args: unknown[]) =>
      read(queryShape(schema), args, queryKey(shapeOf(schema), args)),
    getResponse: (endpoint: EndpointInterface, ...args: unknown[]) => {
      const result = registerOf(store, endpoint, args);
      const { status, value } = result;
      const isBrought = status === 'none' && isUntouched(result);
      const normalized = status === 'value' ? value : isBrought ? result.names() : undefined;
      // First of all: a layer notes what it looks at.
      const data = read(result.shape, args, normalized);
      const missing = missingFields(store, result.shape, normalized, leftOutOf(result), shown);
      return missing?.isPartial === false ? undefined : data;
    },
    getError: (endpoint: EndpointInterface, ...args: unknown[]) =>
      registerOf(store, errorsOf(endpoint), args).error,
  };
  // The cast: it reads by schema and endpoint at run time; the snapshot's types say the same per call.
  return source as SnapshotSource;
}
