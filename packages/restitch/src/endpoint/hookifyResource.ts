import { joinHeaders } from './requestBody.js';
import type { Options } from './callable.js';
import { scopePrefix } from './cacheKeys.js';
import { warnInit } from './misspelledOptions.js';
import { hasStandardKey } from '../schema/sameProcessing.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The result of a `useInit`: the init of requests, and the scope of their user. */
export interface HookInit extends RequestInit {
  /** Part of cache keys and list identities. Separates the responses and lists of users. */
  readonly scope?: string | undefined;
}

/** Members of an init that some platforms read, in addition to those of the DOM. */
type PlatformInit = 'cf' | 'dispatcher' | 'duplex' | 'next' | 'priority' | 'reactNative' | 'window';

/** Rejects members of an init that `fetch` does not read, such as `getHeaders`. */
export type OtherMembers<I> = I extends unknown
  ? { readonly [K in Exclude<keyof I, keyof HookInit | PlatformInit>]: never }
  : never;

interface AnyEndpoint {
  readonly requestInit?: RequestInit;
  key(...args: readonly unknown[]): string;
  testKey(key: string): boolean;
  extend(options: Options): AnyEndpoint;
}

/** A hook for each endpoint of `R`: `get` becomes `useGet`. */
export type HookResource<R> = {
  readonly [
    K in keyof R & string as K extends 'extend'
      ? never
      : R[K] extends { readonly fetch: unknown }
        ? `use${Capitalize<K>}`
        : never
  ]: () => R[K];
};

interface Made {
  readonly init: Readonly<Record<string, unknown>>;
  readonly endpoint: WeakRef<AnyEndpoint>;
}

const isEqual = (a: Made['init'], b: Made['init']): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((name) => Object.is(a[name], b[name]));

function withInit(base: AnyEndpoint, { scope, ...init }: HookInit): AnyEndpoint {
  const { requestInit } = base;
  const headers = joinHeaders(requestInit?.headers, init.headers);
  const options = { requestInit: { ...requestInit, ...init, headers } };
  if (scope === undefined) return base.extend(options);
  const scoped = { ...options, scope };
  if (hasStandardKey(base)) return base.extend(scoped);
  const prefix = scopePrefix(scoped);
  return base.extend({
    ...scoped,
    key(this: AnyEndpoint, ...args: readonly unknown[]) {
      return prefix + base.key.call(this, ...args);
    },
    testKey(this: AnyEndpoint, key: string) {
      return key.startsWith(prefix) && base.testKey.call(this, key.slice(prefix.length));
    },
  });
}

function hookOf(base: AnyEndpoint, useInit: () => HookInit): () => AnyEndpoint {
  // One endpoint for each init, because components of several users can be mounted at once.
  let made: readonly Made[] = [];
  return function useEndpoint() {
    const given = useInit();
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
      warnInit(given);
    // An inline `headers` object is new in every render, so headers are compared as text.
    const init = { ...given, headers: JSON.stringify(joinHeaders(given.headers)) };
    const known = made.find((other) => isEqual(other.init, init))?.endpoint.deref();
    if (known) return known;
    const endpoint = withInit(base, given);
    made = made.filter((other) => other.endpoint.deref());
    made = [...made, { init, endpoint: new WeakRef(endpoint) }];
    return endpoint;
  };
}

/**
 * Returns an object with a hook for each endpoint of a resource. Requests use the init that
 * `useInit` returns, for example with a token from a context.
 *
 * @remarks Components call `useGet()`, `useGetList()`, … and receive an endpoint of the same type.
 * The endpoint stays the same object while the result of `useInit`, including its headers, is
 * shallowly equal. A changed token causes no refetch; the next request uses it.
 *
 * If responses depend on the user, also return a `scope`. The scope separates responses, errors and
 * lists by user. Records are not separated, so users who must not see each other's records need
 * separate controllers.
 *
 * A `getHeaders` of the class receives the headers of the init, and the headers that it returns are
 * sent. If it returns `{ ...headers, authorization }`, its own `authorization` wins. The init must
 * not contain other members, such as `getHeaders`: set them on the class or the resource.
 *
 * @param useInit A hook that can call hooks of any framework. It runs at every call of a returned
 * hook.
 *
 * @example
 * ```ts
 * import { createContext, useContext } from 'react';
 * import { Entity, hookifyResource, resource } from 'restitch';
 *
 * class Todo extends Entity {
 *   id = '';
 * }
 *
 * const Session = createContext({ token: '', user: '' });
 *
 * const TodoHooks = hookifyResource(resource({ path: '/todos/:id', schema: Todo }), function useInit() {
 *   const { token, user } = useContext(Session);
 *   return { headers: { authorization: `Bearer ${token}` }, scope: user };
 * });
 *
 * // In a component: const todo = useSuspense(TodoHooks.useGet(), { id });
 * ```
 */
export function hookifyResource<R extends object, I extends object = HookInit>(
  resource: R,
  useInit: () => I & HookInit & OtherMembers<I>,
): HookResource<R> {
  const hooks = Object.entries(resource).flatMap(([name, member]) =>
    // `extend` is also a function, but not an endpoint.
    typeof member?.fetch === 'function'
      ? [[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`, hookOf(member, useInit)]]
      : [],
  );
  // The cast: the names derive from those of `R`, which only the compiler knows.
  return Object.fromEntries(hooks) as HookResource<R>;
}
