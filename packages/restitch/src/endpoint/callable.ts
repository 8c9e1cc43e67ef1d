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
import { ownText } from '../schema/identity.js';
import { warnOptions } from './misspeltOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Options as an endpoint class is given them, before they are members. */
export type Options = Readonly<Record<string | symbol, unknown>>;

// Holds what an endpoint was made from.
const MADE_FROM: unique symbol = Symbol('made from');

// Travels as a property of the options, with the family of what is made: so it passes through constructors of users, as in `super({ schema, ...options })`.
const REBUILD: unique symbol = Symbol('rebuild');

/** Options that change neither what is asked, nor what the source gives. */
const KNOWN =
  /^(name|schema|path|urlPrefix|service|scope|method|body|sideEffect|searchParams|paginationField|signal|timeout|content|retry|nullable|dataExpiryLength|errorExpiryLength|invalidIfStale|pollFrequency|process|validate|parseResponse|key|testKey|errorPolicy|getOptimisticResponse|requestInit|~row)$/;

/** Whether an option may change what is asked: it is one of the user's own, or replaces a step of a request. */
const isExtra = (name: string): boolean => !KNOWN.test(name);

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
  /** The endpoint as its class sees it: `#private` members live on the shield, if there is one. */
  self: object;
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
export const knownIngredients: (endpoint: object) => Ingredients | undefined = ingredientsOf;

/** What an endpoint without a path is called: the name that it was given, else what stands for it and those made of it. */
export function ownName(endpoint: object): string {
  const { options, family } = ingredientsOf(endpoint);
  const name = options['name'];
  return typeof name === 'string' ? name : ownText(family);
}

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
  list['~define'](target, schema, {
    own: () => ownName(target),
    self: () => ingredients.self,
    isNews: !writable,
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
  const isSettled = (key: PropertyKey, value: unknown): boolean =>
    Object.hasOwn(options, key) || (key === 'schema' && setSchema(target, value));
  const traps: ProxyHandler<object> = {
    defineProperty: (_, key, property) =>
      isSettled(key, property.value) || Reflect.defineProperty(target, key, property),
    set: (_, key, value) => isSettled(key, value) || Reflect.set(target, key, value),
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
  const { [REBUILD]: family, ...kept } = options as Options & { readonly [REBUILD]?: object };
  if ((typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') && !family)
    warnOptions(type, kept, source);
  // `self` and not `target`: `#private` members of subclasses live on the shield. Only `fetch` is needed of it.
  const target = (...args: readonly unknown[]): unknown => (self as Constructed).fetch(...args);
  // Own `name` and `length` of the function would hide the class's members.
  Reflect.deleteProperty(target, 'name');
  Reflect.deleteProperty(target, 'length');
  Object.setPrototypeOf(target, type.prototype);
  const ingredients: Ingredients = { options: kept, source, family: family ?? {}, self: target };
  Object.defineProperty(target, MADE_FROM, { value: ingredients });
  defineMembers(target, kept, family !== undefined);
  const self: object = family || plain ? target : shield(target, kept);
  ingredients.self = self;
  return self;
}

/** Makes an endpoint without a shield, for whoever hands it out only afterwards. */
export function create(
  type: Function,
  options: Options,
  source?: AnyFunction,
  family: object = {},
): object {
  const marked = { ...options, [REBUILD]: family };
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
  const next = Object.keys(more).some(isExtra) ? same : family;
  return create(endpoint.constructor, { ...options, ...more }, source, next);
}
