import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs, type Identified } from '../schema/identity.js';
import type { Shape } from '../schema/shapes.js';
import { lookupKeyReader, queryKey } from '../store/views/queries.js';
import { isObject } from '../store/cells/plainValues.js';
import { commit } from '../store/journal/commit.js';
import { forgetError, resultFor } from '../store/cells/results.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Flight } from './Flight.js';

/** The register of a question to an endpoint. */
export function registerOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string = endpoint.key(...args),
): Result {
  return resultFor(store, key, endpoint, (shape) => {
    const all = allArgs(endpoint, args);
    return isLookup(endpoint, all, shape, key) ? lookupKeyReader(shape, all) : () => undefined;
  });
}

/**
 * What the errors of an endpoint are registered for: of a read itself. Of a mutation nothing else is registered, and all that
 * make the same call share one register, whatever they make of a response.
 */
export function errorsOf<E extends EndpointInterface>(endpoint: E): E {
  if (!endpoint.sideEffect) {
    return endpoint;
  }
  const calls = {
    name: endpoint.name,
    sideEffect: true,
    key: (...args: readonly unknown[]) => endpoint.key(...args),
    '~readsAlike': isCalls,
  };
  // The cast: of what stands for its calls only the key is asked for.
  return calls as unknown as E;
}

/** Whether an endpoint stands for the calls of a mutation. */
function isCalls(other: Identified): boolean {
  return other['~readsAlike'] === isCalls;
}

/** A mutation is repeated, or has succeeded: its earlier failure is past. */
export function forgetFailure({ store, endpoint, args, key, result, transaction }: Flight): void {
  if (!result && transaction && store.results.has(key)) {
    commit(store, () =>
      forgetError(store, registerOf(store, errorsOf(endpoint), args, key), transaction.start),
    );
  }
}

/** Whether a question was neither answered nor invalidated. */
export function isUntouched({ start }: Result): boolean {
  return start === 0;
}

/**
 * Whether the arguments of an endpoint name the very record that it answers, and say nothing else: `/users/:id` does,
 * `/projects/:id/owner` and `/users/:id?version=2` do not, though all may answer a user. Without a path the schema's word for what
 * the arguments name is taken.
 */
function isLookup(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  shape: Shape,
  key: string,
): boolean {
  const { kind } = shape;
  if (kind === 'custom' || kind === 'object') {
    // Other fields of an object are known of a response only.
    const part = kind === 'custom' ? shape.member : shape.isSingle && [...shape.fields.values()][0];
    return part && part.kind !== 'object' ? isLookup(endpoint, args, part, key) : false;
  }
  if (kind === 'entity' || kind === 'union') {
    const { path = '/:key' } = endpoint;
    return (
      /[:*]("[^"]*"|[\w$]+)\}?$/.test(path) &&
      namesAlone(shape, args) &&
      (endpoint['~asksByPath']?.(key, args) ?? true)
    );
  }
  // An array and keys hold more than what can be looked up.
  return kind !== 'array' && kind !== 'lazy';
}

/** Whether arguments say nothing but which record is meant: without any one of them they name another one, or none. */
function namesAlone(shape: Shape, args: readonly unknown[]): boolean {
  const named = queryKey(shape, args);
  const isNeeded = (fields: object, name: string): boolean =>
    queryKey(shape, [{ ...fields, [name]: undefined }]) !== named;
  return args.every(
    (arg, index) =>
      arg === undefined ||
      (index === 0 &&
        (!isObject(arg) ||
          Object.keys(arg).every((name) => arg[name] === undefined || isNeeded(arg, name)))),
  );
}
