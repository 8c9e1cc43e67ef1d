import { entryOf } from '../host/entryOf.js';
import { assignFields, setField } from './setField.js';
import { fromText } from './fieldOfParam.js';
import type { Indexes } from './Indexes.js';
import { isIncomplete, keyReading, lacksKey } from './keyFields.js';
import { pkText } from './referenceText.js';
import { isObject, own } from './same.js';
import type { EntityClass, EntityFields, EntityMeta } from './Schema.js';

/** Received records that `shouldReorder` considered older: the lists in the record must know it. */
export const olderRecords: WeakSet<object> = new WeakSet();

/**
 * A record with a primary key. Field initializers define the type and the default of each field.
 * `static schema` lists the fields that hold other records or need deserialization.
 *
 * @remarks Readers share instances, and an instance never changes: a changed record is a new
 * instance. Instances are frozen unless `NODE_ENV` is `production`.
 *
 * @example
 * ```ts
 * import { Entity } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * class Article extends Entity {
 *   slug = '';
 *   author = User.fromJS({});
 *   publishedAt = new Date(0);
 *
 *   static key = 'Article';
 *   static schema = { author: User, publishedAt: Date };
 *
 *   pk() {
 *     return this.slug;
 *   }
 * }
 * ```
 */
export abstract class Entity {
  /**
   * The name of the record type. Classes with the same key share their records. Subclasses inherit
   * the key.
   *
   * @remarks Without a key, the class object identifies the type. A key is necessary if state
   * leaves the process: for server rendering, for storage, and for other tabs.
   */
  declare static readonly key: string | undefined;

  /**
   * A schema, a constructor or a function for each field that is not plain JSON. Constructors and
   * functions convert the stored value when the record is read.
   */
  static schema: EntityFields = {};

  /**
   * The values for fields that a record lacks. Default: the values of the field initializers.
   * Values that are set here override them.
   *
   * @remarks A relation with a truthy default is required: without its record, the whole record
   * counts as missing.
   */
  declare static readonly defaults: Readonly<Record<string, unknown>>;

  /**
   * The fields that identify a record in addition to its primary key: `indexBy('username')`. Their
   * stored values must be unique texts or numbers. Default: none.
   */
  static indexes: Indexes | readonly [] = [];

  /**
   * True: readers receive a record even if it lacks declared fields. The missing fields are fetched
   * in the background, and `useDLE` returns `isPartial: true`. Default: false, so readers wait for
   * the whole record.
   */
  static partial = false;

  /**
   * Finds the stored record for the arguments of a query. Returns the primary key, `{ field: value
   * }` for one of the `indexes`, or undefined.
   *
   * @remarks By default, the first argument is the key itself, an object with the fields that `pk`
   * needs, or an object with an indexed field. The arguments of a call such as `getUser({ id: 7 })`
   * are passed, too: its readers receive a stored user 7 even before the first fetch.
   */
  static queryKey(
    this: EntityClass,
    args: readonly unknown[],
  ): string | number | Readonly<Record<string, unknown>> | undefined {
    const pk = pkOfArgs(this, args);
    if (pk !== undefined) {
      return pk;
    }
    const [first] = args;
    if (isObject(first)) {
      for (const field of this.indexes) {
        if (Object.hasOwn(first, field)) {
          return { [field]: Reflect.get(first, field) };
        }
      }
    }
    return undefined;
  }

  /**
   * Converts a raw record before its primary key is computed. Must not modify `input`. Return
   * undefined to mark the record as deleted.
   *
   * @param _parent The object that contains the record in its field `_key`, directly or in an
   * array. For a record in a top-level array, it is that array.
   */
  static process(
    input: unknown,
    _parent?: unknown,
    _key?: string,
    _args?: readonly unknown[],
  ): unknown {
    return input;
  }

  /**
   * Returns an error message if the record is invalid, otherwise undefined. A request whose
   * response contains an invalid record rejects. An invalid record in the store counts as missing.
   */
  static validate(_value: Readonly<Record<string, unknown>>): string | undefined {
    return undefined;
  }

