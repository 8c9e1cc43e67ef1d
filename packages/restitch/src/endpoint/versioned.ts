import { ConflictError } from '../errors/ConflictError.js';
import { NetworkError } from '../errors/NetworkError.js';
import type { EndpointInterface } from './EndpointInterface.js';
import { scopePrefix } from './cacheKeys.js';
import {
  keep,
  keptIn,
  type KeptValues,
  onceStored,
  type Requested,
  STORED,
} from './valuesPerStore.js';

/** A REST endpoint that reads or changes a record. */
export interface VersionedEndpoint extends EndpointInterface {
  readonly method: string;
  /** Sends the request in place of the global `fetch`. */
  send(input: RequestInfo, init: RequestInit): Promise<Response>;
}

interface Sender extends Requested {
  readonly method: string;
  readonly scope?: string;
  readonly $store?: object;
}

/** The maximum number of versions per controller. */
const MOST = 10_000;

interface Version {
  /** Undefined after a change whose response had no strong `ETag`. */
  readonly etag: string | undefined;
  /** When the read was sent, or the change ended. An earlier read can be older than the change. */
  readonly at: number;
}

/** By scope and URL. */
const versions: KeptValues<Version> = new WeakMap();

let clock = 0;

/**
 * Returns an endpoint whose changes are rejected if another client has changed the record
 * meanwhile. Reads keep the `ETag` of their response. `PUT`, `PATCH` and `DELETE` send this `ETag`
 * as `If-Match`. If the server responds with 412, they reject with a `ConflictError`.
 *
 * @remarks Wrap both the reads and the changes of a record. They must have the same URL. A change
 * sends the version of the last response for its URL, from a read or another change. After a
 * conflict, read the record again before the next change. Overlapping changes of one record
 * conflict with each other, so make them `serial` or `coalesced`.
 *
 * A change is sent unchecked if the last response for its URL had no strong `ETag` (`W/"1"` is
 * weak). After a change without one, the next version comes from a read that is sent later. Direct
 * calls are also unchecked. The 10,000 most recently used versions are kept. Scopes have separate
 * versions. A server at another origin must allow `If-Match` and expose `ETag`.
 *
 * @example
 * ```ts
 * import { coalesced, Entity, resource, versioned } from 'restitch';
 *
 * class Page extends Entity {
 *   id = '';
 *   text = '';
 * }
 * const Pages = resource({ path: '/pages/:id', schema: Page }).extend((base) => ({
 *   get: versioned(base.get),
 *   partialUpdate: coalesced(versioned(base.partialUpdate)),
 * }));
 * ```
 */
export function versioned<E extends VersionedEndpoint>(endpoint: E): E {
  async function send(this: Sender, input: RequestInfo, init: RequestInit): Promise<Response> {
    const { $store: store, method } = this;
    if (!store) {
      return endpoint.send.call(this, input, init);
    }
    const known = keptIn(versions, store);
    const url = typeof input === 'string' ? input : input.url;
    // No headers in the key: after a change of the login token, the version is still needed.
    const key = scopePrefix(this) + url;
    const used = known.get(key);
    keep(known, key, used, MOST);
    const headers = new Headers(init.headers);
    if (used?.etag && /^(PUT|PATCH|DELETE)$/.test(method) && !headers.has('if-match')) {
      headers.set('if-match', used.etag);
    }
    const began = (clock += 1);
    const response = await endpoint.send.call(this, input, { ...init, headers });
    const etag = strong(response.headers.get('etag'));
    // If the body cannot be read, the stored record stays old. Its version must then stay old too.
    onceStored(this, versions, () => {
      const last = known.get(key);
      if (method !== 'GET') {
        // A read during the change may have received another version: the one after the change.
        const isOther = used?.etag && last && last.at > began && last.etag !== used.etag;
        const after = etag ?? (isOther ? last.etag : undefined);
        keep(known, key, { etag: after, at: (clock += 1) }, MOST);
      } else if (last ? last.at < began : etag) {
        keep(known, key, { etag, at: began }, MOST);
      }
    });
    return response;
  }
  async function fetch(this: Sender, ...args: readonly unknown[]): Promise<unknown> {
    try {
      return await endpoint.fetch.apply(this, [...args]);
    } catch (error) {
      throw error instanceof NetworkError && error.status === 412
        ? new ConflictError(error, this.method === 'DELETE' ? undefined : args.at(-1))
        : error;
    }
  }
  return endpoint.extend({ send, fetch, ...STORED }) as E;
}

/** A weak validator never matches, so it is not kept. */
function strong(etag: string | null): string | undefined {
  return etag?.startsWith('"') ? etag : undefined;
}
