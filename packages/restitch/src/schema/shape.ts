import { isDevelopment } from '../errors/development.js';
import { All } from './All.js';
import { Collection, CollectionEdit } from './Collection.js';
import { CustomSchema } from './CustomSchema.js';
import { deserializer } from './deserializer.js';
import { Entity, givenDefaults, isEntityClass, unassignable, withDefaults } from './Entity.js';
import { bindNested, kindOf } from './homes.js';
import { ownText } from './identity.js';
import { Invalidate } from './Invalidate.js';
import { Lazy } from './Lazy.js';
import { holdsRecords, requiredFields } from './relations.js';
import type { EntityClass, Schema } from './Schema.js';
import { Union } from './Union.js';
import { type Tell, unionMembers } from './unionMembers.js';
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
  | CustomShape
  | LazyShape
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
  /** Identifies the table of its rows: the class's own or inherited `key`, else the class itself. */
  readonly table: string;
  /** The class in messages. */
  readonly name: string;
  /** Fields that hold other records or lists, which the store replaces by their keys. */
  readonly relations: ReadonlyMap<string, Shape>;
  /** The same as pairs: walked without making any. */
  readonly related: readonly (readonly [field: string, part: Shape])[];
  /** Fields whose stored raw value is deserialized on read. */
  readonly readers: ReadonlyMap<string, Shape>;
  /** Names that a new instance does not take by assignment: those of accessors, and of what cannot be written. */
  readonly guarded: (instance: object) => readonly string[];
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
  /** Whether nothing else is in it than one field. */
  readonly isSingle: boolean;
  /** What is no schema: it stands for the value of a response that is not there. */
  readonly plain: ReadonlyMap<string, unknown>;
}

