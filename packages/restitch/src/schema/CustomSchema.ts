import { customShape } from './customKind.js';
import { setKind } from './SchemaKind.js';
import { innerOf, lendMethods, readCustom } from './readCustom.js';
import type { Denormalize, Schema } from './Schema.js';

/** The place of a value in a response. */
export interface SchemaPlace {
  /**
   * The object that contains the value in its field `key`, directly or in an array. For a value in
   * a top-level array, `parent` is that array. For a whole response, `parent` is undefined.
   */
  readonly parent: unknown;
  /** The field of `parent` that holds the value. Undefined in a top-level array. */
  readonly key: string | undefined;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
}

/**
 * The base class of custom schemas. A custom schema stores a value in the form of another schema
 * and converts it for readers.
 *
 * ```
 *   response ──normalize──▶ value of `schema` ──▶ store
 *   store ──▶ value of `schema` ──denormalize──▶ value for readers
 * ```
 *
 * @remarks Both methods must be pure. `denormalize` runs again only after its input changes.
 * `denormalize` receives the arguments of the endpoint or query. Inside a record, it receives no
 * arguments, because all queries share the record.
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
 * // The share depends on the requested portfolio, so it belongs to the response, not the company.
 * class Holdings extends CustomSchema<
 *   { companies: (typeof Company)[]; shares: Record<string, number> },
 *   Row[]
 * > {
 *   constructor() {
 *     super({ companies: [Company], shares: {} });
 *   }
 *   override normalize(input: { id: string; name: string; share: number }[]) {
 *     return {
 *       companies: input.map(({ share: _, ...company }) => company),
 *       shares: Object.fromEntries(input.map(({ id, share }) => [id, share])),
 *     };
 *   }
 *   denormalize({ companies, shares }: { companies: Company[]; shares: Record<string, number> }) {
 *     return companies.map((company) => ({ company, share: shares[company.id] ?? 0 }));
 *   }
 * }
 *
 * const getHoldings = new RestEndpoint({ path: '/portfolios/:id', schema: new Holdings() });
 * ```
 */
export abstract class CustomSchema<
  S extends Schema = Schema,
  Value = unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- public generic default: any arguments
  Args extends readonly any[] = any,
> {
  declare readonly '~value': Value;
  /** The schema of the stored values. */
  readonly schema: S;

  static {
    setKind(this.prototype, 'custom', {
      $read: readCustom,
      $innerOf: innerOf,
      $lend: lendMethods,
      '~shape': customShape,
    });
  }

  constructor(schema: S) {
    this.schema = schema;
  }

  /** Converts a part of a response for `schema`. Must not modify `input`. Default: no change. */
  // oxlint-disable-next-line typescript/no-explicit-any -- implementations annotate what their server sends
  normalize(input: any, _place: SchemaPlace): unknown {
    return input;
  }

  /** Converts a value of `schema` for readers. Not called while the value is null or missing. */
  abstract denormalize(value: Denormalize<S>, ...args: Args): Value;
}
