import { isText, typeOf } from './content.js';
import type { ReadEndpoint } from './EndpointInterface.js';
import { headersText } from './headersText.js';
import { scopePrefix } from './cacheKeys.js';
import type { Identified } from '../schema/identityText.js';
import { sameMembers } from '../schema/sameProcessing.js';
import {
  keep,
  keptIn,
  type KeptValues,
  keyFor,
  onceStored,
  type Requested,
  STORED,
} from './valuesPerStore.js';

/** Limits the responses that `conditional` keeps for comparison. */
export interface ConditionalOptions {
  /** The maximum number of responses that are kept for comparison. Default: 100. */
  readonly max?: number | undefined;
}

/** A REST endpoint that only reads. */
export interface ConditionalEndpoint extends ReadEndpoint {
  readonly method: string;
  /** Sends the request in place of the global `fetch`. */
  send(input: RequestInfo, init: RequestInit): Promise<Response>;
}

interface Sender extends Requested, Identified {
  readonly method: string;
  readonly content?: unknown;
  readonly scope?: string;
  readonly $store?: object;
}

interface Kept {
  readonly endpoint: Sender;
  // Bytes are not kept: in React Native, `new Response(bytes)` reads each byte as a character.
  readonly text: string;
  readonly headers: Headers;
  readonly url: string;
}

/**
 * Returns an endpoint whose requests download a response only if it changed. Each request sends the
 * `ETag` or `Last-Modified` of the last response. If the server responds with 304, the stored data
 * is fresh again, and no reader is notified.
 *
 * @remarks The last responses are kept until the store is reset. A kept response is used only for a
 * request with the same URL, `scope` and headers. A header that is new in each request, such as a
 * request ID, must therefore be set in `send`.
 *
 * These responses are always downloaded:
 * - the responses to direct calls of the endpoint
 * - the responses to requests with their own `If-None-Match` or `If-Modified-Since`
 * - responses that are binary or not in UTF-8
 *
 * A server at another origin must allow the header `If-None-Match` and expose `ETag`.
 *
 * @example
 * ```ts
 * import { conditional, Entity, resource } from 'restitch';
 *
 * class Product extends Entity {
 *   id = '';
 *   name = '';
 * }
 * const Products = resource({ path: '/products/:id', schema: Product }).extend(({ getList }) => ({
 *   getList: conditional(getList),
 * }));
 * ```
 */
export function conditional<E extends ConditionalEndpoint>(
  endpoint: E,
  { max = 100 }: ConditionalOptions = {},
): E {
  const stores: KeptValues<Kept> = new WeakMap();
  async function send(this: Sender, input: RequestInfo, init: RequestInit): Promise<Response> {
    const { $store: store, method, content } = this;
    const headers = new Headers(init.headers);
    const hasValidator = VALIDATORS.some(([name]) => headers.has(name));
    const isBinary = content !== undefined && content !== 'json' && content !== 'text';
    if (!store || method !== 'GET' || isBinary || hasValidator) {
      return endpoint.send.call(this, input, init);
    }
    const responses = keptIn(stores, store);
    const url = typeof input === 'string' ? input : input.url;
    // Two users can get different responses with the same `Last-Modified`, so the key contains the
    // headers. `send` can add headers from members of the endpoint, so `keyFor` compares members.
    const text = `${scopePrefix(this)}${url} ${headersText(init)}`;
    const key = keyFor(responses, text, this, sameMembers);
    const kept = responses.get(key);
    for (const [name, validator] of VALIDATORS) {
      const value = kept?.headers.get(validator);
      if (value) {
        headers.set(name, value);
      }
    }
    const response = await endpoint.send.call(this, input, { ...init, headers });
    const isSame = kept !== undefined && response.status === 304;
    const next = isSame ? renewed(kept, response.headers) : await keptFrom(this, response);
    onceStored(this, stores, () => keep(responses, key, next, max));
    return next ? revived(next) : response;
  }
  return endpoint.extend({ send, ...STORED }) as E;
}

const VALIDATORS = [
  ['if-none-match', 'etag'],
  ['if-modified-since', 'last-modified'],
] as const;

async function keptFrom(endpoint: Sender, response: Response): Promise<Kept | undefined> {
  const { status, headers, url } = response;
  const isComparable = VALIDATORS.some(([, validator]) => headers.has(validator));
  // With `Vary: *`, the response depends on more than the request.
  const isFixed = !headers.get('vary')?.includes('*');
  const type = typeOf(response);
  // A text in another charset could not be converted back to the same bytes.
  const isUtf8 = isText(type) && !/charset=(?!"?utf-8)/.test(type);
  return status === 200 && isComparable && isFixed && isUtf8
    ? { endpoint, text: await response.text(), headers, url }
    : undefined;
}

/** A 304 replaces kept headers: https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4 */
function renewed(kept: Kept, newer: Headers): Kept {
  const headers = new Headers(kept.headers);
  headers.delete('age');
  newer.forEach((value, name) => name.startsWith('content-') || headers.set(name, value));
  return { ...kept, headers };
}

function revived({ text, headers, url }: Kept): Response {
  // Error messages need the URL, which the constructor does not set.
  return Object.defineProperty(new Response(text, { headers }), 'url', { value: url });
}
