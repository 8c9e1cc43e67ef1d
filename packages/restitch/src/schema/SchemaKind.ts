import type { AllSchema } from './AllSchema.js';
import type { Collection } from './Collection.js';
import type { CollectionEdit } from './CollectionEdit.js';
import type { CustomSchema } from './CustomSchema.js';
import type { Invalidate } from './Invalidate.js';
import type { Lazy } from './Lazy.js';
import type { CollectionMethods, ListMethods } from './listsInSchema.js';
import type { CustomReading } from './readCustom.js';
import type { EntityClass, Schema } from './Schema.js';
import type { Union } from './Union.js';
import type { Values } from './Values.js';

interface Kinds {
  readonly all: AllSchema<EntityClass | Union>;
  readonly collection: Collection & CollectionMethods;
  readonly custom: CustomSchema & CustomReading;
  readonly edit: CollectionEdit & ListMethods;
  readonly invalidate: Invalidate<EntityClass | Union>;
  readonly lazy: Lazy<Schema>;
  readonly union: Union;
  readonly values: Values<Schema>;
}

export function setKind(prototype: object, kind: keyof Kinds, more?: object): void {
  Object.assign(prototype, { $kind: kind }, more);
}

/** Returns undefined for an entity class, a plain object or an array. */
export function kindOfSchema(schema: Schema): keyof Kinds | undefined {
  // The cast: only `setKind` sets this property.
  return (Object(schema) as { readonly $kind?: keyof Kinds }).$kind;
}

export function isKind<K extends keyof Kinds>(schema: Schema, kind: K): schema is Kinds[K] {
  return kindOfSchema(schema) === kind;
}
