import { isDevelopment } from '../errors/development.js';
import type { InvalidateConstructor } from './Invalidate.js';
import { setKind } from './SchemaKind.js';
import { type UnionChoice, unionOf } from './Union.js';

// The cast: a class cannot declare constructor signatures with different instance types.
export const InvalidateClass: InvalidateConstructor = class {
  declare readonly $entityOf?: typeof entityOf;
  declare readonly entity: unknown;

  static {
    setKind(this.prototype, 'invalidate');
  }

  constructor(entity: unknown, schemaAttribute?: string | UnionChoice) {
    this.entity = this.$entityOf?.(entity, schemaAttribute) ?? entity;
  }
} as InvalidateConstructor;

/** `resource()` needs no unions, so a program without `Invalidate` does not load them. */
export function withUnions(): InvalidateConstructor {
  Object.assign(InvalidateClass.prototype, { $entityOf: entityOf });
  return InvalidateClass;
}

function entityOf(entity: unknown, schemaAttribute: string | UnionChoice | undefined): unknown {
  if (!entity) {
    throw new TypeError(
      isDevelopment ? '`new Invalidate(entity)` needs an entity class or a `Union`.' : 'Invalidate',
    );
  }
  return unionOf(entity, schemaAttribute);
}
