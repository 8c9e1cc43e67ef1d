import type { Collection } from './Collection.js';
import type { CollectionEdit, EditAction, PageCursor } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import type { Housed } from './endpointHome.js';
import { isKind, kindOfSchema } from './SchemaKind.js';
import type { Lazy } from './Lazy.js';
import { isObject, isPlain } from './same.js';
import type { ListEndpoint } from './listEndpoints.js';
import type { Schema } from './Schema.js';
import type { Values } from './Values.js';

/** Endpoints call these methods through the schema, so a bundle without lists lacks them. */
export interface ListMethods {
  $define(endpoint: Housed, schema: Schema, isFinal: boolean): void;
}

export interface CollectionMethods extends ListMethods {
  $edit<E extends ListEndpoint>(endpoint: E, action: EditAction): E | undefined;
  $paginate<E extends ListEndpoint>(endpoint: E, cursor: PageCursor): E;
}

export type List = (Collection & CollectionMethods) | (CollectionEdit & ListMethods);

export function isList(schema: Schema): schema is List {
  const kind = kindOfSchema(schema);
  return kind === 'collection' || kind === 'edit';
}

export function* listsIn(
  schema: Schema,
  seen: Set<unknown> = new Set(),
): Generator<List, undefined> {
  if (!isObject(schema)) {
    return undefined;
  }
  if (isList(schema)) {
    yield schema;
  } else if (!seen.has(schema)) {
    seen.add(schema);
    for (const part of Object.values(partsOf(schema))) {
      yield* listsIn(part, seen);
    }
  }
  return undefined;
}

export function partsOf(schema: object): object {
  if (isHolder(schema)) {
    return { schema: schema.schema };
  }
  return Array.isArray(schema) || isPlain(schema) ? schema : {};
}

export function isHolder(schema: object): schema is CustomSchema | Lazy<Schema> | Values<Schema> {
  return kindOfSchema(schema) !== undefined && 'schema' in schema;
}

export function collectionOf(schema: Schema): (Collection & CollectionMethods) | undefined {
  return [...listsIn(schema)].find((list) => isKind(list, 'collection'));
}