export interface CollectionShape {
  readonly kind: 'collection';
  readonly collection: Collection;
  readonly member: EntityShape | UnionShape;
  /** Its members stand under keys. */
  readonly isMap: boolean;
  /** Names all lists of these members: lists of one table share arguments, so the same arguments mean the same list. */
  readonly key: string;
  /** Finds the key again, unless the list has become one of several. */
  readonly settle: () => string;
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

/** Stored as another schema's value, read as what the user's own code makes of that. */
export interface CustomShape {
  readonly kind: 'custom';
  readonly member: Shape;
  readonly schema: CustomSchema;
}

/** Records that are stored and stay keys. */
export interface LazyShape {
  readonly kind: 'lazy';
  readonly member: Shape;
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
  try {
    const shape = compile(schema);
    compiled.set(schema, shape);
    return shape;
  } catch (error) {
    // A wrong schema is wrong each time it is used.
    compiled.delete(schema);
    throw error;
  }
}

/** The compiled form of an entity class. */
export function entityShape(entity: EntityClass): EntityShape {
  const known = compiled.get(entity);
  if (known?.kind === 'entity') {
    return known;
  }
  if (!isEntityClass(entity)) {
    throw new TypeError(
      isDevelopment
        ? 'The definition of a `Union` holds entity classes and other unions.'
        : 'Union',
    );
  }
  const relations = new Map<string, Shape>();
  const related: [string, Shape][] = [];
  const readers = new Map<string, Shape>();
  const order =
    entity.mergeWithStore !== Entity.mergeWithStore ||
    entity.shouldUpdate !== Entity.shouldUpdate ||
    entity.shouldReorder !== Entity.shouldReorder;
  let defaults: Readonly<Record<string, unknown>> | undefined;
  let guarded: readonly string[] | undefined;
  let required: ReadonlySet<string> | undefined;
  const shape: EntityShape = {
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
        throw undefinedIn(`\`static schema\` of ${shape.name}`, `\`${field}\``);
      }
      const part = shapeOf(bindNested(schema));
      if (holdsRecords(part)) {
        relations.set(field, part);
        related.push([field, part]);
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
    return around(schema, { kind: 'values', member: LEAF }, schema.schema);
  }
  if (schema instanceof Lazy) {
    return around(schema, { kind: 'lazy', member: LEAF }, schema.schema);
  }
  if (schema instanceof CustomSchema) {
    return around(schema, { kind: 'custom', member: LEAF, schema }, schema.schema);
  }
  if (typeof schema === 'function') {
    return { kind: 'deserialize', read: deserializer(schema) };
  }
  if (Array.isArray(schema)) {
    if (schema.length === 0) {
      // A sample of plain values.
      return LEAF;
    }
    if (schema.length !== 1) {
      throw new TypeError(
        isDevelopment
          ? `An array as a schema holds exactly one schema, its members'; this one holds ${schema.length}.`
          : '[]',
      );
    }
    if (schema[0] === undefined) {
      throw undefinedIn('An array as a schema', 'its members');
    }
    const shape = around(schema, { kind: 'array', member: LEAF }, schema[0]);
    return shape.member.kind === 'leaf' ? LEAF : shape;
  }
  const fields = new Map<string, Shape>();
  const plain = new Map<string, unknown>();
  const shape: ObjectShape = {
    kind: 'object',
    fields,
    isSingle: Object.keys(schema).length === 1,
    plain,
  };
  // Known before its parts are compiled: an object that holds itself ends here.
  compiled.set(schema, shape);
  for (const [field, part] of Object.entries(schema)) {
    const member = shapeOf(part);
    if (member.kind !== 'leaf') {
      fields.set(field, member);
    } else if (!Array.isArray(part)) {
      plain.set(field, part);
    }
  }
  return fields.size === 0 ? LEAF : shape;
}

function undefinedIn(schema: string, place: string): TypeError {
  return new TypeError(
    isDevelopment
      ? `${schema} has undefined for ${place}. If the class comes from a circular import, set the schema after both classes are defined.`
      : `${schema}: ${place}`,
  );
}

/** Gives a shape its member, which may hold the schema itself: the shape is known before. */
function around<S extends { member: Shape }>(schema: object, shape: S & Shape, member: Schema): S {
  compiled.set(schema, shape);
  shape.member = shapeOf(member);
  return shape;
}

/** The compiled form of a collection. */
export function collectionShape(collection: Collection): CollectionShape {
  const known = compiled.get(collection);
  if (known) {
    // Only this function stores shapes of collections.
    return known as CollectionShape;
  }
  const { schema } = collection;
  const isMap = schema instanceof Values;
  const member = memberShape(isMap ? schema.schema : schema[0], 'new Collection(…)');
  let key: string | undefined;
  const settle = (): string => (key = listTableKey(member, isMap, collection));
  const shape: CollectionShape = {
    kind: 'collection',
    collection,
    member,
    isMap,
    get key() {
      return key ?? settle();
    },
    settle,
  };
  compiled.set(collection, shape);
  return shape;
}

function memberShape(schema: Schema, where: string): EntityShape | UnionShape {
  const member = shapeOf(schema);
  if (member.kind !== 'entity' && member.kind !== 'union') {
    throw new TypeError(
      isDevelopment ? `\`${where}\` needs an entity class or a union of such.` : where,
    );
  }
  return member;
}

/**
 * The entity classes that a record of a shape may be of, each with the discriminators that lead to it where that is a union;
 * where something is told of the record, those that this leaves possible.
 */
export function* entitiesOf(
  member: EntityShape | UnionShape,
  tell?: Tell,
): IterableIterator<{ readonly entity: EntityShape; readonly path: readonly string[] }> {
  if (member.kind === 'entity') {
    yield { entity: member, path: [] };
    return;
  }
  for (const { entity, path } of unionMembers(member.union, tell)) {
    yield { entity: entityShape(entity), path };
  }
}

/** Names the lists of one kind: the same arguments mean the same list. */
function listTableKey(
  member: EntityShape | UnionShape,
  isMap: boolean,
  collection: Collection,
): string {
  const keys = [...entitiesOf(member)].map(({ entity, path }) =>
    JSON.stringify([...path, entity.table]),
  );
  return JSON.stringify([isMap ? 'map' : 'list', keys.sort(), ...kindOf(collection)]);
}
