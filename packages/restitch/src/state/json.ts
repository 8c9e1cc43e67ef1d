import { setField } from '../schema/setField.js';
import { mayHoldTemporary, renamedText } from '../store/cells/keys.js';
import type { Naming } from './requireNames.js';
import { isPlain } from '../schema/same.js';
import type { Fields } from '../store/cells/Cell.js';

export const NOT_JSON: unique symbol = Symbol('not JSON');

/** A deeper value is left out, because `JSON.stringify` could overflow the stack. */
const DEPTH_LIMIT = 1_000;

/** Examples: `{ "~Date": 1767225600000 }`, `{ "~BigInt": "5" }`. */
const DATE = '~Date';
const BIGINT = '~BigInt';

export interface Encoding {
  readonly named: Naming;
  readonly names: ReadonlyMap<string, unknown>;
  /** Called for each text that may contain the temporary key of a row without a real key. */
  readonly noteTemporary?: (() => void) | undefined;
}

/** Returns the value itself if it is plain, and `NOT_JSON` if JSON cannot carry it. */
export function toJson(value: unknown, encoding: Encoding, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return renamed(value, encoding);
    case 'bigint':
      return { [BIGINT]: String(value) };
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : NOT_JSON;
    case 'function':
    case 'symbol':
      return NOT_JSON;
    case 'object':
      return value && (depth > DEPTH_LIMIT ? NOT_JSON : encodeObject(value, encoding, depth));
    default:
      return value;
  }
}

function renamed(value: string, { names, noteTemporary }: Encoding): string {
  if ((names.size === 0 && !noteTemporary) || !mayHoldTemporary(value)) {
    return value;
  }
  let text = value;
  for (const [from, to] of names) {
    text = renamedText(text, from, String(to));
  }
  if (noteTemporary && mayHoldTemporary(text)) {
    noteTemporary();
  }
  return text;
}

function encodeObject(value: object, encoding: Encoding, depth: number): unknown {
  if (Array.isArray(value)) {
    // JSON would turn undefined into null.
    const items = mapItems(value, (item) =>
      item === undefined ? NOT_JSON : toJson(item, encoding, depth + 1),
    );
    return items.includes(NOT_JSON) ? NOT_JSON : items;
  }
  if (isPlain(value)) {
    const json = fieldsToJson(value, encoding, depth);
    return isWhole(json, value) ? json : NOT_JSON;
  }
  const time = Object.getPrototypeOf(value) === Date.prototype ? Number(value) : NaN;
  return Number.isNaN(time) ? NOT_JSON : { [DATE]: time };
}

/** A field with the name of a tag would be decoded as a date or bigint, so it is left out. */
export function fieldsToJson(fields: Fields, encoding: Encoding, depth = 0): Fields {
  return mapFields(fields, (value, field) =>
    field === DATE || field === BIGINT ? NOT_JSON : toJson(value, encoding, depth + 1),
  );
}

export function isWhole(kept: Fields, fields: Fields): boolean {
  return kept === fields || Object.keys(kept).length === Object.keys(fields).length;
}

export function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) {
    return mapItems(json, fromJson);
  }
  if (!isPlain(json)) {
    return json;
  }
  const { [DATE]: time, [BIGINT]: digits } = json;
  if (typeof time === 'number') {
    return new Date(time);
  }
  const isBigInt = typeof digits === 'string' && /^-?\d+$/.test(digits);
  return isBigInt ? BigInt(digits) : mapFields(json, fromJson);
}

function mapItems(
  items: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  // `Array.from` also visits holes.
  const next = Array.from(items, change);
  return next.every((item, index) => Object.is(item, items[index])) ? items : next;
}

/** A field that becomes `NOT_JSON` is removed. Without changes, returns the same object. */
export function mapFields(
  fields: Fields,
  change: (value: unknown, field: string) => unknown,
): Fields {
  let next: Record<string, unknown> | undefined;
  const names = Object.keys(fields);
  for (const [index, field] of names.entries()) {
    const value = change(fields[field], field);
    if (!next && !Object.is(value, fields[field])) {
      next = {};
      for (const before of names.slice(0, index)) {
        setField(next, before, fields[before]);
      }
    }
    if (next && value !== NOT_JSON) {
      setField(next, field, value);
    }
  }
  return next ?? fields;
}
