import { setKind } from './kind.js';
import { innerOf, lendMethods, readCustom } from './readCustom.js';
import type { Denormalize, Schema } from './Schema.js';

/** Where a value of an answer was found. */
export interface SchemaPlace {
  /** The object that holds the value, or the array it is in; of an array that nothing holds, that; undefined for a whole answer. */
  readonly parent: unknown;
  /** The field that holds it; of a member of an array, the field that holds the array. */
  readonly key: string | undefined;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
}

/**
 * The base of schemas of your own: a value that is stored in terms of another schema, and reads as something else.
 *
 * ```
 *   answer ──normalize──▶ value of `schema` ──▶ store ──▶ value of `schema` ──denormalize──▶ what readers get
 * ```
 *
 * @remarks Both methods must be pure. `denormalize` runs again only when what it is given changed; it is not called where
 * there is nothing to read. The arguments are those of the endpoint or query; inside a record, which all of them share,
 * `denormalize` gets none.
 *
 * @example
 * ```ts
 * import { CustomSchema, Entity, RestEndpoint } from 'restitch';
 *
 * class Company extends Entity {
 *   id = '';
 *   name = '';
 * }
 * interface Row {
 *   readonly company: Company;
 *   readonly share: number;
 * }
 *
 * // The share depends on the portfolio that was asked for: it belongs to the answer, not to the company.
 * class Holdings extends CustomSchema<{ companies: (typeof Company)[]; shares: number[] }, Row[]> {
 *   constructor() {
 *     super({ companies: [Company], shares: [] });
 *   }
 *   override normalize(input: { id: string; name: string; share: number }[]) {
 *     return {
 *       companies: input.map(({ share: _, ...company }) => company),
 *       shares: input.map(({ share }) => share),
 *     };
 *   }
 *   denormalize({ companies, shares }: { companies: Company[]; shares: number[] }) {
 *     return companies.map((company, index) => ({ company, share: shares[index] ?? 0 }));
 *   }
 * }
 *
 * const getHoldings = new RestEndpoint({ path: '/portfolios/:id', schema: new Holdings() });
 * ```
 */
export abstract class CustomSchema<
  S extends Schema = Schema,
  Value = unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default: whatever arguments
  Args extends readonly any[] = any,
> {
  declare readonly '~value': Value;
  /** What values are stored as. */
  readonly schema: S;

  static {
    setKind(this.prototype, 'custom', {
      '~read': readCustom,
      '~innerOf': innerOf,
      '~lend': lendMethods,
    });
  }

  constructor(schema: S) {
    this.schema = schema;
  }

  /** Makes of a value in an answer one of `schema`. Must not modify it. By default the value itself. */
  // oxlint-disable-next-line typescript/no-explicit-any -- implementations annotate what their server sends
  normalize(input: any, _place: SchemaPlace): unknown {
    return input;
  }

  /** Makes of what `schema` reads as what readers get. */
  abstract denormalize(value: Denormalize<S>, ...args: Args): Value;
}
