import { isDevelopment } from '../errors/development.js';
import type { InvalidateConstructor } from './Invalidate.js';
import { setKind } from './kind.js';
import { type UnionChoice, unionOf } from './Union.js';

/** The implementation of `Invalidate`; `Invalidate.ts` declares its types. */
// A map of classes results in another instance type, which a class cannot declare.
export const InvalidateClass: InvalidateConstructor = class {
  declare readonly '~entityOf'?: typeof entityOf;
  declare readonly entity: unknown;

  static {
    setKind(this.prototype, 'invalidate');
  }

  constructor(entity: unknown, schemaAttribute?: string | UnionChoice) {
    this.entity = this['~entityOf']?.(entity, schemaAttribute) ?? entity;
  }
} as InvalidateConstructor;

/**
 * Makes the class check its argument and accept a map of classes in place of a union, and returns
 * it. A program with `resource()` alone needs neither, and does not download unions.
 */
export function withUnions(): InvalidateConstructor {
  Object.assign(InvalidateClass.prototype, { '~entityOf': entityOf });
  return InvalidateClass;
}

function entityOf(entity: unknown, schemaAttribute: string | UnionChoice | undefined): unknown {
  if (!entity) {
    throw new TypeError(
      isDevelopment
        ? '`new Invalidate(entity)` needs an entity class or a union of such.'
        : 'Invalidate',
    );
  }
  return unionOf(entity, schemaAttribute);
}
