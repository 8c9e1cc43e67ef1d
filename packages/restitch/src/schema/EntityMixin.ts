import { Entity, markEntity } from './Entity.js';
import { assignFields } from './fields.js';
import type { EntityFields } from './Schema.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What a class of entities has besides its constructor. */
export type EntityStatics = Omit<typeof Entity, 'prototype'>;

/** A class of records made of another class. */
export type MixedEntity<Base extends new () => object> = Omit<
  Base,
  'prototype' | keyof typeof Entity
> &
  EntityStatics & {
    new (): InstanceType<Base> & Entity;
    readonly prototype: InstanceType<Base> & Entity;
  };

/** What `EntityMixin` may be told instead of writing a class that extends what it gives. */
export interface MixinOptions<T> {
  /** Names the record type in the store. Default: the name of the class. */
  readonly key?: string;
  /** See `Entity.schema`. */
  readonly schema?: EntityFields;
  /** The field that is the primary key, or a function of the record. Default: `pk` of the class, else the field `id`. */
  readonly pk?: (keyof T & string) | ((record: T) => string | number | undefined);
}

/**
 * Makes a class of records of a class that exists already, such as one of a generated client: its fields, getters and methods
 * stay, `static` members of `Entity` are added. The class itself is not changed; it must be constructible without arguments.
 *
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
 * // The same without a class of its own:
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
    // `prototype`, `name` and `length`, which every class has, are there already.
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
  // Sound: all that the type promises was put on the class above.
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
