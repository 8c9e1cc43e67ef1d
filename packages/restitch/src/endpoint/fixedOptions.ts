import { entryOf } from '../host/entryOf.js';
import { isObject } from '../schema/same.js';
import { rebuild } from './callable.js';

/**
 * A getter of an endpoint class can compute these options of a call, such as the `urlPrefix` of the
 * selected tenant. The value can change while a request is in flight:
 *
 * ```
 *   urlPrefix     '/one'         ──▶ '/two'
 *   getList       ├───────────────────┤ the rows belong to '/one'
 * ```
 *
 * A call therefore uses `$fixed`: a copy of the endpoint with the values from the start of the
 * call. `$source` of the copy is the original endpoint.
 */
const COMPUTED = ['urlPrefix', 'service', 'scope'];

/** Optimization: the names of these getters by prototype. */
const getters = new WeakMap<object, readonly string[]>();

/** Optimization: the last copy of each endpoint, for calls in which the values are the same. */
const fixed = new WeakMap<object, { readonly text: string; readonly endpoint: object }>();

export function defineFixed(prototype: object): void {
  Object.defineProperty(prototype, '$fixed', { get: fixedOptions, configurable: true });
}

function fixedOptions(this: object): object {
  const prototype = Object.getPrototypeOf(this) as object;
  const names = entryOf(getters, prototype, () =>
    COMPUTED.filter((name) => isGetter(prototype, name)),
  ).filter((name) => !Object.hasOwn(this, name));
  if (names.length === 0) {
    return this;
  }
  const options = Object.fromEntries(names.map((name) => [name, Reflect.get(this, name)]));
  const text = JSON.stringify(options);
  const known = fixed.get(this);
  if (known?.text === text) {
    return known.endpoint;
  }
  const endpoint = rebuild(this, options);
  // If `$source` were an option, endpoints extended from the copy would inherit it.
  Object.defineProperty(endpoint, '$source', { value: this });
  fixed.set(this, { text, endpoint });
  return endpoint;
}

function isGetter(owner: unknown, name: string): boolean {
  if (!isObject(owner)) {
    return false;
  }
  const property = Object.getOwnPropertyDescriptor(owner, name);
  return property ? 'get' in property : isGetter(Object.getPrototypeOf(owner), name);
}
