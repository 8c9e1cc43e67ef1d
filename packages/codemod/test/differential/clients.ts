/** Both clients, sending everything to one recording server. */
import { createRequire } from 'node:module';
import type { AxiosRequestHeaders, AxiosStatic, InternalAxiosRequestConfig } from 'axios';
import * as restitch from 'restitch';
import { axiosEndpoint } from 'restitch/axios';
import type { Packages } from './evaluate.js';

// As a program would get it by `require`; an `import` of it gets the same through the interoperability of esbuild.
const axios = createRequire(import.meta.url)('axios') as AxiosStatic;

/** Stands in a URL for a value that restitch refuses, so that the refusal comes when the request is made. */
const REFUSED = '__refused__';

/** The adapter of axios: `http` is its choice in Node, `fetch` the one that gives real blobs. */
export type AdapterName = 'http' | 'fetch';

/** Settings of a run that the program does not know of. */
export interface ClientOptions {
  /** The origin of the recording server. */
  readonly origin: string;
  readonly adapter: AdapterName;
  /** Settings by which axios does as restitch does, because the difference is documented. */
  readonly alike?: {
    /** `a=1&a=2` for an array in the query. */
    readonly arrays: boolean;
    /** Text as `text/plain`, numbers, booleans and null as JSON: for bodies of which a program does not say what they are. */
    readonly bodies: boolean;
  };
}

// The text that restitch makes of a body that is no object.
function primitiveBody(data: unknown, headers: AxiosRequestHeaders): unknown {
  if (typeof data === 'object' && data !== null) return data;
  if (data === undefined || typeof data === 'function') return data;
  if (typeof data === 'string') {
    headers.setContentType('text/plain;charset=UTF-8', false);
    // Bytes, which axios does not put into quotes where the content-type is JSON.
    return Buffer.from(data);
  }
  headers.setContentType('application/json', false);
  return JSON.stringify(data);
}

/**
 * Programs name hosts such as `https://api.example.com`, or none, as on a page. All of them are the one server, which sees the
 * host as the first segment: a request to a wrong host does not go unnoticed.
 */
function redirected(url: string, origin: string): string {
  if (url.startsWith(origin)) return url;
  const [, host, rest] = /^https?:\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (host !== undefined) return `${origin}/@${host}${rest}`;
  return `${origin}/@page/${url.replace(/^\//, '')}`;
}

// Requests that have started and not settled.
const pending = new Set<Promise<unknown>>();

function watched<T>(request: Promise<T>): Promise<T> {
  const settled: Promise<unknown> = request.then(
    () => pending.delete(settled),
    () => pending.delete(settled),
  );
  pending.add(settled);
  return request;
}

/** Waits for requests without a reader: those of a list of which another one failed. */
export async function quiet(): Promise<void> {
  do {
    await Promise.all(pending);
    // Code that follows a response, or a decision not to wait, has run by then.
    await new Promise((resolve) => setImmediate(resolve));
  } while (pending.size);
}

/** An axios of its own, so that what a program does to its defaults ends with the program. */
export function freshAxios({ origin, adapter, alike }: ClientOptions): unknown {
  const send = axios.getAdapter(adapter);
  const instance = axios.create({
    ...(alike?.arrays && { paramsSerializer: { indexes: null } }),
    ...(alike?.bodies && {
      transformRequest: [primitiveBody, ...[axios.defaults.transformRequest ?? []].flat()],
    }),
    adapter: (config: InternalAxiosRequestConfig) => {
      const { baseURL, url } = config;
      if (url?.includes(REFUSED)) {
        throw Object.assign(new TypeError('A path value is empty or dots.'), {
          code: 'path-parameter',
        });
      }
      const full = axios.getUri({ ...(baseURL !== undefined && { baseURL }), url: url ?? '' });
      return watched(send({ ...config, baseURL: undefined, url: redirected(full, origin) }));
    },
  });
  const statics = Object.entries(axios).filter(([name]) => !Object.hasOwn(instance, name));
  return Object.assign(instance, Object.fromEntries(statics), { default: instance });
}

/** The modules for the program's imports. A conversion may still need axios, for calls that were left alone. */
export function packagesFor(options: ClientOptions): Packages {
  return { axios: freshAxios(options), restitch, 'restitch/axios': { axiosEndpoint } };
}

/** Lets `fetch` find the server during `run`. */
export async function withFetchTo<T>(origin: string, run: () => Promise<T>): Promise<T> {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    watched(original(typeof input === 'string' ? redirected(input, origin) : input, init));
  try {
    return await run();
  } finally {
    globalThis.fetch = original;
  }
}
