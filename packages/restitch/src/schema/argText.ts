import { isDevelopment } from '../errors/development.js';
import { isObject } from './same.js';

/** How deep arguments may be nested: deeper ones, and those in a circle, have no text. */
const DEPTH_LIMIT = 200;

/**
 * Arguments as text: equal for equal data in whatever order its fields were written, and different for what differs, maps,
 * sets, dates, `NaN`, `-0` and bigints included. The one format of arguments in cache keys and queries.
 *
 * @param isLoose `5` and `'5'` are the same, and a field that is undefined is absent: how lists compare.
 * @throws TypeError for functions, symbols, and objects that show nothing of what they hold.
 */
export function canonicalText(value: unknown, isLoose = false, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
    case 'bigint': {
      if (isLoose) {
        return `"${value}"`;
      }
      return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value);
    }
    case 'function':
    case 'symbol':
      throw noText(isDevelopment ? `a ${typeof value}` : typeof value);
    case 'object':
      if (depth > DEPTH_LIMIT) {
        throw noText(isDevelopment ? 'a circle of objects' : 'circle');
      }
      return value === null ? 'null' : objectText(value, isLoose, depth + 1);
    default:
      return String(value);
  }
}

function objectText(value: object, isLoose: boolean, depth: number): string {
  const text = (part: unknown): string => canonicalText(part, isLoose, depth);
  const list = (items: Iterable<unknown>): string => `[${Array.from(items, text).join()}]`;
  if (Array.isArray(value)) {
    return list(value);
  }
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (value instanceof Date) {
    // An invalid date has no text of that form.
    const iso = isLoose && value.toJSON();
    return iso ? text(iso) : `${kind}(${value.getTime()})`;
  }
  if (Symbol.iterator in value) {
    // A map, a set, search parameters, a typed array. The cast: an object with that method can be iterated.
    return kind + list(value as Iterable<unknown>);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return `${kind}(${text(value.toJSON())})`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const fields = Object.entries(value).sort(byName);
  if (fields.length === 0 && prototype !== null && prototype !== Object.prototype) {
    throw noText(isDevelopment ? `an object (${kind}) without fields of its own` : kind);
  }
  const parts = fields.flatMap(([name, part]) =>
    isLoose && part === undefined ? [] : [`${JSON.stringify(name)}:${text(part)}`],
  );
  return `{${parts.join()}}`;
}

/** For pairs, by the first of each. */
export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function noText(what: string): TypeError {
  const message = isDevelopment
    ? `Arguments identify data, which ${what} cannot: pass plain data, or override \`key\`.`
    : what;
  return Object.assign(new TypeError(message), { code: 'argument-without-text' });
}

/**
 * An argument or field as the text by which lists compare it: `5` and `'5'` are the same, inside arrays and objects too, and
 * the order of an object's fields says nothing. `null` and `'null'` differ.
 */
export function argText(value: unknown): string {
  if (typeof value === 'string') {
    // A text that reads as another value stands in quotes.
    return OTHER.test(value) ? JSON.stringify(value) : value;
  }
  if (value instanceof Date) {
    return value.toJSON() ?? canonicalText(value);
  }
  return /number|bigint/.test(typeof value) ? `${value as number}` : canonicalText(value, true);
}

const OTHER = /^(null$|["[{]|[A-Z]\w*[[(])/;

/** Whether the members of an argument are arguments by name, rather than what one value holds. */
export function hasNames(value: unknown): value is object {
  return isObject(value) && !(Symbol.iterator in value) && !('toJSON' in value);
}

/** For `JSON.stringify`: the same object written in another order is the same text. */
export function sortMembers(_field: string, value: unknown): unknown {
  return isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byName))
    : value;
}
