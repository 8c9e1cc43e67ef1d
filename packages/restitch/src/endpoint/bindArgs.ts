import { allArgs, type Identified } from '../schema/identity.js';
import { ingredientsOf, rebuild } from './callable.js';
import { hasStandardKey, noteStandardKey } from '../schema/alike.js';

type Method<R> = (this: unknown, ...args: readonly unknown[]) => R;

/**
 * Returns an endpoint whose first arguments are fixed. They are part of its cache keys and of the
 * arguments from which responses are normalized.
 */
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
