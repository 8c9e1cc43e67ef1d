import type { EntityFields } from './Schema.js';

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
  /** Names the record type in the store: the class name unless set. Set it where class names are minified. */
  declare static readonly key: string;

  /** For each field that is not plain JSON: a schema, a constructor or a function. Runs when the record is read. */
  static schema: EntityFields = {};

  /**
   * Changes a raw record before its primary key is computed. Must not modify `input`; returning undefined marks the record
   * as deleted.
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

  /** Makes an instance: the class's defaults, then `fields` as own properties. */
  static fromJS<T extends Entity>(this: new () => T, fields: Partial<Omit<T, 'pk'>> = {}): T {
    return assignFields(new this(), fields);
  }

  /** The primary key: the `id` field unless overridden. Undefined, null and `''` mean that the record has no identity. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | undefined {
    return 'id' in this ? (this.id as string | number | undefined) : undefined;
  }
}

// An accessor defined here rather than a static getter: subclasses may then write `static key = '…'` under both class field
// semantics, and TypeScript sees a plain property.
Object.defineProperty(Entity, 'key', {
  configurable: true,
  get(this: { readonly name: string }): string {
    if (this.name === '') {
      throw new TypeError('An anonymous entity class has no `key`: add `static key = "…"` to it.');
    }
    return this.name;
  },
  set(value: string) {
    Object.defineProperty(this, 'key', {
      configurable: true,
      enumerable: true,
      writable: true,
      value,
    });
  },
});

/** Sets own data properties, whatever the names: a field called `__proto__`, or one that a getter has, is ordinary data. */
export function assignFields<T extends object>(target: T, fields: object): T {
  for (const key of Object.keys(fields)) {
    setField(target, key, (fields as Record<string, unknown>)[key]);
  }
  return target;
}

/** Sets one own data property. Plain assignment is the fast way where the name has no accessor. */
export function setField(target: object, key: string, value: unknown): void {
  if (key in target && !Object.hasOwn(target, key)) {
    Object.defineProperty(target, key, {
      configurable: true,
      enumerable: true,
      writable: true,
      value,
    });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}
