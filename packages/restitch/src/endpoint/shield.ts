import { setSchema, shieldHook } from './callable.js';
import { defineFixed } from './fixedOptions.js';

/** The prototypes of the built-in classes. They have no public fields, so they need no shield. */
const fieldless = new WeakSet<object>();

/** Prepares a class for subclasses with fields: see `callable.ts`. */
export function extensible<C extends { readonly prototype: object }>(type: C): C {
  fieldless.add(type.prototype);
  defineFixed(type.prototype);
  Object.assign(shieldHook, { shield, settle });
  return type;
}

function settle(endpoint: object): void {
  const field = Object.getOwnPropertyDescriptor(endpoint, 'schema');
  if (field && 'value' in field) setSchema(endpoint, field.value);
}

function shield(target: object, options: object): object | undefined {
  if (fieldless.has(Object.getPrototypeOf(target) as object)) return undefined;
  const release = (): void => {
    for (const trap of Object.keys(traps)) Reflect.deleteProperty(traps, trap);
  };
  const isSettled = (key: PropertyKey, value: unknown): boolean =>
    Object.hasOwn(options, key) || (key === 'schema' && setSchema(target, value));
  const traps: ProxyHandler<object> = {
    defineProperty: (_, key, property) =>
      isSettled(key, property.value) || Reflect.defineProperty(target, key, property),
    set: (_, key, value) => isSettled(key, value) || Reflect.set(target, key, value),
    getOwnPropertyDescriptor(_, key) {
      release();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    apply(_, self, args) {
      release();
      // The cast: the target of the shield is always the function made by `construct`.
      return Reflect.apply(target as () => unknown, self, args);
    },
  };
  queueMicrotask(release);
  return new Proxy(target, traps);
}
