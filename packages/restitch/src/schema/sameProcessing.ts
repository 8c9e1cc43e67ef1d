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

/** Built-in options that do not change the data that a function endpoint fetches. */
const KNOWN =
  /^(name|schema|path|urlPrefix|service|scope|method|body|sideEffect|searchParams|pagination(Field)?|signal|timeout|content|retry|networkMode|nullable|(data|error)ExpiryLength|invalidIfStale|pollFrequency|process|validate|parseResponse|key|testKey|errorPolicy|getOptimisticResponse|requestInit|\$(page|row|store|isPoll|repeated))$/;

/** True for custom options, such as `tenant`, and for replaced methods, such as `send` or `url`. */
export const isExtra = (name: string): boolean => !KNOWN.test(name);

export function noteStandardKey(holder: { readonly key: object }): void {
  Object.assign(holder.key, { $isStandard: true });
}

/** False for a custom `key` method, which alone decides which endpoints share a result. */
export function hasStandardKey(endpoint: object): boolean {
  // The cast: every endpoint has this method.
  return '$isStandard' in (Reflect.get(endpoint, 'key') as object);
}

/** Functions are compared by identity: equal source text can capture different values. */
export function readsAlike(a: Identified, b: Identified): boolean {
  return (
    a.$isErrors === b.$isErrors &&
    // Endpoints without `$made` are not built in: only their cache keys distinguish them.
    (!a.$made ||
      (a.$functions === b.$functions &&
        READING.every((name) => partOf(a, name) === partOf(b, name)) &&
        (customSteps(a).length === 0 || sameMembers(a, b))))
  );
}

export function customSteps(endpoint: Identified): readonly string[] {
  const builtIn = builtInMethods(endpoint);
  return READING.filter((name) => Reflect.get(endpoint, name) !== Reflect.get(builtIn, name));
}

/** Returns `{}` for a function endpoint: all its steps are custom, because it has no `$base`. */
function builtInMethods(endpoint: Identified): object {
  return Object(Reflect.get(endpoint, '$base')) as object;
}

/** Custom methods can read custom options, and the fields and helper methods of the class. */
export function sameMembers(a: Identified, b: Identified): boolean {
  const builtIn = builtInMethods(a);
  return (
    a.constructor === b.constructor &&
    Object.keys({ ...a.$made?.options, ...b.$made?.options }).every(
      (name) => !isExtra(name) || name in builtIn || Reflect.get(a, name) === Reflect.get(b, name),
    )
  );
}

/** See `Identified.$isKin`. */
export function isKin(a: Identified, b: Identified): boolean {
  return (
    a.$made?.family === b.$made?.family &&
    ['method', 'path', 'urlPrefix', 'service', 'scope'].every((name) => {
      const own: unknown = Reflect.get(a, name);
      return own === Reflect.get(b, name) || (name === 'scope' && own === undefined);
    })
  );
}

const LOCAL =
  /^(signal|errorPolicy|(data|error)ExpiryLength|invalidIfStale|pollFrequency|\$(store|queue|repeated))$/;

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

/** A class field is a new function in each instance, so the class is compared instead. */
function partOf(endpoint: Identified, name: string): unknown {
  const { options } = endpoint.$made ?? {};
  const isField = options && !Object.hasOwn(options, name) && Object.hasOwn(endpoint, name);
  return isField ? endpoint.constructor : Reflect.get(endpoint, name);
}
