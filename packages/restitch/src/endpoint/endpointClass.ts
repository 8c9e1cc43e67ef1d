import { isKin, hasStandardKey, noteStandardKey } from '../schema/sameProcessing.js';
import { type AnyFunction, construct, type Options, rebuild, ingredientsOf } from './callable.js';
import { allArgs, type Identified } from '../schema/identityText.js';

/** `functionEndpoint.ts` adds methods that a program with only REST endpoints never loads. */
export abstract class Endpoint {
  static {
    // Endpoints are functions, so they inherit `call` and `apply`.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  declare readonly name: string;
  declare readonly scope?: string;

  constructor(source: AnyFunction | undefined, options: Options = {}) {
    // The cast: `construct` returns an instance of this class, but declares only an object.
    return construct(new.target, options, source) as unknown as Endpoint;
  }

  abstract fetch(...args: readonly unknown[]): Promise<unknown>;

  abstract key(...args: readonly unknown[]): string;

  abstract testKey(key: string): boolean;

  extend(options: Options): this {
    return rebuild(this, options) as this;
  }

  bind(_self: unknown, ...bound: readonly unknown[]): this {
    return bindArgs(this, bound) as this;
  }

  $isKin(other: object): boolean {
    return isKin(this, other);
  }
}

type Method<R> = (this: unknown, ...args: readonly unknown[]) => R;

function bindArgs(
  base: Identified & { readonly fetch: Method<unknown>; readonly key: Method<string> },
  bound: readonly unknown[],
): object {
  const options = {
    fetch(this: unknown, ...args: readonly unknown[]) {
      return base.fetch.call(this, ...bound, ...args);
    },
    key(this: unknown, ...args: readonly unknown[]) {
      return base.key.call(this, ...bound, ...args);
    },
    $bound: allArgs(base, bound),
  };
  if (hasStandardKey(base)) noteStandardKey(options);
  return rebuild(base, options, ingredientsOf(base).family);
}
