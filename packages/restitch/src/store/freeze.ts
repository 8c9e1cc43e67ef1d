import { isDevelopment } from '../errors/development.js';
import { isPlain } from './record.js';

/** Plain values nested deeper than this stay as they are: no answer may overflow the stack. */
const FROZEN_DEPTH = 1_000;

/** In development what readers get is frozen, so that a mistaken write throws where it is made. */
export function freeze<T extends object>(value: T, depth = 0): T {
  if (isDevelopment && depth < FROZEN_DEPTH && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) {
      if (Array.isArray(part) || isPlain(part)) {
        freeze(part, depth + 1);
      }
    }
  }
  return value;
}
