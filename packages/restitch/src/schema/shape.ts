import { isObject } from './same.js';
import { isDevelopment } from '../errors/development.js';
import type { Collection } from './Collection.js';
import {
  Entity,
  givenDefaults,
  isEntityClass,
  isKeyedById,
  unassignable,
  withDefaults,
} from './Entity.js';
import { fixSchema } from './fixSchema.js';
import { bindLists, kindOf } from './listHomes.js';
import { ownText } from './identityText.js';
import { isKind, kindOfSchema } from './SchemaKind.js';
import type { EntityClass, Schema } from './Schema.js';
import type {
  ArrayShape,
  CollectionShape,
  EntityShape,
  LeafShape,
  Member,
  Shape,
  UnionShape,
  ValuesShape,
} from './shapes.js';

const LEAF: LeafShape = { kind: 'leaf' };
const compiled = new WeakMap<object, Shape>();

/** Returns the same object for the same schema. */
export function shapeOf(schema: Schema): Shape {
  if (!isObject(schema) && typeof schema !== 'function') {
    return LEAF;
  }
  const memo = compiled.get(schema);
  if (memo) {
    return memo;
  }
  try {
    const shape = isEntityClass(schema) ? compileEntity(schema) : compile(schema);
    compiled.set(schema, shape);
    return shape;
  } catch (error) {
    // The incomplete shape is removed, so that the next use throws again.
    compiled.delete(schema);
    throw error;
  }
}

export function entityShape(entity: EntityClass): EntityShape {
  const shape = shapeOf(entity);
  if (shape.kind !== 'entity') {
    throw new TypeError(
      isDevelopment
        ? 'Expected an entity class. Only the definition of a `Union` can also contain unions.'
        : 'entity',
    );
  }
  return shape;
}

/** Stores a shape before its parts, so that the compilation of a recursive schema ends. */
function known<S extends Shape>(schema: object, shape: S): S {
  compiled.set(schema, shape);
  return shape;
}

function compileEntity(entity: EntityClass): EntityShape {
  const relations = new Map<string, Shape>();
  const related: [string, Shape][] = [];
  const readers = new Map<string, Shape>();
  const overrides = (...names: readonly (keyof typeof Entity & keyof EntityClass)[]): boolean =>
    names.some((name) => entity[name] !== Entity[name]);
  const order = overrides('mergeWithStore', 'shouldUpdate', 'shouldReorder');
  let defaults: Readonly<Record<string, unknown>> | undefined;
  let guarded: readonly string[] | undefined;
  const shape: EntityShape = known(entity, {
    kind: 'entity',
    entity,
    table: entity.key || ownText(entity),
    name:
      entity.key || entity.name || (isDevelopment ? 'an entity class without a name' : 'Entity'),
    relations,
    related,
    readers,
    guarded: (instance) => (guarded ??= unassignable(instance)),
    defaults: () => (defaults ??= { ...withDefaults(entity) }),
    custom: {
      pk: !isKeyedById(entity),
      process: overrides('process'),
      validate: overrides('validate'),
      merge: order || overrides('merge'),
      order,
      create: overrides('createIfValid', 'fromJS') || givenDefaults(entity) !== null,
    },
  });
  for (const [field, schema] of Object.entries(entity.schema)) {
    if (schema === undefined) {
      throw undefinedIn(
        isDevelopment ? `\`static schema\` of ${shape.name}` : shape.name,
        isDevelopment ? `\`${field}\`` : field,
      );
    }
    const part = shapeOf(bindLists(schema));
    if (holdsRecords(schema)) {
      relations.set(field, part);
      related.push([field, part]);
    } else if (part.kind !== 'leaf') {
      readers.set(field, part);
    }
  }
  fixSchema(entity, shape.name);
  return shape;
}

/** Reads the schema, because the shape of a recursive schema can be incomplete at this time. */
function holdsRecords(schema: Schema, seen: Set<unknown> = new Set()): boolean {
  if (!isObject(schema)) {
    return isEntityClass(schema);
  }
  const kind = kindOfSchema(schema);
  if (kind && kind !== 'values') {
    return true;
  }
  return (
    !seen.has(schema) &&
    seen.add(schema) &&
    Object.values(schema).some((part: Schema) => holdsRecords(part, seen))
  );
}

function compile(schema: object): Shape {
  if (typeof schema === 'function') {
    return { kind: 'deserialize', read: deserializer(schema) };
  }
  if (isKind(schema, 'collection')) {
    return new ListShape(schema);
  }
  if (isKind(schema, 'edit')) {
    const list = collectionShape(schema.collection);
    return { kind: 'edit', list, member: list.member, edit: schema };
  }
  const kind = kindOfSchema(schema);
  if (kind) {
    return compileKind(schema, kind);
  }
  if (Array.isArray(schema)) {
    if (schema.length === 0) {
      // `[]` stands for any array of plain values.
      return LEAF;
    }
    if (schema.length !== 1) {
      throw new TypeError(
        isDevelopment
          ? `An array as a schema holds exactly one schema, that of its members. This one holds ${schema.length}.`
          : '[]',
      );
    }
    if (schema[0] === undefined) {
      throw undefinedIn(
        isDevelopment ? 'An array as a schema' : '[]',
        isDevelopment ? 'its members' : '',
      );
    }
    const shape = around<ArrayShape>(schema, { kind: 'array', member: LEAF }, schema[0]);
    return shape.member.kind === 'leaf' ? LEAF : fixed(schema, shape);
  }
  const fields = new Map<string, Shape>();
  const plain = new Map<string, unknown>();
  const parts = Object.entries(schema);
  const shape = known(schema, { kind: 'object', fields, isSingle: parts.length === 1, plain });
  for (const [field, part] of parts) {
    const member = shapeOf(part);
    if (member.kind !== 'leaf') {
      fields.set(field, member);
    } else if (!Array.isArray(part)) {
      plain.set(field, part);
    }
  }
  return fields.size === 0 ? LEAF : fixed(schema, shape);
}

