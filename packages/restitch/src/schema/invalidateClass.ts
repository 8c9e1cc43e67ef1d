import { isDevelopment } from '../errors/development.js';
import type { InvalidateConstructor } from './Invalidate.js';
import { setKind } from './kind.js';
import { mapOf } from './maps.js';
import type { UnionChoice } from './Union.js';

/** The implementation of `Invalidate`; `Invalidate.ts` declares its types. */
// A map of classes results in another instance type, which a class cannot declare.
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
