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
 * Every record of a class in the store, in the order in which the records were added. The value is
 * undefined until the store has had one. A union reads as the records of one class after the other.
 *
 * @remarks It can be the schema of an endpoint that returns a list. It stores the records of the
 * response and reads as all records of the class. Use a `Collection` for a list of only some
 * records.
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
  /**
   * Takes classes by discriminator, and the field or function that chooses among them: a shorthand
   * for a `Union`.
   */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): All<Union<D, A>>;
  new <E extends EntityClass | Union>(entity: E): All<E>;
  readonly prototype: All<EntityClass | Union>;
}

/** The class `All` as a value; see the interface of the same name. */
// The cast: a map of classes results in another instance type, which a class cannot declare.
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
