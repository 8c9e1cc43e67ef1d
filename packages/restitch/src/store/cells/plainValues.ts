export { own } from '../../schema/same.js';
import { entriesOfForm, formOf } from '../../schema/formFields.js';
import { setField } from '../../schema/setField.js';
import { isObject as isAnyObject, isPlain } from '../../schema/same.js';
import type { Fields, Stored } from './Cell.js';

export function copyFields(source: object): Record<string, unknown> {
  return { ...source };
}

/** Optimization: an object that the caller owns (`own`) is modified in place. */
export function mergeFields(existing: Fields, incoming: Fields, own?: Fields): Fields {
  let merged = existing === own ? (own as Record<string, unknown>) : undefined;
  for (const key in incoming) {
    const value = incoming[key];
    if (!holds(existing, key, value) && Object.hasOwn(incoming, key)) {
      merged ??= copyFields(existing);
      setField(merged, key, value);
    }
  }
  return merged ?? existing;
}

/** Keeps the old objects of equal fields. If all fields are equal, returns `existing` itself. */
export function reuseFields(existing: Fields, next: Fields): Fields {
  const keys = Object.keys(next);
  let same = keys.length === Object.keys(existing).length;
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    const kept = Object.hasOwn(existing, key) && equal(existing[key], next[key]);
    same &&= kept;
    setField(result, key, kept ? existing[key] : next[key]);
  }
  return same ? existing : result;
}

export function withMissing(known: Stored, older: Stored): Stored {
  if (!isObject(known) || !isObject(older)) {
    return known === undefined ? older : known;
  }
  return mergeFields(known, { ...older, ...known });
}

/** Deeper values are neither compared nor copied, because the call stack would overflow. */
const DEPTH_LIMIT = 1_000;

/** Compares dates by time, other class instances by identity. */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) {
    return true;
  }
  if (depth > DEPTH_LIMIT) {
    return false;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equal(item, b[index], depth + 1))
    );
  }
  if (a instanceof Date) {
    return b instanceof Date && Object.is(a.getTime(), b.getTime());
  }
  return isPlain(a) && isPlain(b) && equalFields(a, b, depth + 1);
}

export function equalFields(a: Fields, b: Fields, depth = 0): boolean {
  for (const key in b) {
    if (!holds(a, key, b[key], depth)) {
      return false;
    }
  }
  return Object.keys(a).length === Object.keys(b).length;
}

function holds(fields: Fields, key: string, value: unknown, depth = 0): boolean {
  const known = fields[key];
  return (
    (known === value && value !== undefined) ||
    (Object.hasOwn(fields, key) && equal(known, value, depth))
  );
}

/** Copies plain objects, arrays, dates and forms. Shares other values and the fields in `skip`. */
export function copyDeep(
  source: object,
  skip: { has(field: string): boolean } = NOTHING,
  depth = 0,
): Record<string, unknown> {
  const copy = copyFields(source);
  for (const key in copy) {
    const value = copy[key];
    if (typeof value === 'object' && !skip.has(key) && Object.hasOwn(copy, key)) {
      copy[key] = copyValue(value, depth);
    }
  }
  return copy;
}

const NOTHING: ReadonlySet<string> = new Set();

export function copyValue<T>(value: T, depth?: number): T;
export function copyValue(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_LIMIT) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => copyValue(item, depth + 1));
  }
  if (isPlain(value)) {
    return copyDeep(value, NOTHING, depth + 1);
  }
  if (Object(value).constructor === Date) {
    return new Date(value as Date);
  }
  const form = isAnyObject(value) ? entriesOfForm(value) : undefined;
  return form?.length ? formOf(Object(value), form) : value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return isAnyObject(value) && !Array.isArray(value);
}
