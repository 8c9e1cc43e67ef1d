import { allArgs, type Identified } from './identityText.js';
import type { Schema } from './Schema.js';
import { changedShape, onlyShape, shapeOf } from './shape.js';

/**
 * Returns the arguments of a call. For an endpoint of `resource()`, the first one names the record:
 * in `/rows/:rowId`, the last parameter is the primary key, whatever its name.
 */
export function namedArgs(
  endpoint: Identified & { readonly schema?: unknown },
  args: readonly unknown[],
): readonly unknown[] {
  const all = allArgs(endpoint, args);
  // The cast: the schema of an endpoint is unknown here. `shapeOf` refuses any other value.
  const only = onlyShape(shapeOf(endpoint.schema as Schema));
  const member = only.kind === 'invalidate' ? only.member : changedShape(only);
  const row = endpoint.$row?.(all[0], member);
  return row === undefined ? all : [row, ...all.slice(1)];
}