/** A later change of the schema would have no effect, so it throws. */
function fixed(schema: object, shape: Shape): Shape {
  Object.freeze(schema);
  return shape;
}

function compileKind(schema: object, kind: NonNullable<ReturnType<typeof kindOfSchema>>): Shape {
  // The cast: each kind has some of these properties.
  const {
    schema: member,
    entity,
    '~shape': make,
  } = schema as {
    readonly schema?: Schema;
    readonly entity?: Schema;
    readonly '~shape'?: (this: object) => Shape & { member: Shape };
  };
  const shape = make?.call(schema) ?? ({ kind } as Shape & { member: Shape });
  if (entity) {
    shape.member = memberShape(entity, kind);
  } else if (kind !== 'union') {
    around(schema, shape, member);
  }
  return shape;
}

function undefinedIn(schema: string, place: string): TypeError {
  return new TypeError(
    isDevelopment
      ? `${schema} has undefined for ${place}. If the class comes from a circular import, set the schema after both classes are defined.`
      : `${schema}: ${place}`,
  );
}

function around<S extends Shape & { member: Shape }>(schema: object, shape: S, member: Schema): S {
  known(schema, shape).member = shapeOf(member);
  return shape;
}

export function collectionShape(collection: Collection): CollectionShape {
  // The cast: `compile` returns a `ListShape` for a collection.
  return shapeOf(collection) as CollectionShape;
}

/** Optimization: each object literal with an accessor would have its own hidden class. */
class ListShape implements CollectionShape {
  readonly kind = 'collection';
  declare readonly collection: Collection;
  declare readonly member: EntityShape | UnionShape;
  declare readonly map: ValuesShape | undefined;
  #key: string | undefined;

  constructor(collection: Collection) {
    const { schema } = collection;
    const isMap = isKind(schema, 'values');
    // The cast: a `Values` compiles to this shape.
    this.map = isMap ? (shapeOf(schema) as ValuesShape) : undefined;
    this.member = memberShape(isMap ? schema.schema : schema[0], 'collection');
    this.collection = collection;
  }

  get key(): string {
    return this.#key ?? this.settle();
  }

  settle(): string {
    const tables = [...entitiesOf(this.member)].map(({ entity, path }) =>
      JSON.stringify([...path, entity.table]),
    );
    const type = this.map ? 'map' : 'list';
    this.#key = JSON.stringify([type, tables.sort(), ...kindOf(this.collection)]);
    return this.#key;
  }
}

/** For a move, returns the shape of the moved record: a move is an update of this record. */
export function changedShape(shape: Shape): Shape {
  return shape.kind === 'edit' && shape.edit.action === 'move' ? shape.member : shape;
}

export function isRecordShape(shape: Shape): shape is EntityShape | UnionShape {
  return shape.kind === 'entity' || shape.kind === 'union';
}

function memberShape(schema: Schema, kind: string): EntityShape | UnionShape {
  const member = shapeOf(schema);
  if (!isRecordShape(member)) {
    throw new TypeError(
      isDevelopment
        ? `\`new ${kind.replace(/^./, (first) => first.toUpperCase())}(…)\` needs an entity class or a \`Union\`.`
        : kind,
    );
  }
  return member;
}

/** A given value excludes some classes: see `UnionShape.entities`. */
export function entitiesOf(
  member: EntityShape | UnionShape,
  value?: object,
  args?: readonly unknown[],
): Iterable<Member> {
  return member.kind === 'entity'
    ? [{ entity: member, path: NO_PATH }]
    : member.entities(value, args);
}

const NO_PATH: readonly string[] = [];

/** Yields the shapes of the fields of an object, at any depth. */
export function* shapesIn(shape: Shape, seen: Set<Shape> = new Set()): IterableIterator<Shape> {
  if (shape.kind === 'custom') {
    yield* shapesIn(shape.member, seen);
  } else if (shape.kind !== 'object') {
    yield shape;
  } else if (!seen.has(shape)) {
    seen.add(shape);
    for (const part of shape.fields.values()) {
      yield* shapesIn(part, seen);
    }
  }
}

/** `{ data: User }` -> `User`. Returns other shapes unchanged. */
export function onlyShape(shape: Shape): Shape {
  const [part, another] = shapesIn(shape);
  return part && !another ? part : shape;
}

const CALLED: readonly unknown[] = [Number, String, Boolean, BigInt];

/** The returned function never receives null or undefined. */
function deserializer(schema: Function): (raw: unknown) => unknown {
  // A class is recognized by its read-only `prototype`, an older constructor function by the
  // methods of its `prototype`.
  const prototype = Object.getOwnPropertyDescriptor(schema, 'prototype');
  const construct =
    prototype !== undefined &&
    !CALLED.includes(schema) &&
    (prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1);
  return construct
    ? (raw) => Reflect.construct(schema, [raw])
    : (raw) => Reflect.apply(schema, undefined, [raw]);
}
