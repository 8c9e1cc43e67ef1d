import { isKin } from '../schema/alike.js';
import { bindArgs } from './bindArgs.js';
import { type AnyFunction, construct, type Options, rebuild } from './callable.js';

/**
 * The part of `Endpoint` that every endpoint class uses; `Endpoint.ts` declares its types. The
 * methods of an endpoint that calls a function come with `functionEndpoint.ts`, so that a program
 * with REST endpoints only does not download them.
 */
export abstract class Endpoint {
  static {
    // Endpoints inherit `call`, `apply` and `bind`.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  declare readonly name: string;
  declare readonly scope?: string;

  /** @param plain For subclasses: see `construct`. */
  constructor(
    source: AnyFunction | undefined,
    options: Options = {},
    plain: boolean = new.target === Endpoint,
  ) {
    // The cast: TypeScript assigns the returned object to `this`.
    return construct(new.target, options, source, plain) as unknown as Endpoint;
  }

  abstract fetch(...args: readonly unknown[]): Promise<unknown>;

  abstract key(...args: readonly unknown[]): string;

  abstract testKey(key: string): boolean;

  extend(options: Options): this {
    return rebuild(this, options) as this;
  }

  /**
   * Returns an endpoint whose first arguments are fixed. They are part of its cache keys and of the
   * arguments from which responses are normalized.
   */
  bind(_self: unknown, ...bound: readonly unknown[]): this {
    return bindArgs(this, bound) as this;
  }

  '~isKin'(other: object): boolean {
    return isKin(this, other);
  }
}
