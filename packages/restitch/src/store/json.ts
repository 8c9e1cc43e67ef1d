import { setField } from '../schema/fields.js';
import { mayHoldTemporary, renamedText } from './keys.js';
import { isPlain } from './record.js';
import type { Fields } from './state.js';

/** Stands for a value that JSON cannot carry, such as a Blob. */
export const NOT_JSON: unique symbol = Symbol('not JSON');

/** Values nested deeper than this are left out, as `JSON.stringify` would overflow the stack. */
const DEPTH_LIMIT = 1_000;

/**
 * A stored value as JSON can carry it: the value itself where it is plain already, `NOT_JSON` where nothing could be made of
 * it. The keys that `names` has are replaced.
 */
export function toJson(value: unknown, names: ReadonlyMap<string, string>, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return renamed(value, names);
    case 'bigint':
      // What reads it takes a text as well.
      return String(value);
    case 'function':
    case 'symbol':
      return NOT_JSON;
    case 'object':
      if (value === null) {
        return null;
      }
      return depth > DEPTH_LIMIT ? NOT_JSON : objectToJson(value, names, depth);
    default:
      return value;
  }
}

/** A text under the names that the server has given rows since. */
function renamed(value: string, names: ReadonlyMap<string, string>): string {
  let text = value;
  for (const [from, to] of names.size > 0 && mayHoldTemporary(value) ? names : NONE) {
    text = renamedText(text, from, to);
  }
  return text;
}

const NONE: readonly (readonly [string, string])[] = [];

function objectToJson(value: object, names: ReadonlyMap<string, string>, depth: number): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => toJson(item, names, depth + 1));
    return items.includes(NOT_JSON)
      ? NOT_JSON
      : items.every((item, index) => Object.is(item, value[index]))
        ? value
        : items;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toJson(value.toJSON(), names, depth + 1);
  }
  if (!isPlain(value)) {
    return NOT_JSON;
  }
  const copy = fieldsToJson(value, names, depth);
  return Object.keys(copy).length < Object.keys(value).length ? NOT_JSON : copy;
}

/** The fields of a record that JSON can carry. */
export function fieldsToJson(
  fields: Fields,
  names: ReadonlyMap<string, string>,
  depth = 0,
): Fields {
  let isSame = true;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const next = toJson(fields[key], names, depth + 1);
    isSame &&= Object.is(next, fields[key]);
    if (next !== NOT_JSON) {
      setField(copy, key, next);
    }
  }
  return isSame ? fields : copy;
}
