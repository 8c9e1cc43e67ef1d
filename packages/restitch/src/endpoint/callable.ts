/**
 * How a class makes objects that can be called.
 *
 * ```text
 *   new Api(options)                                 endpoint.extend(more)
 *        |                                                 |
 *   Endpoint's constructor returns a function,        new Api({ ...options, ...more, [REBUILD] })
 *   whose prototype is Api.prototype                       |
 *        |                                            the same, but without a shield: initializers may
 *        |  options become read-only members          overwrite members that are options ...
 *        v                                                 |
 *   shield: a Proxy around the function                    v
 *        |                                            ... so they are defined once more, read-only,
 *   Api's field initializers run now. Writes to       and the result is a plain function
 *   option names are swallowed: options win
 *        |
 *   the shield lifts with the first call, the first look at a property descriptor, or the end of the current job;
 *   from then on the Proxy has no traps
 * ```
 *
 * A constructor may return another object than `this`, and the class's fields and `#private` members are then installed on
 * that one. It needs no `Function()`, hence works under a policy without `unsafe-eval`. Field initializers run after
 * `super()` returns and nothing runs after them: only an object that absorbs their writes lets an option win at once. An
 * endpoint made by `extend` has nobody who could see it before it is put right, so it is spared the Proxy. Its constructor
 * runs again, since arrow-function fields capture `this` and `#private` members cannot be copied.
 */

import { listsIn } from '../schema/lists.js';
import { isExtra, MOVING } from './home.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Options as an endpoint class is given them, before they are members. */
export type Options = Readonly<Record<string | symbol, unknown>>;

// Holds what an endpoint was made from.
const MADE_FROM: unique symbol = Symbol('made from');

// Travels as a property of the options: so it passes through constructors of users, as in `super({ schema, ...options })`.
const REBUILD: unique symbol = Symbol('rebuild');

/** What `extend` tells the constructor. */
interface Rebuilding {
  /** Of the endpoint that is extended, where the new one asks the same. */
  readonly family: object | undefined;
  /** Whether lists may stand elsewhere than there. */
  readonly mayMove: boolean;
}

/** Options that change neither what is asked, nor what the source gives. */
const NEUTRAL =
  /^(process|validate|parseResponse|key|testKey|errorPolicy|getOptimisticResponse|requestInit|~row)$/;

/** Any function, about whose parameters nothing is known here. */
export type AnyFunction = (...args: any[]) => unknown;

/** What an endpoint was made from. */
export interface Ingredients {
  /** As the base constructor saw them, those included that are not members. */
  readonly options: Options;
  /** The function of an `Endpoint`. */
  readonly source: AnyFunction | undefined;
  /** Shared with the endpoints that `extend` makes, unless they may ask something else: identifies one without a path. */
  readonly family: object;
  /** Whether its lists may stand elsewhere than those of the endpoint that it was made of. */
  readonly mayMove: boolean;
  /** The endpoint as its class sees it: `#private` members live on the shield, if there is one. */
  self: object | undefined;
}

// What `construct` makes.
interface Constructed {
  readonly [MADE_FROM]: Ingredients;
  fetch(...args: readonly unknown[]): unknown;
}

/** What an endpoint was made from. */
// Every endpoint came out of `construct`.
export const ingredientsOf = (endpoint: object): Ingredients =>
  (endpoint as Constructed)[MADE_FROM];

/** As `ingredientsOf`, for what may be an endpoint of the user's own making. */
export const knownIngredients = (endpoint: object): Ingredients | undefined =>
  (endpoint as Partial<Constructed>)[MADE_FROM];

/** Defines one member. Assignment would fail where the class has a getter of that name, and `Function.prototype` has `name`. */
export function defineMember(
  target: object,
  key: PropertyKey,
  value: unknown,
  writable: boolean,
): void {
  Object.defineProperty(target, key, {
    value,
    writable,
    enumerable: true,
    configurable: true,
  });
}

function defineMembers(target: object, options: Options, writable: boolean): void {
  for (const key of Reflect.ownKeys(options)) {
    const value = options[key];
    // An absent setting passed on as undefined leaves methods and defaults alone; `sideEffect: undefined` says something.
    if (value === undefined && key !== 'sideEffect' && Reflect.get(target, key) !== undefined)
      continue;
    if (key !== 'schema' || !setSchema(target, value, writable))
      defineMember(target, key, value, writable);
  }
}

