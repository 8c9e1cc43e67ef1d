import { All } from './All.js';
import { Collection, CollectionEdit } from './Collection.js';
import { Entity, givenDefaults, withDefaults } from './Entity.js';
import { Invalidate } from './Invalidate.js';
import type { EntityClass, Schema } from './Schema.js';
import { Union } from './Union.js';
import { Values } from './Values.js';

/**
 * A schema as the store walks it: compiled once per schema object, so that reading and writing never ask what a schema is.
 */
export type Shape =
  | LeafShape
  | DeserializeShape
  | EntityShape
  | ArrayShape
  | ObjectShape
  | CollectionShape
  | EditShape
  | InvalidateShape
  | UnionShape
  | ValuesShape
  | AllShape
  | SelectionShape;

/** Plain JSON that passes through. */
export interface LeafShape {
  readonly kind: 'leaf';
}

/** A raw value that is turned into something else when it is read. */
export interface DeserializeShape {
  readonly kind: 'deserialize';
  readonly read: (raw: unknown) => unknown;
}

/** A record. Its fields are compiled at first use, so that classes may refer to one another in a circle. */
export interface EntityShape {
  readonly kind: 'entity';
  readonly entity: EntityClass;
  readonly key: string;
  /** Fields that hold other records or lists, which the store replaces by their keys. */
  readonly relations: ReadonlyMap<string, Shape>;
  /** Fields whose stored raw value is deserialized on read. */
  readonly readers: ReadonlyMap<string, Shape>;
  /** What fields read as that a record lacks. */
  readonly defaults: () => Readonly<Record<string, unknown>>;
  /** Whether a field is a relation to a record that has to be there: its default is truthy. */
  readonly requires: (field: string) => boolean;
  /** Which static and instance members the class overrides: the defaults are then skipped. */
  readonly custom: {
    readonly pk: boolean;
    readonly process: boolean;
    readonly validate: boolean;
    /** How records are joined: such patches are never joined with one another. */
    readonly merge: boolean;
    /** Also by when they were fetched. */
    readonly order: boolean;
    /** How instances are made. */
    readonly create: boolean;
  };
}

export interface ArrayShape {
  readonly kind: 'array';
  readonly member: Shape;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Shape>;
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly member: EntityShape | UnionShape;
  /** Its members stand under keys. */
  readonly isMap: boolean;
  /** Names all lists of these members: lists of one table share arguments, so the same arguments mean the same list. */
  readonly key: string;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly union: Union;
}

export interface ValuesShape {
  readonly kind: 'values';
  readonly member: Shape;
}

export interface AllShape {
  readonly kind: 'all';
  readonly member: EntityShape | UnionShape;
}

/** Rows of one class that are read together. No schema: what `All` and indexes are read through. */
export interface SelectionShape {
  readonly kind: 'selection';
  readonly member: EntityShape;
}

export interface EditShape {
  readonly kind: 'edit';
  readonly list: CollectionShape;
  readonly edit: CollectionEdit;
}

export interface InvalidateShape {
  readonly kind: 'invalidate';
  readonly member: EntityShape | UnionShape;
}

const LEAF: LeafShape = { kind: 'leaf' };
const compiled = new WeakMap<object, Shape>();

/** The compiled form of a schema; the same object for the same schema. */
export function shapeOf(schema: Schema): Shape {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    return LEAF;
  }
  const known = compiled.get(schema);
  if (known) {
    return known;
  }
  if (isEntityClass(schema)) {
    return entityShape(schema);
  }
  const shape = compile(schema);
  compiled.set(schema, shape);
  return shape;
}

