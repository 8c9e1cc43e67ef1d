import { setField } from '../../schema/fields.js';
import { isPlain } from '../../schema/same.js';
import type { Fields, Stored } from './Cell.js';

/** A copy of an object's own fields, whatever their names. */
export function copyFields(source: object): Record<string, unknown> {
  return { ...source };
}

/**
 * The incoming fields over the existing ones, one level deep. Returns `existing` itself when nothing differs, and keeps the
 * identity of every field whose content is equal. `own`: what the caller made by itself, and lets be changed in place.
 */
export function mergeFields(existing: Fields, incoming: Fields, own?: Fields): Fields {
  // The cast: read-only is what others see.
  let merged = existing === own ? (own as Record<string, unknown>) : undefined;
  for (const key in incoming) {
    const value = incoming[key];
    // Own fields only; asked late, because most are equal.
    if (!holds(existing, key, value) && Object.hasOwn(incoming, key)) {
      merged ??= copyFields(existing);
      setField(merged, key, value);
    }
  }
  return merged ?? existing;
}

/** `next`, but `existing` itself if it holds the same, and its equal fields otherwise: what a custom merge returned. */
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

/** What is known and what comes, as one: `isNewer` where what comes goes over it, otherwise it only fills in. */
export function combine(known: Stored, incoming: Stored, isNewer: boolean): Stored {
  if (!isObject(known) || !isObject(incoming)) {
    return known === undefined || isNewer ? incoming : known;
  }
  if (isNewer) {
    // A class's own `merge` made the row already, where it comes from.
    return mergeFields(known, incoming);
  }
  const missing = Object.entries(incoming).filter(([field]) => !Object.hasOwn(known, field));
  // `fromEntries` defines, so that a field called `__proto__` is a field.
  return mergeFields(known, Object.fromEntries(missing));
}

/** Plain values nested deeper than this are neither compared nor copied: no answer may overflow the stack. */
const DEPTH_LIMIT = 1_000;

/** Whether two plain values hold the same. Dates compare by time; other class instances only by identity. */
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

/** Whether two objects hold the same under the same names. */
export function equalFields(a: Fields, b: Fields, depth = 0): boolean {
  for (const key in b) {
    if (!holds(a, key, b[key], depth)) {
      return false;
    }
  }
  return Object.keys(a).length === Object.keys(b).length;
}

/** Whether an object has a field of its own with an equal value. What is there at once need not be asked whose it is. */
function holds(fields: Fields, key: string, value: unknown, depth = 0): boolean {
  const known = fields[key];
  return (
    (known === value && value !== undefined) ||
    (Object.hasOwn(fields, key) && equal(known, value, depth))
  );
}

/** Copies plain objects and arrays all the way down, except the fields that `skip` names; anything else is kept as it is. */
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

/** As `copyDeep`, for any value. */
export function copyValue(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_LIMIT) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => copyValue(item, depth + 1));
  }
  return isPlain(value) ? copyDeep(value, NOTHING, depth + 1) : value;
}

/** Whether a value is an object, of whatever class, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of an object, whatever its name; undefined where it has none. */
export function own(source: object, key: string): unknown {
  return Object.hasOwn(source, key) ? (source as Record<string, unknown>)[key] : undefined;
}
