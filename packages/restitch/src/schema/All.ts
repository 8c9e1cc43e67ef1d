import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

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
export class All<E extends EntityClass | Union> {
  declare readonly '~value': Denormalize<E>[];
  readonly entity: E;

  constructor(entity: E) {
    if (!entity) {
      throw new TypeError('`new All(entity)` needs an entity class or a union of such.');
    }
    this.entity = entity;
  }
}
