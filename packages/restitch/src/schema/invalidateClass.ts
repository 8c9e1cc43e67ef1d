import { isDevelopment } from '../errors/development.js';
import type { InvalidateConstructor } from './Invalidate.js';
import { setKind } from './kind.js';
import { mapOf } from './maps.js';
import type { UnionChoice } from './Union.js';

/** What `new Invalidate(…)` runs; `Invalidate.ts` gives it its types. */
// A map of classes gives another type of instance, which a class cannot say of its own constructor.
export const InvalidateClass: InvalidateConstructor = class {
  readonly entity: unknown;

  static {
    setKind(this.prototype, 'invalidate');
  }

  constructor(entity: unknown, schemaAttribute?: string | UnionChoice) {
    if (!entity) {
      throw new TypeError(
        isDevelopment
          ? '`new Invalidate(entity)` needs an entity class or a union of such.'
          : 'Invalidate',
      );
    }
    this.entity = mapOf(entity, schemaAttribute);
  }
} as InvalidateConstructor;