/** Defines a schema with lists, which are bound to where the endpoint stands; false for any other. */
function setSchema(target: object, schema: unknown, writable = false): boolean {
  const list = listsIn(schema).next().value;
  if (!list) return false;
  const ingredients = ingredientsOf(target);
  const { options, family, mayMove } = ingredients;
  const name = options['name'];
  list['~define'](target, schema, {
    own: () => (typeof name === 'string' ? name : family),
    self: () => ingredients.self ?? target,
    isNews: mayMove,
    isExtra,
  });
  // A field of the class that is compiled to an assignment: the option goes over it.
  if (writable) Object.defineProperty(target, 'schema', { set: () => {} });
  return true;
}

function shield(target: object, options: Options): object {
  const lift = (): void => {
    for (const trap of Object.keys(traps)) Reflect.deleteProperty(traps, trap);
  };
  const traps: ProxyHandler<object> = {
    defineProperty: (_, key, descriptor) =>
      Object.hasOwn(options, key) ||
      (key === 'schema' && setSchema(target, descriptor.value)) ||
      Reflect.defineProperty(target, key, descriptor),
    set: (_, key, value) =>
      Object.hasOwn(options, key) ||
      (key === 'schema' && setSchema(target, value)) ||
      Reflect.set(target, key, value),
    getOwnPropertyDescriptor(_, key) {
      lift();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    apply(_, self, args) {
      lift();
      // The shielded object is always the function made by `construct`.
      return Reflect.apply(target as () => unknown, self, args);
    },
  };
  queueMicrotask(lift);
  return new Proxy(target, traps);
}

/**
 * Makes the object that a constructor returns.
 *
 * @param type The class under construction.
 * @param options Become members, read-only from the end of the construction on.
 * @param source The function to call, for an `Endpoint` made from one.
 * @param plain Whether the class has no public fields which could shadow an option, so that it needs no shield.
 */
export function construct(
  type: Function,
  options: Options,
  source: AnyFunction | undefined,
  plain: boolean,
): object {
  const { [REBUILD]: rebuilding, ...kept } = options as Options & {
    readonly [REBUILD]?: Rebuilding;
  };
  if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    !rebuilding
  )
    warnOptions(type, kept, source);
  // `self` and not `target`: `#private` members of subclasses live on the shield. Only `fetch` is needed of it.
  const target = (...args: readonly unknown[]): unknown => (self as Constructed).fetch(...args);
  // Own `name` and `length` of the function would hide the class's members.
  Reflect.deleteProperty(target, 'name');
  Reflect.deleteProperty(target, 'length');
  Object.setPrototypeOf(target, type.prototype);
  const { family = {}, mayMove = true } = rebuilding ?? {};
  const ingredients: Ingredients = { options: kept, source, family, mayMove, self: undefined };
  Object.defineProperty(target, MADE_FROM, { value: ingredients });
  defineMembers(target, kept, rebuilding !== undefined);
  const self: object = rebuilding || plain ? target : shield(target, kept);
  ingredients.self = self;
  return self;
}

/** Makes an endpoint without a shield, for whoever hands it out only afterwards. */
export function create(
  type: Function,
  options: Options,
  source?: AnyFunction,
  rebuilding: Rebuilding = { family: undefined, mayMove: true },
): object {
  const marked = { ...options, [REBUILD]: rebuilding };
  const built: object = Reflect.construct(type, source ? [source, marked] : [marked]);
  // As the base constructor saw them: constructors of users may have added defaults.
  defineMembers(built, ingredientsOf(built).options, false);
  const field = Object.getOwnPropertyDescriptor(built, 'schema');
  if (field && 'value' in field) setSchema(built, field.value);
  return built;
}

/** Makes an endpoint of the same class with further options, `same` where they keep its identity; the original is untouched. */
export function rebuild(endpoint: object, more: Options, same?: object): object {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
    warnOptions(endpoint.constructor, more, ingredientsOf(endpoint).source);
  const { options, source, family } = ingredientsOf(endpoint);
  const names = Object.keys(more);
  return create(endpoint.constructor, { ...options, ...more }, source, {
    family: names.some((name) => isExtra(name) && !NEUTRAL.test(name)) ? same : family,
    mayMove: names.some((name) => MOVING.test(name)),
  });
}
