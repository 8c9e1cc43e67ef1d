import { withUnions } from './invalidateClass.js';
import type { Denormalize, EntityClass } from './Schema.js';
import type { SharedField, Union, UnionChoice, UnionDefinition } from './Union.js';

/**
 * The schema of a response that names a deleted record. The record is removed from the store and
 * from every list.
 *
 * @remarks The response is the primary key itself, or an object with the fields of the key.
 * `controller.fetch` resolves to the record as it was before the deletion, or to undefined if the
 * store did not have the record.
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
export interface Invalidate<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E> | undefined;
  readonly entity: E;
}

/** The type of the class `Invalidate`, for functions that receive the class itself. */
export interface InvalidateConstructor {
  /** A shorthand for `new Invalidate(new Union(definition, schemaAttribute))`. */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): Invalidate<Union<D, A>>;
  new <E extends EntityClass | Union>(entity: E): Invalidate<E>;
  readonly prototype: Invalidate<EntityClass | Union>;
}

/** Instances have the type of the interface with the same name. */
export const Invalidate: InvalidateConstructor = /* @__PURE__ */ withUnions();
