import { bindArgs } from './bindArgs.js';
import {
  type AnyFunction,
  construct,
  ingredientsOf,
  knownIngredients,
  type Options,
  ownName,
  rebuild,
} from './callable.js';
import { argsText, scopePrefix } from './keys.js';
import { isKin, noteStandardKey, readsAlike } from './reading.js';

/** What `new Endpoint(…)` runs; `Endpoint.ts` gives it its types. */
export class Endpoint {
  static {
    // Gives endpoints `call`, `apply` and `bind`.
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
    // TypeScript takes the returned object for `this`.
    return construct(new.target, options, source, plain) as unknown as Endpoint;
  }

  /** The function's own name, for messages: the option goes over it. */
  get name(): string {
    return knownIngredients(this)?.source?.name ?? '';
  }

  fetch(...args: readonly unknown[]): Promise<unknown> {
    // The constructor of `Endpoint` asks for a function that returns a promise.
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

  /** An endpoint whose first arguments are given: they are part of its keys, and of what its responses are about. */
  bind(_self: unknown, ...bound: readonly unknown[]): this {
    return bindArgs(this, bound) as this;
  }

  '~readsAlike'(other: object): boolean {
    return readsAlike(this, other);
  }

  '~isKin'(other: object): boolean {
    return isKin(this, other);
  }
}

/** What the keys of an endpoint begin with: the name it was given, else what stands for it. */
function keyPrefix(endpoint: Endpoint): string {
  return `${scopePrefix(endpoint)}${ownName(endpoint)} `;
}
