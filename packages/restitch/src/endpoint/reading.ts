import { knownIngredients } from './callable.js';

/** Members that decide what is made of a response. */
const READING = [
  'content',
  'fetchResponse',
  'nullable',
  'parseResponse',
  'process',
  'send',
  'validate',
];

/** The `key` methods of the classes here. */
const standardKeys = new WeakSet<object>();

/** Notes that the `key` of an object is one of the library's own. */
export function noteStandardKey(holder: { readonly key: object }): void {
  standardKeys.add(holder.key);
}

/** Whether the `key` of an endpoint is the library's own. What one of the user's makes equal is meant to be. */
export function hasStandardKey(endpoint: object): boolean {
  // The cast: every endpoint has the method.
  return standardKeys.has(Reflect.get(endpoint, 'key') as object);
}

/**
 * Whether two endpoints with one key make the same of its response, apart from their schemas: those that do share results and
 * requests. Functions are compared by identity, since two with one text may see other values.
 */
export function readsAlike(a: object, b: object): boolean {
  return isOneSource(a, b) && READING.every((name) => partOf(a, name) === partOf(b, name));
}

/** Endpoints with a path are told apart by their URLs, those of functions by themselves. */
function isOneSource(a: object, b: object): boolean {
  if (!knownIngredients(a)?.source && !knownIngredients(b)?.source) return true;
  const isStandard = hasStandardKey(a);
  return isStandard === hasStandardKey(b) && (!isStandard || isFamily(a, b));
}

/** Whether two endpoints were made of one, and ask the same. */
const isFamily = (a: object, b: object): boolean =>
  knownIngredients(a)?.family === knownIngredients(b)?.family;

/** Whether an endpoint was made of another, or both of a third, and asks for the same whatever its URL is made of. */
export function isKin(a: object, b: object): boolean {
  return (
    isFamily(a, b) &&
    ['method', 'path', 'urlPrefix', 'service', 'scope'].every(
      (name) => Reflect.get(a, name) === Reflect.get(b, name),
    )
  );
}

/** A member; of one that the class writes as a field, which each instance has anew, the class. */
function partOf(endpoint: object, name: string): unknown {
  const { options } = knownIngredients(endpoint) ?? {};
  const isField = options && !Object.hasOwn(options, name) && Object.hasOwn(endpoint, name);
  return isField ? endpoint.constructor : Reflect.get(endpoint, name);
}
