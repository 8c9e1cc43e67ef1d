import { isObject, own } from '../store/cells/plainValues.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { isPlain, sameFields } from '../schema/same.js';

const NOTHING = Object.freeze({});

/** Returns the page fields of a response. If they equal `before`, returns `before` itself. */
export function besideOf(value: unknown, schema: unknown, before: unknown): object {
  if (!isObject(value) || !isPlain(schema)) {
    return NOTHING;
  }
  const list = collectionOf(schema);
  const beside = Object.fromEntries(
    Object.entries(value).filter(([field]) => own(schema, field) !== list),
  );
  return sameFields(before, beside) ? before : Object.freeze(beside);
}

export function listIn(
  value: unknown,
  schema: unknown,
  list: unknown = collectionOf(schema),
): readonly unknown[] {
  if (schema === list) {
    return Array.isArray(value) ? value : [];
  }
  for (const [field, part] of isPlain(schema) ? Object.entries(schema) : []) {
    const found = isObject(value) ? listIn(own(value, field), part, list) : [];
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}
