import type { UnionChoice } from './Union.js';

type UnionOf = (schema: unknown, schemaAttribute: string | UnionChoice | undefined) => unknown;

let unionOf: UnionOf = (schema) => schema;

/**
 * Lets a class of schemas take a map of classes in place of a union. Programs that never name such a class, as `resource()` alone does
 * not, do not download what unions need.
 */
export function allowMaps<C>(type: C, make: UnionOf): C {
  unionOf = make;
  return type;
}

/** A map of classes with what chooses among them is short for a `Union` of them; any other schema is itself. */
export const mapOf: UnionOf = (schema, schemaAttribute) => unionOf(schema, schemaAttribute);
