import { setField } from '../schema/fields.js';
import { mayHoldTemporary, renamedText } from '../store/cells/keys.js';
import type { Naming } from './leaving.js';
import { isPlain } from '../schema/same.js';
import type { Fields } from '../store/cells/Cell.js';

/** Stands for a value that JSON cannot carry unchanged, such as a Blob, `NaN` or an instance of a class. */
export const NOT_JSON: unique symbol = Symbol('not JSON');

/** Values nested deeper than this are left out, as `JSON.stringify` would overflow the stack. */
const DEPTH_LIMIT = 1_000;

/** What JSON has no word for and yet travels: `{ "~Date": 1767225600000 }`, `{ "~BigInt": "5" }`. */
const DATE = '~Date';
const BIGINT = '~BigInt';

/** How a store becomes JSON. */
export interface Encoding {
  /** Texts that mean nothing in another program. */
  readonly named: Naming;
  /** Keys of rows to be replaced by others. */
  readonly names: ReadonlyMap<string, string>;
}

/** A stored value as JSON can carry it: the value itself where it is plain already, `NOT_JSON` where it cannot be carried. */
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

/** A text under the names that the server has given rows since. */
function renamed(value: string, { names }: Encoding): string {
  let text = value;
  for (const [from, to] of names.size > 0 && mayHoldTemporary(value) ? names : NONE) {
    text = renamedText(text, from, to);
  }
  return text;
}

const NONE: readonly (readonly [string, string])[] = [];

function encodeObject(value: object, encoding: Encoding, depth: number): unknown {
  if (Array.isArray(value)) {
    // JSON would make null of undefined.
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

/** The fields of a record that JSON can carry. One that is called as a tag is would arrive as something else. */
export function fieldsToJson(fields: Fields, encoding: Encoding, depth = 0): Fields {
  return mapFields(fields, (value, field) =>
    field === DATE || field === BIGINT ? NOT_JSON : toJson(value, encoding, depth + 1),
  );
}

/** Whether no field was lost. */
export function isWhole(kept: Fields, fields: Fields): boolean {
  return Object.keys(kept).length === Object.keys(fields).length;
}

/** What `toJson` made JSON of. */
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

/** Items changed one by one; the same array where none is another one. */
function mapItems(
  items: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  // Also where it has holes.
  const next = Array.from(items, change);
  return next.every((item, index) => Object.is(item, items[index])) ? items : next;
}

/** Fields changed one by one, without those that become `NOT_JSON`; the same object where none is another one. */
export function mapFields(
  fields: Fields,
  change: (value: unknown, field: string) => unknown,
): Fields {
  let isSame = true;
  const next: Record<string, unknown> = {};
  for (const field of Object.keys(fields)) {
    const value = change(fields[field], field);
    isSame &&= Object.is(value, fields[field]);
    if (value !== NOT_JSON) {
      setField(next, field, value);
    }
  }
  return isSame ? fields : next;
}
