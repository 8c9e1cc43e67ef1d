import { isDevelopment } from '../errors/development.js';
import { sample } from '../errors/excerpt.js';
import { SchemaError } from '../errors/SchemaError.js';
import { isPlain } from '../schema/same.js';
import { own } from '../store/cells/plainValues.js';

export function missingList(
  name: string,
  schema: unknown,
  list: unknown,
  value: unknown,
): SchemaError {
  return new SchemaError(
    'unreadable',
    isDevelopment
      ? `${name}: the response cannot be read: its list ${pathOf(schema, list).join('.')} is missing in ${sample(value)}`
      : name,
  );
}

export function hasList(schema: unknown, list: unknown, value: unknown): boolean {
  const found = pathOf(schema, list).reduce((part, field) => own(Object(part), field), value);
  return Array.isArray(found);
}

function pathOf(schema: unknown, list: unknown): readonly string[] {
  for (const [field, part] of isPlain(schema) ? Object.entries(schema) : []) {
    const path = part === list ? [] : pathOf(part, list);
    if (part === list || path.length > 0) {
      return [field, ...path];
    }
  }
  return [];
}
