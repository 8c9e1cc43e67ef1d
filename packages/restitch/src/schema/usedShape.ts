import { isBound } from './homes.js';
import { listsIn } from './lists.js';
import type { Schema } from './Schema.js';
import { collectionShape, shapeOf } from './shape.js';
import type { Shape } from './shapes.js';

/**
 * The compiled form of a schema that the program uses now. Lists in it that are used by themselves stay what they are, whatever
 * is declared while a request is under way.
 *
 * @throws RestitchError where such a list has become one of several.
 */
export function usedShape(schema: Schema): Shape {
  for (const list of listsIn(schema)) {
    const collection = 'collection' in list ? list.collection : list;
    if (!isBound(collection)) {
      collectionShape(collection).settle();
    }
  }
  return shapeOf(schema);
}
