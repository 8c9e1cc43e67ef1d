import { isOneOf } from '../host/isOneOf.js';

/** A program can throw any value, even an object that cannot be converted to text. */
export function toError(error: unknown): Error {
  return isError(error) ? error : new Error(textOf(error), { cause: error });
}

/** An error of another realm, such as an iframe or jsdom, is no instance of our `Error`. */
function isError(thrown: unknown): thrown is Error {
  return isOneOf(['Error', 'DOMException'], thrown);
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
