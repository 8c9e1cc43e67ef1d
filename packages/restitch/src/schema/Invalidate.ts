import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/**
 * The schema of an answer that says which record is gone: it leaves the store and every list.
 *
 * @remarks Accepts the primary key itself or any object that holds the fields of the key. `controller.fetch` resolves to
 * the record as it was, or undefined when it was not in the store.
 *
 * @example
 * ```ts
 * import { Entity, Invalidate, RestEndpoint } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 * }
 *
 * const deleteUser = new RestEndpoint({
 *   path: '/users/:id',
 *   method: 'DELETE',
 *   schema: new Invalidate(User),
 * });
 * ```
 */
export class Invalidate<E extends EntityClass | Union> {
  declare readonly '~value': Denormalize<E> | undefined;
  readonly entity: E;

  constructor(entity: E) {
    if (!entity) {
      throw new TypeError('`new Invalidate(entity)` needs an entity class or a union of such.');
    }
    this.entity = entity;
  }
}
