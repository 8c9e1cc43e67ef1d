import { CollectionClass } from './collectionClass.js';
import { CollectionEdit } from './CollectionEdit.js';
import { sameHome } from './homes.js';
import { isKind, kindOfSchema } from './kind.js';
import type { Schema } from './Schema.js';

/** Whether two schemas describe the same: equal by identity, or written out twice. `seen`: what is compared already, in a circle. */
export function sameSchema(a: Schema, b: Schema, seen: Map<unknown, unknown> = new Map()): boolean {
  if (a === b) {
    return true;
  }
  // Functions with one text may see other values: each is itself.
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) {
    return false;
  }
  if (seen.get(a) === b) {
    return true;
  }
  seen.set(a, b);
  if (a instanceof CollectionClass && b instanceof CollectionClass) {
    return (
      sameHome(a, b) &&
      sameSchema(a.options, b.options, seen) &&
      sameSchema(a.schema, b.schema, seen)
    );
  }
  if (a instanceof CollectionEdit && b instanceof CollectionEdit) {
    return (
      a.action === b.action &&
      sameSchema(a.options, b.options, seen) &&
      sameSchema(a.collection, b.collection, seen)
    );
  }
  if (isKind(a, 'union') && isKind(b, 'union')) {
    return (
      sameSchema(a.schemaAttribute, b.schemaAttribute, seen) &&
      sameSchema([...a.entries()], [...b.entries()], seen)
    );
  }
  const isPlain = prototype === Object.prototype || Array.isArray(a);
  // Other schemas are what their own fields say.
  return (isPlain || kindOfSchema(a) !== undefined) && sameFields(a, b, seen);
}

function sameFields(a: object, b: object, seen: Map<unknown, unknown>): boolean {
  const entries = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === others.size &&
    entries.every(([key, part]) => others.has(key) && sameSchema(part, others.get(key), seen))
  );
}
