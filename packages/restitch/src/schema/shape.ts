import { isDevelopment } from '../errors/development.js';
import type { Collection } from './Collection.js';
import { deserializer } from './deserializer.js';
import { Entity, givenDefaults, isEntityClass, unassignable, withDefaults } from './Entity.js';
import { bindNested, kindOf } from './homes.js';
import { ownText } from './identity.js';
import { isKind, kindOfSchema } from './kind.js';
import { holdsRecords, requiredFields } from './relations.js';
import type { EntityClass, Schema } from './Schema.js';
import type {
  CollectionShape,
  EntityShape,
  LeafShape,
  Member,
  ObjectShape,
  Shape,
  UnionShape,
  ValuesShape,
} from './shapes.js';

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
    selection: {
      kind: 'selection',
      get member() {
        return shape;
      },
    },
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
        throw undefinedIn(
          isDevelopment ? `\`static schema\` of ${shape.name}` : shape.name,
          isDevelopment ? `\`${field}\`` : field,
        );
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

function compile(schema: object): Shape {
  if (typeof schema === 'function') {
    return { kind: 'deserialize', read: deserializer(schema) };
  }
  if (isKind(schema, 'collection')) {
    return collectionShape(schema);
  }
  if (isKind(schema, 'edit')) {
    return { kind: 'edit', list: collectionShape(schema.collection), edit: schema };
  }
  const kind = kindOfSchema(schema);
  if (kind) {
    return compileKind(schema, kind);
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
      throw undefinedIn(
        isDevelopment ? 'An array as a schema' : '[]',
        isDevelopment ? 'its members' : '',
      );
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

/** The compiled form of a schema that says of which kind it is. */
function compileKind(schema: object, kind: NonNullable<ReturnType<typeof kindOfSchema>>): Shape {
  // The cast: each kind has one of them.
  const {
    schema: member,
    entity,
    '~shape': own,
  } = schema as {
    readonly schema?: Schema;
    readonly entity?: Schema;
    readonly '~shape'?: (this: object) => UnionShape;
  };
  if (own) {
    return own.call(schema);
  }
  return entity
    ? ({
        kind,
        member: memberShape(entity, kind),
      } as Shape)
    : around<ValuesShape>(schema, { kind, member: LEAF, schema } as ValuesShape, member);
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
  const isMap = isKind(schema, 'values');
  const member = memberShape(isMap ? schema.schema : schema[0], 'collection');
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

function memberShape(schema: Schema, kind: string): EntityShape | UnionShape {
  const member = shapeOf(schema);
  if (member.kind !== 'entity' && member.kind !== 'union') {
    throw new TypeError(
      isDevelopment
        ? `\`new ${kind.replace(/^./, (first) => first.toUpperCase())}(…)\` needs an entity class or a union of such.`
        : kind,
    );
  }
  return member;
}

/** The entity classes that a record of a shape may be of; where a value is given, those that are possible (see `UnionShape`). */
export function entitiesOf(
  member: EntityShape | UnionShape,
  value?: object,
  isWhole?: boolean,
): Iterable<Member> {
  return member.kind === 'entity'
    ? [{ entity: member, path: NO_PATH }]
    : member.entities(value, isWhole);
}

const NO_PATH: readonly string[] = [];

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
