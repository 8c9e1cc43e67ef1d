import { hasStandardKey, noteStandardKey } from '../schema/sameProcessing.js';
import { strayHook } from '../schema/tooManyEndpointsHook.js';
import { type Made, ownName } from '../schema/identityText.js';
import { type AnyFunction, ingredientsOf } from './callable.js';
import { Endpoint } from './endpointClass.js';
import { argsText, scopePrefix } from './cacheKeys.js';
import { extensible } from './shield.js';
import { detector } from './tooManyEndpoints.js';

const methods = {
  get name(): string {
    // The cast: `construct` sets `$made` on every endpoint; the prototype lacks it.
    const made = Reflect.get(this, '$made') as Made | undefined;
    return made?.source?.name ?? '';
  },

  get $functions(): object | undefined {
    // `RestEndpoint` inherits this getter, but has no source.
    const { source, family } = ingredientsOf(this);
    return source && hasStandardKey(this) ? family : undefined;
  },

  fetch(...args: readonly unknown[]): Promise<unknown> {
    // The cast: the constructor's type requires a function that returns a promise.
    return Reflect.apply(ingredientsOf(this).source as AnyFunction, this, args) as Promise<unknown>;
  },

  key(...args: readonly unknown[]): string {
    return keyPrefix(this) + argsText(args, Reflect.get(this, 'sideEffect') === true);
  },

  testKey(key: string): boolean {
    return key.startsWith(`${keyPrefix(this)}[`);
  },
};

export function withFunctions(): typeof Endpoint {
  const { prototype } = Endpoint;
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
    Object.defineProperty(prototype, name, { ...member, enumerable: false });
  }
  noteStandardKey(prototype);
  strayHook.detector = detector;
  return extensible(Endpoint);
}

function keyPrefix(endpoint: object): string {
  return `${scopePrefix(endpoint)}${ownName(ingredientsOf(endpoint))} `;
}
