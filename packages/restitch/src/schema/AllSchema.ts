import type { Denormalize, EntityClass } from './Schema.js';
import type { Union } from './Union.js';

/** The type of `All` for the files of `schema/`, which must not import `All` from `store/`. */
export interface AllSchema<E extends EntityClass | Union> {
  readonly '~value': Denormalize<E>[];
  readonly entity: E;
}
