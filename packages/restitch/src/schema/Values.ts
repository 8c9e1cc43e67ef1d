import type { Denormalize, Schema } from './Schema.js';

/**
 * A map of records by keys of the server's choice. Members that are null, unknown or deleted are left out.
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
export class Values<S extends Schema> {
  declare readonly '~value': Record<string, Denormalize<S>>;
  readonly schema: S;

  constructor(schema: S) {
    if (schema === undefined) {
      throw new TypeError('`new Values(schema)` needs the schema of its members.');
    }
    this.schema = schema;
  }
}