/** The compiled form of an entity class. */
export function entityShape(entity: EntityClass): EntityShape {
  const known = compiled.get(entity);
  if (known) {
    // Only `entityShape` stores shapes of entity classes.
    return known as EntityShape;
  }
  const relations = new Map<string, Shape>();
  const readers = new Map<string, Shape>();
  const order =
    entity.mergeWithStore !== Entity.mergeWithStore ||
    entity.shouldUpdate !== Entity.shouldUpdate ||
    entity.shouldReorder !== Entity.shouldReorder;
  let defaults: Readonly<Record<string, unknown>> | undefined;
  let required: ReadonlySet<string> | undefined;
  const shape: EntityShape = {
    kind: 'entity',
    entity,
    key: entity.key,
    relations,
    readers,
    defaults: () => (defaults ??= { ...withDefaults(entity) }),
    requires: (field) => (required ??= requiredFields(shape)).has(field),
    custom: {
      pk: entity.prototype.pk !== Entity.prototype.pk,
      process: entity.process !== Entity.process,
      validate: entity.validate !== Entity.validate,
      merge: order || entity.merge !== Entity.merge,
      order,
      create:
        entity.createIfValid !== Entity.createIfValid ||
        entity.fromJS !== Entity.fromJS ||
        givenDefaults(entity) !== null,
    },
  };
  // Known before its fields are compiled: a circle of classes ends here.
  compiled.set(entity, shape);
  try {
    for (const [field, schema] of Object.entries(entity.schema)) {
      if (schema === undefined) {
        throw new TypeError(
          `\`static schema\` of ${entity.key} has undefined for \`${field}\`. If the class comes from a circular import, ` +
            'set `schema` after both classes are defined.',
        );
      }
      const part = shapeOf(schema);
      if (holdsRecords(part)) {
        relations.set(field, part);
      } else if (part.kind !== 'leaf') {
        readers.set(field, part);
      }
    }
  } catch (error) {
    // A class with a wrong schema is wrong each time it is used.
    compiled.delete(entity);
    throw error;
  }
  return shape;
}

/** Only single records can be required: a list without a deleted member is a list. */
function requiredFields({ defaults, relations }: EntityShape): ReadonlySet<string> {
  const fields = new Set<string>();
  const values = defaults();
  for (const [field, { kind }] of relations) {
    if ((kind === 'entity' || kind === 'union') && values[field]) {
      fields.add(field);
    }
  }
  return fields;
}

/** Whether two schemas describe the same: equal by identity, or written out twice as equal arrays and objects. */
export function sameSchema(a: Schema, b: Schema): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a === 'function' && typeof b === 'function') {
    // A function written inside a component is another object at each render.
    return !isEntityClass(a) && !isEntityClass(b) && String(a) === String(b);
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  if (a instanceof Collection && b instanceof Collection) {
    return (
      Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
      a.name === b.name &&
      sameSchema(a.options, b.options) &&
      sameSchema(a.schema, b.schema)
    );
  }
  if (a instanceof CollectionEdit && b instanceof CollectionEdit) {
    return (
      a.action === b.action &&
      sameSchema(a.options, b.options) &&
      sameSchema(a.collection, b.collection)
    );
  }
  if (a instanceof Values && b instanceof Values) {
    return sameSchema(a.schema, b.schema);
  }
  if (
    (a instanceof Invalidate && b instanceof Invalidate) ||
    (a instanceof All && b instanceof All)
  ) {
    return a.entity === b.entity;
  }
  const prototype = Object.getPrototypeOf(a);
  if (
    prototype !== Object.getPrototypeOf(b) ||
    (!Array.isArray(a) && prototype !== Object.prototype)
  ) {
    return false;
  }
  const entries = Object.entries(a);
  const others = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === others.size &&
    entries.every(([key, part]) => others.has(key) && sameSchema(part, others.get(key)))
  );
}

function compile(schema: NonNullable<Schema>): Shape {
  if (schema instanceof Collection) {
    return collectionShape(schema);
  }
  if (schema instanceof CollectionEdit) {
    return { kind: 'edit', list: collectionShape(schema.collection), edit: schema };
  }
  if (schema instanceof Invalidate) {
    return { kind: 'invalidate', member: memberShape(schema.entity, 'new Invalidate(…)') };
  }
  if (schema instanceof Union) {
    return { kind: 'union', union: schema };
  }
  if (schema instanceof All) {
    return { kind: 'all', member: memberShape(schema.entity, 'new All(…)') };
  }
  if (schema instanceof Values) {
    return { kind: 'values', member: shapeOf(schema.schema) };
  }
  if (typeof schema === 'function') {
    return { kind: 'deserialize', read: deserializer(schema) };
  }
  if (Array.isArray(schema)) {
    if (schema.length !== 1) {
      throw new TypeError(
        `An array as a schema holds exactly one schema, its members'; this one holds ${schema.length}.`,
      );
    }
    const member = shapeOf(schema[0]);
    return member.kind === 'leaf' ? LEAF : { kind: 'array', member };
  }
  const fields = new Map<string, Shape>();
  for (const [field, part] of Object.entries(schema)) {
    const shape = shapeOf(part);
    if (shape.kind !== 'leaf') {
      fields.set(field, shape);
    }
  }
  return fields.size === 0 ? LEAF : { kind: 'object', fields };
}

