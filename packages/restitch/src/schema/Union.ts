import { isDevelopment } from '../errors/development.js';
import { isKind, setKind } from './kind.js';
import type { Denormalize, EntityClass } from './Schema.js';
import { unionShape } from './unionShape.js';

/** What a union may hold, by discriminator value: classes, and unions that choose further. */
export interface UnionDefinition {
  readonly [discriminator: string]: EntityClass | Union;
}

/** Chooses a key of the definition for a value; `parent` and `key` say where the value, or the array it is in, was found. */
export type UnionChoice = (value: never, parent: never, key: string | undefined) => string | number;

/** The field names that every class of a union has. */
export type SharedField<D extends UnionDefinition> = keyof Denormalize<D[keyof D]> & string;

/**
 * A record of one of several classes, chosen by a field or a function. A value that no class is chosen for is passed through
 * as it is, and no record is made of it.
 *
 * @remarks A union may be a member of another: the outer one chooses it, and it chooses among its own.
 *
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
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default: a union of whatever classes
  D extends UnionDefinition = any,
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default, as above
  A extends SharedField<D> | UnionChoice = any,
> {
  declare readonly '~value': Denormalize<D[keyof D]>;
  readonly schemaAttribute: A;

  static {
    setKind(this.prototype, 'union', { '~shape': unionShape });
  }

  #definition: ReadonlyMap<string, EntityClass | Union>;

  /** @throws TypeError when an argument is missing. */
  constructor(definition: D, schemaAttribute: A) {
    if (!definition || !schemaAttribute) {
      throw new TypeError(
        isDevelopment
          ? '`new Union(definition, schemaAttribute)` needs both: classes by discriminator, and the field or function that chooses.'
          : 'Union',
      );
    }
    this.#definition = new Map(Object.entries(definition));
    this.schemaAttribute = schemaAttribute;
  }

  /** Adds classes and unions to the definition, for those that refer to the union itself. Later ones replace earlier ones. */
  define(definition: UnionDefinition): this {
    this.#definition = new Map([...this.#definition, ...Object.entries(definition)]);
    return this;
  }

  /** The class, or the union within this one, of a discriminator value, if there is one. */
  memberOf(discriminator: string): EntityClass | Union | undefined {
    return this.#definition.get(discriminator);
  }

  /** Every class and union with its discriminator value. */
  entries(): Iterable<[string, EntityClass | Union]> {
    return this.#definition.entries();
  }

  /** The discriminator of a value, whether or not it has a class. */
  discriminatorOf(value: object, parent: unknown, key: string | undefined): unknown {
    const chosen = this.#chosen(value, parent, key);
    // As in the definition, whose keys are text.
    return typeof chosen === 'number' ? String(chosen) : chosen;
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

/** A map of classes with what chooses among them is short for a `Union` of them; any other schema is itself. */
export function unionOf(
  schema: unknown,
  schemaAttribute: string | UnionChoice | undefined,
): unknown {
  return schemaAttribute === undefined || isKind(schema, 'union')
    ? schema
    : // What is no map of classes is refused where the classes are looked at.
      new Union(schema as UnionDefinition, schemaAttribute);
}
