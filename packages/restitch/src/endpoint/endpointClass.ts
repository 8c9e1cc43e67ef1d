import { sortMembers } from '../schema/argText.js';
import { type AnyFunction, construct, ingredientsOf, type Options, rebuild } from './callable.js';

/** What `new Endpoint(…)` runs; `Endpoint.ts` gives it its types. */
export class Endpoint {
  static {
    // Gives endpoints `call`, `apply` and `bind`.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  /** @param plain For subclasses: see `construct`. */
  constructor(
    source: AnyFunction | undefined,
    options: Options = {},
    plain: boolean = new.target === Endpoint,
  ) {
    const name = options['name'] ?? source?.name;
    if (source && !name) {
      // oxlint-disable-next-line eslint/no-console -- a mistake in the definition
      console.error(
        '`new Endpoint(function)`: name the function, or set `name`. It is part of the key.',
      );
    }
    // TypeScript takes the returned object for `this`.
    return construct(
      new.target,
      source ? { ...options, name } : options,
      source,
      plain,
    ) as unknown as Endpoint;
  }

  // Each endpoint has its own; declared so that `RestEndpoint` may compute it.
  get name(): string {
    return '';
  }

  fetch(...args: readonly unknown[]): Promise<unknown> {
    // The constructor of `Endpoint` asks for a function that returns a promise.
    return Reflect.apply(ingredientsOf(this).source as AnyFunction, this, args) as Promise<unknown>;
  }

  key(...args: readonly unknown[]): string {
    return `${this.name} ${JSON.stringify(args, sortMembers)}`;
  }

  testKey(key: string): boolean {
    return key.startsWith(`${this.name} [`);
  }

  extend(options: Options): this {
    return rebuild(this, options) as this;
  }
}
