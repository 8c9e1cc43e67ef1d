import { homeText } from './listHomes.js';
import { isKind, kindOfSchema } from './SchemaKind.js';
import { isObject } from './same.js';
import type { Schema } from './Schema.js';

/** `seen` holds compared pairs and ends cycles. */
export function sameSchema(a: Schema, b: Schema, seen: Map<unknown, unknown> = new Map()): boolean {
  if (a === b) {
    return true;
  }
  // Functions are equal only if identical: equal source text can capture different values.
  if (!isObject(a) || !isObject(b)) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(a);
  const isComparable =
    prototype === Object.prototype || Array.isArray(a) || kindOfSchema(a) !== undefined;
  if (!isComparable || prototype !== Object.getPrototypeOf(b)) {
    return false;
  }
  if (seen.get(a) === b) {
    return true;
  }
  seen.set(a, b);
  const parts = Object.entries(partsOf(a));
  const others = new Map<string, unknown>(Object.entries(partsOf(b)));
  return (
    parts.length === others.size &&
    parts.every(([key, part]) => others.has(key) && sameSchema(part, others.get(key), seen))
  );
}

function partsOf(schema: object): object {
  if (isKind(schema, 'collection')) {
    return [homeText(schema), schema.options, schema.schema];
  }
  return isKind(schema, 'union') ? [schema.schemaAttribute, ...schema.entries()] : schema;
}
