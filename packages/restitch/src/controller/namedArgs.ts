import { allArgs, type Identified } from '../schema/identityText.js';
import type { Schema } from '../schema/Schema.js';
import { changedShape, isRecordShape, onlyShape, shapeOf } from '../schema/shape.js';
import type { Store } from '../store/cells/Store.js';
import { fitsAnother } from '../store/views/partialKeys.js';

/**
 * Returns the arguments of a call. For an endpoint of `resource()`, the first one names the record:
 * in `/rows/:rowId`, the last parameter is the primary key, whatever its name. If it can name
 * several records, it is undefined.
 */
export function namedArgs(
  store: Store,
  endpoint: Identified & { readonly schema?: unknown },
  args: readonly unknown[],
): readonly unknown[] {
  const all = allArgs(endpoint, args);
  // The cast: the schema of an endpoint is unknown here. `shapeOf` refuses any other value.
  const only = onlyShape(shapeOf(endpoint.schema as Schema));
  const member = only.kind === 'invalidate' ? only.member : changedShape(only);
  const row = endpoint.$row?.(all[0], member) ?? all[0];
  const isUnsure = isRecordShape(member) && fitsAnother(store, member, all[0], row);
  return [isUnsure ? undefined : row, ...all.slice(1)];
}

/** The optimistic update of such a call would change the wrong record. */
export function fitsSeveral(
  store: Store,
  endpoint: Identified & { readonly schema?: unknown },
  args: readonly unknown[],
): boolean {
  const [given] = allArgs(endpoint, args);
  return given !== undefined && namedArgs(store, endpoint, args)[0] === undefined;
}
