import { isPlain } from '../../schema/same.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Deeper values are not frozen, so that no response overflows the call stack. */
const FROZEN_DEPTH = 1_000;

/** Lists that their own records refer to. They stay empty until these records are frozen. */
const unfilled = /* @__PURE__ */ new WeakSet();

export const filledLater: <T extends object>(value: T) => T = (
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production'
)
  ? (value) => {
      unfilled.add(value);
      return value;
    }
  : (value) => value;

/** Freezes values for readers in development, so that an accidental write throws at once. */
export const freeze: <T extends object>(value: T) => T = (
  typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production'
)
  ? (value) => freezeDeep(value, 0)
  : (value) => value;

function freezeDeep<T extends object>(value: T, depth: number): T {
  if (depth < FROZEN_DEPTH && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Array.isArray(value) ? value : Object.values(value)) {
      if ((Array.isArray(part) || isPlain(part)) && !unfilled.has(part)) {
        freezeDeep(part, depth + 1);
      }
    }
  }
  return value;
}
