import { bindArgs } from './bindArgs.js';
import {
  type AnyFunction,
  construct,
  ingredientsOf,
  type Options,
  ownName,
  rebuild,
} from './callable.js';
import { argsText, scopePrefix } from './keys.js';
import type { Identified } from '../schema/identity.js';
import { isKin, noteStandardKey } from '../schema/alike.js';

/** The implementation of `Endpoint`; `Endpoint.ts` declares its types. */
export class Endpoint {
  static {
    // Endpoints inherit `call`, `apply` and `bind`.
    Object.setPrototypeOf(this.prototype, Function.prototype);
    noteStandardKey(this.prototype);
  }

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

  /** The name of the function, for error messages. The `name` option overrides it. */
  get name(): string {
    return (this as Identified)['~made']?.source?.name ?? '';
  }

  fetch(...args: readonly unknown[]): Promise<unknown> {
    // The cast: the constructor's type requires a function that returns a promise.
    return Reflect.apply(ingredientsOf(this).source as AnyFunction, this, args) as Promise<unknown>;
  }

  key(...args: readonly unknown[]): string {
    return keyPrefix(this) + argsText(args, Reflect.get(this, 'sideEffect') === true);
  }

  testKey(key: string): boolean {
    return key.startsWith(`${keyPrefix(this)}[`);
  }

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

/**
 * Returns the start of an endpoint's cache keys: its scope, then its name or a text that identifies
 * it.
 */
function keyPrefix(endpoint: Endpoint): string {
  return `${scopePrefix(endpoint)}${ownName(endpoint)} `;
}
