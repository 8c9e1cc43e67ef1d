import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** An `All`, as the types of other schemas see it. */
export interface AllSchema<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E>[];
  readonly entity: E;
}
