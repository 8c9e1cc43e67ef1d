/**
 * Callable class instances.
 *
 * ```text
 *   new Api(options)
 *     1. Endpoint's constructor creates a function whose prototype is Api.prototype
 *     2. the options become read-only members of the function
 *     3. the constructor returns a shield: a Proxy around the function
 *     4. Api's field initializers run; the shield ignores their writes to options
 *     5. the traps of the Proxy are removed at the end of the current job; a call of the
 *        endpoint, or a read of one of its property descriptors, removes the traps earlier
 *
 *   endpoint.extend(more) calls new Api({ ...options, ...more, [REBUILD]: … })
 *     1. the same as above
 *     2. the options become writable members of the function
 *     3. the constructor returns the function itself, without a shield
 *     4. Api's field initializers run, and can overwrite members that are options
 *     5. `create` defines these members again, now read-only
 * ```
 *
 * A constructor may return another object than `this`. The fields and `#private` members of its
 * subclasses are then installed on that object.
 *
 * Field initializers run after `super()` returns. With `new Api()`, no hook runs after the
 * initializers, so only a Proxy can ignore their writes to options.
 *
 * `extend` runs the constructor again, because arrow-function fields capture `this`, and `#private`
 * members cannot be copied.
 */

export { defineMember } from '../schema/setField.js';
import { isExtra } from '../schema/sameProcessing.js';
import { listsIn } from '../schema/listsInSchema.js';
import { defineMember } from '../schema/setField.js';
import type { Made } from '../schema/identityText.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

export type Options = Readonly<Record<string | symbol, unknown>>;

// `create` adds this mark to the options. A third argument would be lost, because the constructors
// of subclasses pass on only the function and the options.
const REBUILD: unique symbol = Symbol('rebuild');

type Rebuilt = Partial<Pick<Made, 'family' | 'from'>>;

export type AnyFunction = (...args: any[]) => unknown;

interface Constructed {
  readonly $made: Made;
  fetch(...args: readonly unknown[]): unknown;
}

export const ingredientsOf = (endpoint: object): Made => (endpoint as Constructed).$made;

function defineMembers(target: object, options: Options, writable: boolean): void {
  for (const key of Reflect.ownKeys(options)) {
    const value = options[key];
    // An undefined option keeps the default, except `sideEffect: undefined`, which marks a read.
    if (value === undefined && key !== 'sideEffect' && Reflect.get(target, key) !== undefined)
      continue;
    if (key !== 'schema' || !setSchema(target, value, writable))
      defineMember(target, key, value, writable);
  }
}

/** Binds the lists of a schema to the endpoint. Returns false for a schema without lists. */
export function setSchema(target: object, schema: unknown, writable = false): boolean {
  const list = listsIn(schema).next().value;
  if (!list) return false;
  list.$define(target, schema, !writable);
  // A class field can be compiled to `this.schema = …`, which would throw without a setter.
  if (writable) Object.defineProperty(target, 'schema', { set: () => {} });
  return true;
}

/** Set by `shield.ts`, which a program with only `resource()` and `extend` does not load. */
export const shieldHook: {
  /** Returns undefined for a class of restitch, such as `RestEndpoint`: it has no public fields. */
  shield?: (target: object, options: Options) => object | undefined;
  /** Binds the lists of a schema that is a class field. */
  settle?: (endpoint: object) => void;
} = {};

export function construct(
  type: Function,
  options: Options,
  source: AnyFunction | undefined,
): object {
  const { [REBUILD]: rebuilt, ...kept } = options as Options & { readonly [REBUILD]?: Rebuilt };
  if ((typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') && !rebuilt)
    warnOptions(type, kept, source);
  // If `self` is the Proxy, only `self` has the `#private` members of subclasses.
  const target = (...args: readonly unknown[]): unknown => (self as Constructed).fetch(...args);
  // The function's own `name` and `length` would hide those of the class.
  Reflect.deleteProperty(target, 'name');
  Reflect.deleteProperty(target, 'length');
  Object.setPrototypeOf(target, type.prototype);
  const ingredients: Made = { options: kept, source, family: {}, ...rebuilt, self: target };
  Object.defineProperty(target, '$made', { value: ingredients });
  defineMembers(target, kept, rebuilt !== undefined);
  const self: object = (!rebuilt && shieldHook.shield?.(target, kept)) || target;
  ingredients.self = self;
  return self;
}

/** The options are writable until the end, so no constructor may pass `this` to other code. */
export function create(
  type: Function,
  options: Options,
  source?: AnyFunction,
  rebuilt: Rebuilt = {},
): object {
  const marked = { ...options, [REBUILD]: rebuilt };
  const built: object = Reflect.construct(type, source ? [source, marked] : [marked]);
  // A constructor of a subclass can add options, so the options are read from `built`.
  defineMembers(built, ingredientsOf(built).options, false);
  shieldHook.settle?.(built);
  return built;
}

export function rebuild(endpoint: object, more: Options, familyOfExtra?: object): object {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
    warnOptions(endpoint.constructor, more, ingredientsOf(endpoint).source);
  const { options, source, family } = ingredientsOf(endpoint);
  const isExtended = Object.keys(more).some(isExtra);
  return create(endpoint.constructor, { ...options, ...more }, source, {
    from: endpoint,
    family: isExtended ? (familyOfExtra ?? {}) : family,
  });
}