  /** Merges a newer record into the stored one. Relations are keys. Default: newer fields win. */
  static merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return { ...existing, ...incoming };
  }

  /**
   * Returns true if an incoming record may be merged into the stored one. Default: true. Not called
   * for a record that is created or deleted.
   *
   * @param _existingMeta The times of the newest request whose response is part of the stored
   * record.
   */
  static shouldUpdate(
    _existingMeta: EntityMeta,
    _incomingMeta: EntityMeta,
    _existing: Readonly<Record<string, unknown>>,
    _incoming: Readonly<Record<string, unknown>>,
  ): boolean {
    return true;
  }

  /**
   * Returns true if the stored record is newer than the incoming record, for example by a timestamp
   * of the server. The merge is then reversed: `merge(incoming, existing)`. Default: false, so the
   * record of the later request counts as newer.
   */
  static shouldReorder(
    _existingMeta: EntityMeta,
    _incomingMeta: EntityMeta,
    _existing: Readonly<Record<string, unknown>>,
    _incoming: Readonly<Record<string, unknown>>,
  ): boolean {
    return false;
  }

  /**
   * Merges an incoming record into the stored one. By default, it calls `shouldUpdate` and
   * `shouldReorder`, then `merge`. If one response contains a record twice, only `merge` is called
   * for the two copies.
   *
   * @remarks Like `merge`, the method must be pure. It runs again when responses arrive out of
   * order or an optimistic update is rolled back.
   */
  static mergeWithStore(
    existingMeta: EntityMeta,
    incomingMeta: EntityMeta,
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) {
      return existing;
    }
    if (this.shouldReorder(existingMeta, incomingMeta, existing, incoming)) {
      olderRecords.add(incoming);
      return this.merge(incoming, existing);
    }
    return this.merge(existing, incoming);
  }

  /**
   * Returns an instance that is not stored, for example for a relation: `author = User.fromJS({})`.
   * Fields that are not given have the defaults of the class.
   */
  static fromJS<T extends Entity>(this: new () => T, fields: Partial<Omit<T, 'pk'>> = {}): T {
    return assignFields(withDefaults(this), fields);
  }

  /**
   * Returns the instance that readers of a stored record receive. If it returns undefined, the
   * record counts as missing. By default, returns `fromJS(fields)` if `validate` accepts the
   * record.
   *
   * @remarks Each call must return a new instance: deserialized values and related records are set
   * on it afterward. In `fields`, values are as the server sent them, and relations are primary
   * keys.
   */
  static createIfValid<T extends Entity>(
    this: EntityClass<T>,
    fields: Readonly<Record<string, unknown>>,
  ): T | undefined {
    return this.validate(fields) ? undefined : this.fromJS(fields);
  }

  /**
   * Returns the primary key. Default: the field `id`. Without an identity: undefined or `''`. Fields
   * of `static schema`, such as dates, are deserialized.
   */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | undefined {
    return 'id' in this ? (this.id as string | number | undefined) : undefined;
  }
}

/** Reads the prototype, because a response can have fields named `pk` and `constructor`. */
export function identityOf(record: Entity): { readonly entity: EntityClass; readonly pk: unknown } {
  // The cast: the prototype of a record is the prototype of an entity class.
  const prototype = Object.getPrototypeOf(record) as EntityClass['prototype'];
  return { entity: prototype.constructor as EntityClass, pk: prototype.pk.call(record) };
}

export function isKeyedById({ prototype }: EntityClass): boolean {
  return prototype.pk === Entity.prototype.pk;
}

export function pkOfArgs(
  entity: EntityClass,
  args: readonly unknown[],
): string | number | undefined {
  const [first] = args;
  if (!isObject(first)) {
    return simpleKey(first);
  }
  if (isKeyedById(entity)) {
    return simpleKey(own(first, 'id'));
  }
  try {
    const instance = new entity();
    const fields = keyReading.read(entity, first);
    const typed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) {
        const declared: unknown = Reflect.get(instance, name);
        setField(instance, name, value);
        setField(typed, name, declared == null ? fromText(value) : value);
      }
    }
    if (lacksKey(entity, fields)) {
      return undefined;
    }
    const pkOf = (): unknown => entity.prototype.pk.call(instance, undefined, undefined, args);
    const pk = simpleKey(pkOf());
    assignFields(instance, typed);
    // The default null does not tell if the field is a number. So `pk` must not depend on it.
    const isUnclear = String(pkOf()) !== String(pk);
    return isUnclear || isIncomplete(entity, fields, pk) ? undefined : pk;
  } catch {
    // `pk` needs more fields than the arguments have.
    return undefined;
  }
}

function simpleKey(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : pkText(value);
}

/** Marks instances of entity classes. `instanceof Entity` would miss those from `EntityMixin`. */
const ENTITY: unique symbol = Symbol('entity');
markEntity(Entity.prototype);

export function markEntity(prototype: object): void {
  Object.defineProperty(prototype, ENTITY, { value: true });
}

/** Also returns true for the prototype of an entity class. */
export function isEntity(value: object): value is Entity {
  return ENTITY in value;
}

export function isEntityClass(schema: unknown): schema is EntityClass {
  // Arrow functions and methods have no prototype.
  const prototype: unknown = typeof schema === 'function' ? schema.prototype : undefined;
  return isObject(prototype) && isEntity(prototype);
}

const initialized = new WeakMap<object, Readonly<Record<string, unknown>>>();

function initialValues(this: new () => Entity): Readonly<Record<string, unknown>> {
  return entryOf(initialized, this, () => Object.freeze({ ...new this() }));
}

Object.defineProperty(Entity, 'defaults', {
  configurable: true,
  get: initialValues,
  // Compilers may turn `static defaults = …` of a subclass into an assignment.
  set(value: unknown) {
    setField(this, 'defaults', value);
  },
});

export function withDefaults<T extends object>(entity: new () => T): T {
  return assignFields(new entity(), givenDefaults(entity) ?? {});
}

export function givenDefaults(entity: object): object | null {
  for (let holder: object | null = entity; holder; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, 'defaults');
    if (property) {
      const value: unknown = property.get !== initialValues && Reflect.get(entity, 'defaults');
      return isObject(value) ? value : null;
    }
  }
  return null;
}

/** `Object.assign` would call setters, and throw for read-only properties. */
export function unassignable(target: object): readonly string[] {
  const names: string[] = [];
  for (let holder: unknown = target; holder; holder = Object.getPrototypeOf(holder)) {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(holder));
    names.push(...properties.filter(([, { writable }]) => !writable).map(([name]) => name));
  }
  return names;
}
