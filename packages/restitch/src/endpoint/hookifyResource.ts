import { joinHeaders } from './body.js';
import type { Options } from './callable.js';
import { scopePrefix } from './keys.js';
import { warnInit } from './misspeltOptions.js';
import { hasStandardKey } from './reading.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What a `useInit` gives: the init of requests, and whose they are. */
export interface HookInit extends RequestInit {
  /** Becomes part of the keys, and of which lists are meant: two users never share a response or a list. */
  readonly scope?: string | undefined;
}

// What is asked of an endpoint here.
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

/** Makes the function that gives `base` with what `useInit` returns, the same object for an equal init. */
function hookOf(base: AnyEndpoint, useInit: () => HookInit): () => AnyEndpoint {
  // Several users may be on the screen at once, so the last one is not enough. Whom nobody holds any more may be made again.
  let made: readonly Made[] = [];
  return function useEndpoint() {
    const given = useInit();
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
      warnInit(given);
    // Written in place, headers are a new object in every render.
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
 * Makes a hook for each endpoint of a resource, whose requests carry what another hook gives: a token from a context, for
 * example.
 *
 * @remarks Components call `useGet()`, `useGetList()`, … and get an endpoint of the same type. It is the same object as long
 * as what `useInit` returns is shallowly equal, its headers included. A changed token does not refetch: it is used from the
 * next request on. Return a `scope` too where the answers depend on who asks. Answers, their errors and lists are then kept
 * apart; records are still those of the whole store, so users who must not see each other's records need a controller each.
 *
 * @param useInit May use hooks of any framework; it runs whenever one of the hooks is called.
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
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => HookInit,
): HookResource<R> {
  const hooks = Object.entries(resource).flatMap(([name, member]) =>
    // `extend` is a function too, but no endpoint.
    typeof member?.fetch === 'function'
      ? [[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`, hookOf(member, useInit)]]
      : [],
  );
  // The names follow from those of `R`, which only the compiler knows.
  return Object.fromEntries(hooks) as HookResource<R>;
}
