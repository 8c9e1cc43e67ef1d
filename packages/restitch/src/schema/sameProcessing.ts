import type { Identified } from './identityText.js';

/** Members that determine how a response is processed. */
const READING = [
  'content',
  'fetchResponse',
  'nullable',
  'parseResponse',
  'process',
  'send',
  'validate',
];

/** Options that change neither the request of a function endpoint nor the result of its source. */
const KNOWN =
  /^(name|schema|path|urlPrefix|service|scope|method|body|sideEffect|searchParams|pagination(Field)?|signal|timeout|content|retry|networkMode|nullable|(data|error)ExpiryLength|invalidIfStale|pollFrequency|process|validate|parseResponse|key|testKey|errorPolicy|getOptimisticResponse|requestInit|\$row|\$store)$/;

/**
 * True for options that can change the request: custom options, and options that replace a step of
 * a request.
 */
export const isExtra = (name: string): boolean => !KNOWN.test(name);

const standardKeys = new WeakSet<object>();

export function noteStandardKey(holder: { readonly key: object }): void {
  standardKeys.add(holder.key);
}

/** Custom `key` methods with equal keys share a result on purpose. */
export function hasStandardKey(endpoint: object): boolean {
  // The cast: every endpoint has this method.
  return standardKeys.has(Reflect.get(endpoint, 'key') as object);
}

/**
 * Returns true if two endpoints with equal keys can share results and requests: they process
 * responses in the same way, apart from their schemas. Functions are compared by identity, because
 * functions with equal source text can capture different values.
 */
export function readsAlike(a: Identified, b: Identified): boolean {
  return (
    a.$isErrors === b.$isErrors &&
    // Only their cache keys distinguish custom endpoints.
    (!a.$made ||
      (isOneSource(a, b) &&
        READING.every((name) => partOf(a, name) === partOf(b, name)) &&
        (customSteps(a).length === 0 || sameMembers(a, b))))
  );
}

/** Returns the members in `READING` that the endpoint or its class replaces. */
export function customSteps(endpoint: Identified): readonly string[] {
  const builtIn = builtInMethods(endpoint);
  return READING.filter((name) => Reflect.get(endpoint, name) !== Reflect.get(builtIn, name));
}

/** Returns the built-in class's methods; an empty object for function endpoints. */
function builtInMethods(endpoint: Identified): object {
  return Object(Reflect.get(endpoint, '$base')) as object;
}

/**
 * Compares the members that custom methods can read, as in `german.extend({ lang: 'en' })`. The
 * class counts as a whole: it can have fields, getters and helper methods. Built-in steps of a
 * request, such as `getHeaders`, do not count.
 */
export function sameMembers(a: Identified, b: Identified): boolean {
  const builtIn = builtInMethods(a);
  return (
    a.constructor === b.constructor &&
    Object.keys({ ...a.$made?.options, ...b.$made?.options }).every(
      (name) => !isExtra(name) || name in builtIn || Reflect.get(a, name) === Reflect.get(b, name),
    )
  );
}

/** Endpoints with a path are identified by their URLs, function endpoints by their family. */
function isOneSource(a: Identified, b: Identified): boolean {
  if (!a.$made?.source && !b.$made?.source) return true;
  const isStandard = hasStandardKey(a);
  return isStandard === hasStandardKey(b) && (!isStandard || isFamily(a, b));
}

/** Returns true if `extend` made both endpoints from one, without a change of the request. */
const isFamily = (a: Identified, b: Identified): boolean => a.$made?.family === b.$made?.family;

/**
 * Returns true if two endpoints of one family have the same method, path, server and scope. If `a`
 * has no scope, `b` may have any scope.
 */
export function isKin(a: Identified, b: Identified): boolean {
  return (
    isFamily(a, b) &&
    ['method', 'path', 'urlPrefix', 'service', 'scope'].every((name) => {
      const own: unknown = Reflect.get(a, name);
      return own === Reflect.get(b, name) || (name === 'scope' && own === undefined);
    })
  );
}

const LOCAL =
  /^(signal|errorPolicy|(data|error)ExpiryLength|invalidIfStale|pollFrequency|\$store|\$queue)$/;

/**
 * Returns true if equal calls of two endpoints send equal requests. Their class, function and
 * options must be the same. Options in `apart` are not compared.
 */
export function sendsAlike(a: Identified, b: Identified, apart: readonly string[] = []): boolean {
  const { $made: one } = a;
  const { $made: other } = b;
  return (
    one !== undefined &&
    other !== undefined &&
    one.source === other.source &&
    a.constructor === b.constructor &&
    Object.keys({ ...one.options, ...other.options }).every(
      (name) =>
        LOCAL.test(name) || apart.includes(name) || one.options[name] === other.options[name],
    )
  );
}

/**
 * Returns a member for comparison. A class field has a new value in each instance, so the class
 * stands for it.
 */
function partOf(endpoint: Identified, name: string): unknown {
  const { options } = endpoint.$made ?? {};
  const isField = options && !Object.hasOwn(options, name) && Object.hasOwn(endpoint, name);
  return isField ? endpoint.constructor : Reflect.get(endpoint, name);
}
