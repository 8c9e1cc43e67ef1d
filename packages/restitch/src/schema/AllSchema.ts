import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** The type of an `All` schema for other types in this folder. `All` extends it. */
export interface AllSchema<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E>[];
  readonly entity: E;
}
