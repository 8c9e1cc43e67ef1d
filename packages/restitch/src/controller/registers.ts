import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { allArgs } from '../schema/identity.js';
import type { Shape } from '../schema/shape.js';
import { lookupKeyReader } from '../store/query.js';
import { isObject } from '../store/record.js';
import { resultFor } from '../store/results.js';
import type { Result, Store } from '../store/state.js';

/** The register of a question to an endpoint. */
export function registerOf(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  key: string = endpoint.key(...args),
): Result {
  return resultFor(store, key, endpoint, (shape) => {
    const all = allArgs(endpoint, args);
    return isLookup(endpoint, all, shape) ? lookupKeyReader(shape, all) : () => undefined;
  });
}

const standIns = new WeakSet<object>();

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
    '~readsAlike': (other: object) => standIns.has(other),
  };
  standIns.add(calls);
  // The cast: of what stands for its calls only the key is asked for.
  return calls as unknown as E;
}

/** Whether a question was neither answered nor invalidated. */
export function isUntouched({ start }: Result): boolean {
  return start === 0;
}

/**
 * Whether the arguments of an endpoint name the very record that it answers, and say nothing else: `/users/:id` does,
 * `/projects/:id/owner` and `/users/:id?version=2` do not, though all may answer a user. An endpoint without a path is taken at
 * its schema's word.
 */
function isLookup(endpoint: EndpointInterface, args: readonly unknown[], shape: Shape): boolean {
  const { path } = endpoint;
  const { kind } = shape;
  if (kind === 'custom') {
    return shape.member.kind !== 'object' && isLookup(endpoint, args, shape.member);
  }
  if (kind === 'object') {
    const [part] = shape.fields.values();
    // Other fields are known of a response only.
    return (
      shape.isSingle &&
      part?.kind !== 'object' &&
      part !== undefined &&
      isLookup(endpoint, args, part)
    );
  }
  if (kind === 'array' || kind === 'lazy') {
    // It holds more than what can be looked up.
    return false;
  }
  const isRecord = kind === 'entity' || kind === 'union';
  const said = args.flatMap((arg) => (isObject(arg) ? Object.values(arg) : arg));
  const isKeyAlone = said.filter((value) => value !== undefined).length === 1;
  return !isRecord || path === undefined || (isKeyAlone && /[:*]("[^"]*"|[\w$]+)\}?$/.test(path));
}
