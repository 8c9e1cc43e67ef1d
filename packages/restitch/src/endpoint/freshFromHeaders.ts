import type { ConditionalEndpoint } from './conditional.js';

interface Sender {
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly $store?: object;
}

/**
 * Returns an endpoint whose responses determine how long their data is fresh: the `max-age` of
 * `Cache-Control`, minus `Age`.
 *
 * @remarks With `no-cache` or `no-store`, the data is stale as soon as its readers have received
 * it. Without these directives, `dataExpiryLength` applies. `s-maxage` and `Expires` are ignored. A
 * server at another origin must expose `Age`.
 *
 * Together with `conditional`, a 304 renews the lifetime. Apply `freshFromHeaders` last:
 * `freshFromHeaders(conditional(endpoint))`. Direct calls of the endpoint store nothing.
 *
 * @example
 * ```ts
 * import { Entity, freshFromHeaders, resource } from 'restitch';
 *
 * class Product extends Entity {
 *   id = '';
 * }
 * const Products = resource({ path: '/products/:id', schema: Product }).extend(({ getList }) => ({
 *   getList: freshFromHeaders(getList),
 * }));
 * ```
 */
export function freshFromHeaders<E extends ConditionalEndpoint>(endpoint: E): E {
  /** The lifetimes by signal. The controller identifies a request by its signal. */
  const lifetimes = new WeakMap<AbortSignal, number | undefined>();
  async function send(this: Sender, input: RequestInfo, init: RequestInit): Promise<Response> {
    const response = await endpoint.send.call(this, input, init);
    // A direct call has no `$store`. Its `signal` can be a function, which must run only once.
    const given = this.$store && this.signal;
    const signal = typeof given === 'function' ? given() : given;
    if (signal) {
      lifetimes.set(signal, lifetimeIn(response.headers));
    }
    return response;
  }
  return endpoint.extend({
    send,
    $lifetime: (signal?: AbortSignal) => signal && lifetimes.get(signal),
  }) as E;
}

/** Returns milliseconds: see https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2 */
function lifetimeIn(headers: Headers): number | undefined {
  const directives = headers.get('cache-control') ?? '';
  // A directive with names of headers (`no-cache="set-cookie"`) applies only to these headers.
  if (/(^|,)\s*no-(cache|store)\s*(,|$)/i.test(directives)) {
    return 0;
  }
  const maxAge = /(?:^|,)\s*max-age\s*=\s*"?([^",]*)/i.exec(directives)?.[1];
  if (maxAge === undefined) {
    return undefined;
  }
  // An invalid `Age` is ignored. A response with an invalid `max-age` is stale.
  return Math.max(0, secondsIn(maxAge) - secondsIn(headers.get('age'))) * 1_000;
}

function secondsIn(text: string | null): number {
  return Number(/^\s*(\d+)\s*(,|$)/.exec(text ?? '')?.[1] ?? 0);
}
