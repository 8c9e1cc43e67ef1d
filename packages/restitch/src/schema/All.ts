import { isDevelopment } from '../errors/development.js';
import { setKind } from './kind.js';
import type { Denormalize, EntityClass } from './Schema.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from './Union.js';

/**
 * Every record of a class that the store knows, in the order in which they became known; undefined while there was never
 * one. Of a union, the records of each of its classes, one class after the other.
 *
 * @remarks As the schema of an endpoint, which answers with a list, it stores that list's records and reads as all there are.
 * A list that only some records belong to is a `Collection`.
 *
 * @example
 * ```ts
 * import { All, Controller, Entity } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * const controller = new Controller();
 * const users = controller.get(new All(User)) ?? [];
 * ```
 */
export interface All<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E>[];
  readonly entity: E;
}

/** The class `All` as a value. */
export interface AllConstructor {
  /** Of classes by discriminator, and the field or function that chooses: short for a `Union` of them. */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): All<Union<D, A>>;
  new <E extends EntityClass | Union>(entity: E): All<E>;
  readonly prototype: All<EntityClass | Union>;
}

/** The class `All` as a value; see the interface of the same name. */
// A map of classes gives another type of instance, which a class cannot say of its own constructor.
export const All: AllConstructor = class {
  readonly entity: unknown;

  static {
    setKind(this.prototype, 'all');
  }

  constructor(entity: unknown, schemaAttribute?: string | UnionChoice) {
    if (!entity) {
      throw new TypeError(
        isDevelopment ? '`new All(entity)` needs an entity class or a union of such.' : 'All',
      );
    }
    this.entity = unionOf(entity, schemaAttribute);
  }
} as AllConstructor;
