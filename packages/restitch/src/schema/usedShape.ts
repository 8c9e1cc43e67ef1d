import { unboundHook } from './listHomes.js';
import type { Schema } from './Schema.js';
import { shapeOf } from './shape.js';
import type { Shape } from './shapes.js';

/** @throws RestitchError for an unbound list whose collection has become ambiguous. */
export function usedShape(schema: Schema): Shape {
  unboundHook.lists?.renew(schema);
  return shapeOf(schema);
}
