import { isDevelopment } from '../errors/development.js';
import { setKind } from './kind.js';
import type { Denormalize, Schema } from './Schema.js';
import {
  type SharedField,
  type Union,
  type UnionChoice,
  type UnionDefinition,
  unionOf,
} from './Union.js';

/**
 * A map of records whose keys the server chooses. Members that are null, unknown or deleted are
 * left out.
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

/** The class `Values` as a value. */
export interface ValuesConstructor {
  /**
   * Takes classes by discriminator, and the field or function that chooses among them: a shorthand
   * for a `Union`.
   */
  new <D extends UnionDefinition, A extends SharedField<D> | UnionChoice>(
    definition: D,
    schemaAttribute: A,
  ): Values<Union<D, A>>;
  new <S extends Schema>(schema: S): Values<S>;
  readonly prototype: Values<Schema>;
}

/** The class `Values` as a value; see the interface of the same name. */
// The cast: a map of classes results in another instance type, which a class cannot declare.
export const Values: ValuesConstructor = class {
  readonly schema: unknown;

  static {
    setKind(this.prototype, 'values');
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
