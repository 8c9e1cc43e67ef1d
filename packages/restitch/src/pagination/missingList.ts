import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { sample } from '../errors/excerpt.js';
import { SchemaError } from '../errors/SchemaError.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { isPlain } from '../schema/same.js';
import { own } from '../store/cells/plainValues.js';

type Source = Pick<EndpointInterface, 'name' | 'schema'>;

export function missingList({ name, schema }: Source, value: unknown): SchemaError {
  return new SchemaError(
    'unreadable',
    isDevelopment
      ? `${name}: the response cannot be read: its list ${pathOf(schema).join('.')} is missing in ${sample(value)}`
      : name,
  );
}

/** A `Query` may return a value of any form, so its list is never missing. */
export function hasList({ schema }: Source, value: unknown): boolean {
  const path = pathOf(schema);
  const found = path.reduce((part, field) => own(Object(part), field), value);
  return Array.isArray(found) || (path.length === 0 && isPlain(schema));
}

function pathOf(schema: unknown, list: unknown = collectionOf(schema)): readonly string[] {
  for (const [field, part] of isPlain(schema) ? Object.entries(schema) : []) {
    const path = part === list ? [] : pathOf(part, list);
    if (part === list || path.length > 0) {
      return [field, ...path];
    }
  }
  return [];
}
