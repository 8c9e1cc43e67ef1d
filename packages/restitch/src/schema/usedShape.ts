import { unboundHook } from './listHomes.js';
import type { Schema } from './Schema.js';
import { shapeOf } from './shape.js';
import type { Shape } from './shapes.js';

/**
 * Returns the compiled form of a schema. A new endpoint can change the table of an unbound
 * collection, so the key of each unbound collection is computed again.
 *
 * @throws RestitchError for an unbound list whose collection has become ambiguous.
 */
export function usedShape(schema: Schema): Shape {
  unboundHook.lists?.renew(schema);
  return shapeOf(schema);
}
