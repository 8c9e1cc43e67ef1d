import { assignFields, setField } from './fields.js';
import { isObject } from './same.js';
import type { EntityClass, EntityFields, EntityMeta } from './Schema.js';

/**
 * A record with a primary key. Field initializers give each field its type and its default; `static schema` says which
 * fields hold other records or want deserializing.
 *
 * @remarks Instances that readers get are shared and never change: a changed record is a new instance. They are frozen
 * while `NODE_ENV` is not `production`.
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
   * Names the record type: classes with one key share their records, subclasses inherit it. Without a key a class is identified
   * by itself. State that leaves the process (server rendering, storage, other tabs) needs one.
   */
  declare static readonly key: string | undefined;

  /** For each field that is not plain JSON: a schema, a constructor or a function. Runs when the record is read. */
  static schema: EntityFields = {};

  /**
   * What fields read as that a record lacks: what the field initializers give; what is set here goes over that. A relation whose default is
   * truthy is required: where its record was deleted, the record that refers to it counts as missing.
   */
  declare static readonly defaults: Readonly<Record<string, unknown>>;

  /**
   * Fields by whose value a record can be looked up beside its primary key, where that value is unique: text or a number, as
   * it is stored. Default: none.
   */
  static indexes: readonly string[] = [];

  /**
   * Whether a record is shown before all fields are known that the class declares with a default: the rest is fetched in the
   * background, and `useDLE` tells it as `isPartial`. Default: false, readers wait for the whole record.
   */
  static partial = false;

  /**
   * Says which stored record the arguments of a question name: its primary key, or `{ field: value }` of one of the `indexes`,
   * or undefined. By default the first argument is the key itself, or an object with the fields that `pk` needs, or with an
   * indexed field. Readers of an endpoint see that record before the endpoint was ever asked.
   */
  static queryKey(
    this: EntityClass,
    args: readonly unknown[],
  ): string | number | Readonly<Record<string, unknown>> | undefined {
    const pk = pkOfArgs(this, args);
    if (pk !== undefined && pk !== null && pk !== '') {
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
   * Changes a raw record before its primary key is computed. Must not modify `input`; returning undefined marks the record
   * as deleted. `parent` is the object that holds the record, or the array it is in, under `key`; for an array that nothing
   * holds, that.
   */
  static process(
    input: unknown,
    _parent?: unknown,
    _key?: string,
    _args?: readonly unknown[],
  ): unknown {
    return input;
  }

  /** Returns a text when the record is not acceptable: the request then rejects, and a stored record counts as missing. */
  static validate(_value: Readonly<Record<string, unknown>>): string | undefined {
    return undefined;
  }

  /** Joins what is stored with a newer record, both with relations as primary keys. By default newer fields win. */
  static merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return { ...existing, ...incoming };
  }

  /**
   * Whether a record is merged into the stored one at all; a created or deleted record is not asked about. True unless
   * overridden. `existingMeta` is of the newest request that the stored record comes from.
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
   * Whether the stored record is newer than the incoming one although the incoming one ranks higher, as a timestamp of the
   * server may tell: it is then merged the other way round, `merge(incoming, existing)`. False unless overridden.
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
   * Joins what is stored with a record of another request. By default asks `shouldUpdate` and `shouldReorder`, then calls
   * `merge`. Copies of one record within one answer are joined by `merge` alone.
   *
   * @remarks Like `merge`, it must be pure: it runs again when an older answer arrives late or a guess is taken back.
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
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  /** Makes an instance: the class's defaults, then `fields` as own properties. */
  static fromJS<T extends Entity>(this: new () => T, fields: Partial<Omit<T, 'pk'>> = {}): T {
    return assignFields(withDefaults(this), fields);
  }

  /**
   * Makes the instance that readers get of a stored record; undefined makes the record count as missing. By default that is
   * where `validate` refuses it, else `fromJS` of it.
   *
   * @remarks `fields` is what is stored: raw values, and relations as primary keys. Deserialized values and related records
   * are set on the instance afterwards, so each call has to return a new one.
   */
  static createIfValid<T extends Entity>(
    this: EntityClass<T>,
    fields: Readonly<Record<string, unknown>>,
  ): T | undefined {
    return this.validate(fields) ? undefined : this.fromJS(fields);
  }

  /** The primary key: the `id` field unless overridden. Undefined, null and `''` mean that the record has no identity. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | undefined {
    return 'id' in this ? (this.id as string | number | undefined) : undefined;
  }
}

/** The primary key that a call's arguments name: the first one itself, or what `pk` makes of its fields. */
export function pkOfArgs(
  entity: EntityClass,
  args: readonly unknown[],
): string | number | undefined {
  const [first] = args;
  if (!isObject(first)) {
    return simpleKey(first);
  }
  if (entity.prototype.pk === Entity.prototype.pk) {
    return Object.hasOwn(first, 'id') ? simpleKey(Reflect.get(first, 'id')) : undefined;
  }
  try {
    const instance = assignFields(new entity(), first);
    return entity.prototype.pk.call(instance, undefined, undefined, args);
  } catch {
    // A `pk` that needs more than the arguments hold: they name no record.
    return undefined;
  }
}

function simpleKey(value: unknown): string | number | undefined {
  if (typeof value === 'bigint') {
    return String(value);
  }
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** What marks instances of classes of records, those that do not extend `Entity` included. */
const ENTITY: unique symbol = Symbol('entity');
markEntity(Entity.prototype);

/** Says of a class, by its prototype, that it is one of records. */
export function markEntity(prototype: object): void {
  Object.defineProperty(prototype, ENTITY, { value: true });
}

/** Whether a value is an instance of a class of records, or the prototype of one. */
export function isEntity(value: object): value is Entity {
  return ENTITY in value;
}

/** Whether a schema is a class of records, rather than a constructor or function that deserializes. */
export function isEntityClass(schema: unknown): schema is EntityClass {
  // Arrow functions and methods have no prototype.
  const prototype: unknown = typeof schema === 'function' ? schema.prototype : undefined;
  return isObject(prototype) && isEntity(prototype);
}

const initialized = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The values of the field initializers. An accessor defined here rather than a static getter: subclasses may then write
 * `static defaults = …` under both class field semantics, and TypeScript sees a plain property.
 */
function initialValues(this: new () => Entity): Readonly<Record<string, unknown>> {
  let values = initialized.get(this);
  if (!values) {
    values = Object.freeze({ ...new this() });
    initialized.set(this, values);
  }
  return values;
}

Object.defineProperty(Entity, 'defaults', {
  configurable: true,
  get: initialValues,
  set(value: unknown) {
    setField(this, 'defaults', value);
  },
});

/** A new instance with its class's defaults. */
export function withDefaults<T extends object>(entity: new () => T): T {
  return assignFields(new entity(), givenDefaults(entity) ?? {});
}

/** The `defaults` of a class where it or a base of it sets them; null where they are those of the initializers. */
export function givenDefaults(entity: object): object | null {
  for (let holder: object | null = entity; holder; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, 'defaults');
    if (property) {
      const value: unknown =
        property.get === initialValues ? null : Reflect.get(entity, 'defaults');
      return typeof value === 'object' ? value : null;
    }
  }
  return null;
}

/** The names that an object, by itself or what it extends, does not take by plain assignment: of accessors, or read-only. */
export function unassignable(target: object): readonly string[] {
  const names: string[] = [];
  for (let holder: unknown = target; holder; holder = Object.getPrototypeOf(holder)) {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(holder));
    names.push(...properties.filter(([, { writable }]) => !writable).map(([name]) => name));
  }
  return names;
}
