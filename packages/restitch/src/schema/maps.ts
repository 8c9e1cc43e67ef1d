import type { UnionChoice } from './Union.js';

type UnionOf = (schema: unknown, schemaAttribute: string | UnionChoice | undefined) => unknown;

let unionOf: UnionOf = (schema) => schema;

/**
 * Makes a schema class accept a map of classes in place of a union. Programs that do not import
 * such a class do not include unions in the bundle. `resource()` alone does not import one.
 */
export function allowMaps<C>(type: C, make: UnionOf): C {
  unionOf = make;
  return type;
}

/**
 * Returns a `Union` for a map of classes with a field or function that chooses. Any other schema is
 * returned unchanged.
 */
export const mapOf: UnionOf = (schema, schemaAttribute) => unionOf(schema, schemaAttribute);
