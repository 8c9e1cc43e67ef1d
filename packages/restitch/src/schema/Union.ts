import { isDevelopment } from '../errors/development.js';
import { isKind, setKind } from './SchemaKind.js';
import type { Denormalize, EntityClass } from './Schema.js';
import { unionRefs } from './referenceText.js';
import { hasUnionRef, parseUnionRef } from './unionRef.js';
import { definitions, discriminatorFields, unionMembers } from './unionMembers.js';
import { unionShape } from './unionShape.js';

/** Classes or inner unions by discriminator value, such as `{ link: Link, post: Post }`. */
export interface UnionDefinition {
  readonly [discriminator: string]: EntityClass | Union;
}

/**
 * Returns the discriminator of a value: a key of the definition. `parent` contains the value in its
 * field `key`, directly or in an array. For a value in a top-level array, `parent` is that array.
 * For a stored record, `parent` and `key` are undefined.
 */
export type UnionChoice = (value: never, parent: never, key: string | undefined) => string | number;

/** The names of the fields that every class of a union has. */
export type SharedField<D extends UnionDefinition> = keyof Denormalize<D[keyof D]> & string;

/**
 * The schema of a record that can belong to several classes. A field or a function selects the
 * class. A value that matches no class is returned unchanged and not stored as a record.
 *
 * @remarks A union may be a member of another union. The outer union selects the inner union, and
 * the inner union selects the class.
 * @example
 * ```ts
 * import { Entity, RestEndpoint, Union } from 'restitch';
 *
 * abstract class Feed extends Entity {
 *   id = '';
 *   type: 'link' | 'post' = 'link';
 * }
 * class Link extends Feed {
 *   type = 'link' as const;
 *   url = '';
 * }
 * class Post extends Feed {
 *   type = 'post' as const;
 *   content = '';
 * }
 *
 * const getFeed = new RestEndpoint({
 *   path: '/feed',
 *   schema: [new Union({ link: Link, post: Post }, 'type')],
 * });
 * ```
 */
export class Union<
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default: a union of any classes
  D extends UnionDefinition = any,
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default, as above
  A extends SharedField<D> | UnionChoice = any,
> {
  declare readonly '~value': Denormalize<D[keyof D]>;
  readonly schemaAttribute: A;

  static {
    setKind(this.prototype, 'union', { '~shape': unionShape, $telling, $classes });
    Object.assign(unionRefs, { parse: parseUnionRef, occursIn: hasUnionRef });
  }

  #definition: ReadonlyMap<string, EntityClass | Union>;

  /** @throws TypeError when an argument is missing. */
  constructor(definition: D, schemaAttribute: A) {
    if (!definition || !schemaAttribute) {
      throw new TypeError(
        isDevelopment
          ? '`new Union(definition, schemaAttribute)` needs classes by discriminator, and the field or function that selects one.'
          : 'Union',
      );
    }
    this.#definition = new Map(Object.entries(definition));
    this.schemaAttribute = schemaAttribute;
  }

  /** Adds or replaces members, for example classes that refer to the union itself. */
  define(definition: UnionDefinition): this {
    this.#definition = new Map([...this.#definition, ...Object.entries(definition)]);
    definitions.count += 1;
    return this;
  }

  /** Returns the class or the inner union for a discriminator. Does not search inner unions. */
  memberOf(discriminator: string): EntityClass | Union | undefined {
    return this.#definition.get(discriminator);
  }

  /** Returns pairs of a discriminator and its member, including the members that `define` added. */
  entries(): Iterable<[string, EntityClass | Union]> {
    return this.#definition.entries();
  }

  /** Returns the discriminator of a value, even if no class has it. */
  discriminatorOf(value: object, parent: unknown, key: string | undefined): unknown {
    const chosen = this.#chosen(value, parent, key);
    // Keys of the definition are text, so numbers and booleans are converted.
    return /number|boolean/.test(typeof chosen) ? String(chosen) : chosen;
  }

  #chosen(value: object, parent: unknown, key: string | undefined): unknown {
    const choice: unknown = this.schemaAttribute;
    if (typeof choice === 'function') {
      return Reflect.apply(choice, undefined, [value, parent, key]);
    }
    const field = String(choice);
    return Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
  }
}

function $classes(this: Union): readonly EntityClass[] {
  return Array.from(unionMembers(this), ({ entity }) => entity);
}

function $telling(this: Union, record: object): object {
  return discriminatorFields(this, record);
}

export function unionOf(
  schema: unknown,
  schemaAttribute: string | UnionChoice | undefined,
): unknown {
  return schemaAttribute === undefined || isKind(schema, 'union')
    ? schema
    : // The cast: a value that is not a map of classes is rejected when its classes are read.
      new Union(schema as UnionDefinition, schemaAttribute);
}
