import { isPlain } from '../../schema/same.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Plain values nested deeper than this stay as they are: no answer may overflow the stack. */
const FROZEN_DEPTH = 1_000;

/** In development what readers get is frozen, so that a mistaken write throws where it is made. */
// Chosen once: the environment is slow to ask, and each instance comes through here.
export const freeze: <T extends object>(value: T) => T = (
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production'
)
  ? (value) => freezeDeep(value, 0)
  : (value) => value;

function freezeDeep<T extends object>(value: T, depth: number): T {
  if (depth < FROZEN_DEPTH && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Array.isArray(value) ? value : Object.values(value)) {
      if (Array.isArray(part) || isPlain(part)) {
        freezeDeep(part, depth + 1);
      }
    }
  }
  return value;
}