function collectionShape(collection: Collection): CollectionShape {
  const known = compiled.get(collection);
  if (known) {
    // Only this function stores shapes of collections.
    return known as CollectionShape;
  }
  const { schema, name } = collection;
  const isMap = schema instanceof Values;
  const member = memberShape(isMap ? schema.schema : schema[0], 'new Collection(…)');
  const shape: CollectionShape = {
    kind: 'collection',
    collection,
    member,
    isMap,
    key: listTableKey(member, isMap, name),
  };
  compiled.set(collection, shape);
  return shape;
}

function memberShape(schema: Schema, where: string): EntityShape | UnionShape {
  const member = shapeOf(schema);
  if (member.kind !== 'entity' && member.kind !== 'union') {
    throw new TypeError(`\`${where}\` needs an entity class or a union of such.`);
  }
  return member;
}

/** The entity classes that a record of a shape may be of, each with its discriminator in a union. */
export function* entitiesOf(
  member: EntityShape | UnionShape,
): IterableIterator<{ readonly entity: EntityShape; readonly discriminator: string | undefined }> {
  if (member.kind === 'entity') {
    yield { entity: member, discriminator: undefined };
    return;
  }
  for (const [discriminator, entity] of member.union.entries()) {
    yield { entity: entityShape(entity), discriminator };
  }
}

const selections = new WeakMap<EntityShape, SelectionShape>();

/** The shape of several rows of a class; the same object for the same class. */
export function selectionShape(member: EntityShape): SelectionShape {
  let shape = selections.get(member);
  if (!shape) {
    shape = { kind: 'selection', member };
    selections.set(member, shape);
  }
  return shape;
}

/** Names the lists of one kind of member: lists of one table share arguments, so the same arguments mean the same list. */
function listTableKey(
  member: EntityShape | UnionShape,
  isMap: boolean,
  name: string | undefined,
): string {
  const keys = [...entitiesOf(member)].map(({ entity }) => entity.key);
  return JSON.stringify([isMap ? 'map' : 'list', keys.sort(), name]);
}

function holdsRecords(shape: Shape): boolean {
  switch (shape.kind) {
    case 'leaf':
    case 'deserialize':
      return false;
    case 'array':
      return holdsRecords(shape.member);
    case 'values':
      return holdsRecords(shape.member);
    case 'object':
      return [...shape.fields.values()].some(holdsRecords);
    default:
      return true;
  }
}

/** Whether a schema is a class of records, rather than a constructor or function that deserializes. */
export function isEntityClass(schema: unknown): schema is EntityClass {
  return typeof schema === 'function' && schema.prototype instanceof Entity;
}

const CALLED = new Set<unknown>([Number, String, Boolean, BigInt]);

function deserializer(schema: Function): (raw: unknown) => unknown {
  // Constructed: classes (their `prototype` is not writable, as of built-in constructors such as `Date`), and constructor
  // functions of old (their prototype has methods). Arrow functions and methods have no prototype; plain functions an empty one.
  const prototype = Object.getOwnPropertyDescriptor(schema, 'prototype');
  const construct =
    prototype !== undefined &&
    !CALLED.has(schema) &&
    (prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1);
  const call = construct
    ? (raw: unknown) => Reflect.construct(schema, [raw])
    : (raw: unknown) => Reflect.apply(schema, undefined, [raw]);
  return (raw) => (raw === null || raw === undefined ? raw : call(raw));
}
