import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** The members of `All` that the types of other schemas use. */
export interface AllSchema<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E>[];
  readonly entity: E;
}
