import { allArgs, type Identified } from '../schema/identity.js';
import { ingredientsOf, rebuild } from './callable.js';
import { hasStandardKey, noteStandardKey } from './reading.js';

type Method<R> = (this: unknown, ...args: readonly unknown[]) => R;

/** Makes an endpoint whose first arguments are given: they are part of its keys, and of what its responses are about. */
export function bindArgs(
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
    '~bound': allArgs(base, bound),
  };
  if (hasStandardKey(base)) noteStandardKey(options);
  return rebuild(base, options, ingredientsOf(base).family);
}
