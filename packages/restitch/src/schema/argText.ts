import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/RestitchError.js';
import { isObject, isPlain } from './same.js';

/** Deeper arguments, such as circular ones, have no text. */
const DEPTH_LIMIT = 200;

/**
 * Equal data has equal texts in any field order, and different data has different texts.
 *
 * @param isLoose True for the arguments of lists: `5` has the text of `'5'`, and `true` of `'true'`,
 * because both have the same URL. Undefined fields and items are left out.
 * @throws TypeError for functions, symbols, and objects that do not expose their content.
 */
export function canonicalText(value: unknown, isLoose = false, depth = 0): string {
  const type = typeof value;
  if (type === 'string' || (isLoose && /number|bigint|boolean/.test(type))) {
    return JSON.stringify(String(value));
  }
  if (/function|symbol/.test(type)) {
    throw noText(isDevelopment ? `a ${type}` : type);
  }
  if (isObject(value)) {
    if (depth > DEPTH_LIMIT) {
      throw noText(isDevelopment ? 'a circular or too deeply nested object' : 'circle');
    }
    return objectText(value, isLoose, depth + 1);
  }
  return type === 'bigint' ? `${String(value)}n` : Object.is(value, -0) ? '-0' : String(value);
}

function objectText(value: object, isLoose: boolean, depth: number): string {
  const text = (part: unknown): string => canonicalText(part, isLoose, depth);
  const list = (items: Iterable<unknown>): string => `[${Array.from(items, text).join()}]`;
  if (Array.isArray(value)) {
    return list(isLoose ? value.filter((item) => item !== undefined) : value);
  }
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (value instanceof Date) {
    const iso = isLoose && value.toJSON();
    return iso ? text(iso) : `${kind}(${value.getTime()})`;
  }
  if (Symbol.iterator in value) {
    // The cast: an object with `Symbol.iterator` is iterable, such as a map or a typed array.
    return kind + list(value as Iterable<unknown>);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return `${kind}(${text(value.toJSON())})`;
  }
  const fields = Object.entries(value).sort(byName);
  if (fields.length === 0 && !isPlain(value)) {
    throw noText(isDevelopment ? `an object (${kind}) without fields of its own` : kind);
  }
  const parts: string[] = [];
  for (const [name, part] of fields) {
    if (!isLoose || part !== undefined) {
      parts.push(`${JSON.stringify(name)}:${text(part)}`);
    }
  }
  return `{${parts.join()}}`;
}

export function byName(
  [a]: readonly [string, ...unknown[]],
  [b]: readonly [string, ...unknown[]],
): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function noText(what: string): TypeError {
  const message = isDevelopment
    ? `An argument contains ${what}, which has no text. Pass plain data, or override \`key\`.`
    : what;
  return misuse('argument-without-text', message);
}

/** Lists compare this text: `5` and `'5'` are equal, but `null` and `'null'` differ. */
export function argText(value: unknown): string {
  const isText = typeof value === 'string';
  if (isText && !OTHER.test(value)) {
    return value;
  }
  const text = canonicalText(value, true);
  return isText || !text.startsWith('"') ? text : text.slice(1, -1);
}

const OTHER = /^(null$|["[{]|[A-Z]\w*[[(])/;

/** Returns true for an object with named fields, not for an array, a map or a date. */
export function hasNames(value: unknown): value is object {
  return isObject(value) && !(Symbol.iterator in value) && !('toJSON' in value);
}

/** A replacer for `JSON.stringify`: the order of fields does not change the text. */
export function sortMembers(_field: string, value: unknown): unknown {
  return isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byName))
    : value;
}
