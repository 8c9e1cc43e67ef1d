import { Entity, markEntity } from './Entity.js';
import { assignFields } from './setField.js';
import type { EntityFields } from './Schema.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The static members of an entity class, without its constructor. */
export type EntityStatics = Omit<typeof Entity, 'prototype'>;

/** An entity class made from another class. */
export type MixedEntity<Base extends new () => object> = Omit<
  Base,
  'prototype' | keyof typeof Entity
> &
  EntityStatics & {
    new (): InstanceType<Base> & Entity;
    readonly prototype: InstanceType<Base> & Entity;
  };

/** Options of `EntityMixin`. A class that extends the result can declare these members instead. */
export interface MixinOptions<T> {
  /** The name of the record type; see `Entity.key`. Default: the `static key` of the class. */
  readonly key?: string;
  /** See `Entity.schema`. */
  readonly schema?: EntityFields;
  /** The field or function for the primary key. Default: the method `pk`, or the field `id`. */
  readonly pk?: (keyof T & string) | ((record: T) => string | number | undefined);
}

/**
 * Returns an entity class made from an existing class, such as a class of a generated client. The
 * result has the fields, getters and methods of that class, and the `static` members of `Entity`.
 *
 * @remarks The existing class is not changed. Its constructor must work without arguments.
 * @example
 * ```ts
 * import { EntityMixin, RestEndpoint } from 'restitch';
 *
 * class Todo {
 *   id = '';
 *   title = '';
 *   get slug() {
 *     return this.title.toLowerCase();
 *   }
 * }
 *
 * class TodoEntity extends EntityMixin(Todo) {
 *   static override key = 'Todo';
 * }
 * // The same without a subclass:
 * const PlainTodo = EntityMixin(Todo, { key: 'Todo', pk: 'id' });
 *
 * const getTodo = new RestEndpoint({ path: '/todos/:id', schema: TodoEntity });
 * ```
 */
export function EntityMixin<Base extends new () => object>(
  Base: Base,
  options: MixinOptions<InstanceType<Base>> = {},
): MixedEntity<Base> {
  if (typeof Base !== 'function') {
    throw new TypeError('`EntityMixin(Base)` needs a class.');
  }
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnOptions('EntityMixin', options);
  }
  const Parent: new () => object = Base;
  const Mixed = class extends Parent {};
  for (const name of Object.getOwnPropertyNames(Entity)) {
    // Every class already has `prototype`, `name` and `length`.
    if (!(name in Base)) {
      copyProperty(Entity, Mixed, name);
    }
  }
  Object.defineProperty(Mixed, 'name', { configurable: true, value: Base.name });
  if (options.key !== undefined) {
    assignFields(Mixed, { key: options.key });
  }
  if (options.schema !== undefined) {
    assignFields(Mixed, { schema: options.schema });
  }
  const pk = pkMethod(options.pk);
  if (pk) {
    Object.defineProperty(Mixed.prototype, 'pk', { configurable: true, writable: true, value: pk });
  } else if (!('pk' in Mixed.prototype)) {
    copyProperty(Entity.prototype, Mixed.prototype, 'pk');
  }
  markEntity(Mixed.prototype);
  // The cast: the code above defines every member that the type declares.
  return Mixed as unknown as MixedEntity<Base>;
}

function copyProperty(from: object, to: object, name: string): void {
  const property = Object.getOwnPropertyDescriptor(from, name);
  if (property) {
    Object.defineProperty(to, name, property);
  }
}

function pkMethod<T>(pk: MixinOptions<T>['pk']): ((this: T) => unknown) | undefined {
  if (typeof pk === 'function') {
    return function (this: T) {
      return pk(this);
    };
  }
  return pk === undefined
    ? undefined
    : function (this: T) {
        return this[pk];
      };
}
