import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { equal } from '../store/cells/plainValues.js';

/**
 * True for two copies that one place in the program makes, for example in each render. A function
 * that is made again is another function with the same text.
 */
export function sameOptions(a: EndpointInterface, b: EndpointInterface): boolean {
  const one = a.$made?.options ?? {};
  const other = b.$made?.options ?? {};
  return (
    a === b ||
    (a.constructor === b.constructor &&
      Object.keys({ ...one, ...other }).every(
        (name) => APART.includes(name) || equal(comparable(one[name]), comparable(other[name])),
      ))
  );
}

/** The result distinguishes schemas, and the subscription knows its period. */
const APART = ['schema', 'pollFrequency'];

function comparable(option: unknown): unknown {
  return typeof option === 'function' ? String(option) : option;
}
