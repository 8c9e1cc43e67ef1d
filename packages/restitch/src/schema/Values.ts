import { isDevelopment } from '../errors/development.js';
import { setField } from './setField.js';
import { setKind } from './SchemaKind.js';
import type { Normalizer, Previous, Reader, References } from './KindMethods.js';
import type { Denormalize, Schema } from './Schema.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from './Union.js';
import { isObject, isPlain } from './same.js';
import type { MapContents, Shape, ValuesShape } from './shapes.js';

/**
 * A map of records whose keys the server chooses. Readers receive no members that are null, missing
 * or deleted.
 *
 * @example
 * ```ts
 * import { Entity, RestEndpoint, Values } from 'restitch';
 *
 * class Rate extends Entity {
 *   id = '';
 *   price = 0;
 * }
 *
 * const getRates = new RestEndpoint({ path: '/rates', schema: new Values(Rate) });
 * ```
 */
export interface Values<S extends Schema> {
  readonly '~value': Record<string, Denormalize<S>>;
  readonly schema: S;
}

/** The type of the class `Values`, for functions that receive the class itself. */
export interface ValuesConstructor {
  /** A shorthand for `new Values(new Union(definition, schemaAttribute))`. */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): Values<Union<D, A>>;
  new <S extends Schema>(schema: S): Values<S>;
  readonly prototype: Values<Schema>;
}

/** Instances have the type of the interface with the same name. */
// The cast: a class cannot declare constructor signatures with different instance types.
export const Values: ValuesConstructor = class {
  readonly schema: unknown;

  static {
    setKind(this.prototype, 'values', { '~shape': (): ValuesShape => new ValuesKind() });
  }

  constructor(schema: unknown, schemaAttribute?: string | UnionChoice) {
    if (schema === undefined) {
      throw new TypeError(
        isDevelopment ? '`new Values(schema)` needs the schema of its members.' : 'Values',
      );
    }
    this.schema = unionOf(schema, schemaAttribute);
  }
} as ValuesConstructor;

/** `compileKind` in `shape.ts` sets the field `member`. */
class ValuesKind implements ValuesShape {
  readonly kind = 'values';
  declare readonly member: Shape;

  normalize(
    context: Normalizer,
    input: unknown,
    _parent: unknown,
    key: string | undefined,
    owner: unknown,
  ): Record<string, unknown> {
    return this.#entries(context, input, key, (value, field) =>
      context.visit(context, this.member, value, input, field, owner),
    );
  }

  listed(
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    owner: unknown,
  ): MapContents {
    const all = Object.entries(this.normalize(context, input, undefined, key, owner));
    const present = all.filter(([, value]) => isPresent(value));
    return { members: present.map(([, value]) => value), keys: present.map(([name]) => name) };
  }

  mapped({ members, keys = [] }: MapContents): Record<string, unknown> {
    return Object.fromEntries(keys.map((name, index) => [name, members[index]]));
  }

  assigned(
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    edited: (value: unknown, field: string) => unknown,
  ): Record<string, unknown> {
    return this.#entries(context, input, key, (value, field) =>
      isPresent(value) ? edited(value, field) : undefined,
    );
  }

  #entries(
    context: Normalizer,
    input: unknown,
    key: string | undefined,
    normalized: (value: unknown, field: string) => unknown,
  ): Record<string, unknown> {
    if (!isObject(input) || Array.isArray(input)) {
      throw context.wrongShape(context, isDevelopment ? 'an object' : '', input, key, this.member);
    }
    const copy: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(input)) {
      setField(copy, field, normalized(value, field));
    }
    return copy;
  }

  walk(value: unknown, sink: References): void {
    for (const item of isObject(value) && !Array.isArray(value) ? Object.values(value) : []) {
      sink.value(this.member, item);
    }
  }

  denormalize(value: unknown, reader: Reader, was: Previous): unknown {
    if (!isPlain(value)) {
      return value;
    }
    const next: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const present = reader.value(this.member, item, reader.before(was, key));
      if (isPresent(present)) {
        setField(next, key, present);
      }
    }
    return reader.keep(was.value, next);
  }

  /** A query cannot find a map, because no arguments identify it. */
  queryKey(): undefined {
    return undefined;
  }
}

function isPresent(member: unknown): boolean {
  return member !== undefined && member !== null;
}
