import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { joinHeaders } from '../endpoint/requestBody.js';
import { defineMember, type Options } from '../endpoint/callable.js';
import { addedPairs, prefixOf } from '../endpoint/serverText.js';
import { RestEndpoint } from '../endpoint/restEndpointClass.js';
import { extensible } from '../endpoint/shield.js';
import { armSignal } from '../endpoint/signal.js';
import { argsText, BODY, hasStandardKey, noteStandardKey } from '../endpoint/cacheKeys.js';
import { canonicalUrl } from '../endpoint/search.js';
import { noteOrigin } from '../endpoint/connectionErrors.js';
import { joinQuery, splitQuery } from '../host/url.js';
import type { AxiosEndpointConstructor } from './AxiosEndpointConstructor.js';
import { explain } from './explain.js';
import { isPlain, joinParams, namedParams } from './params.js';
import { responseOf, valueOf } from './responseOf.js';

type ArgumentConfig = Pick<AxiosRequestConfig, 'url' | 'baseURL' | 'params'>;

/** The calls in flight with the same URL, which share one config. */
interface Call {
  readonly config: ArgumentConfig;
  count: number;
}

interface Refusable {
  readonly name: string;
  readonly path?: string;
  readonly axiosConfig?: AxiosRequestConfig;
  readonly schema?: unknown;
  readonly wholeResponse?: boolean;
}

const RESPONSE_TYPES = {
  json: 'json',
  text: 'text',
  blob: 'blob',
  arrayBuffer: 'arraybuffer',
  stream: 'stream',
} as const;

/**
 * Returns a class of endpoints that send through an axios instance.
 *
 * @remarks The instance keeps its interceptors, defaults, adapter, serializers and errors. Paths,
 * cache, hooks and optimistic updates work as in `RestEndpoint`.
 *
 * The base URL of the instance is the `urlPrefix`. Cache keys and list identities contain it, so
 * instances with different base URLs share no data.
 *
 * A call resolves to the `data` of the response, or to the value that an interceptor returned
 * instead. With `wholeResponse: true`, it resolves to the whole response.
 *
 * A call rejects with the error object of the instance. The error of a canceled request has the
 * name `AbortError`, and `axios.isCancel` still returns true for it.
 *
 * @example
 * ```ts
 * import axios from 'axios';
 * import type { RestGenerics } from 'restitch';
 * import { axiosEndpoint } from 'restitch/axios';
 *
 * const api = axios.create({ baseURL: 'https://api.example.com' });
 *
 * class ApiEndpoint<O extends RestGenerics = any> extends axiosEndpoint(api)<O> {}
 *
 * const getUser = new ApiEndpoint({ path: '/users/:id' });
 * ```
 */
export function axiosEndpoint(instance: AxiosInstance): AxiosEndpointConstructor {
  class AxiosEndpoint extends RestEndpoint {
    declare readonly axiosConfig?: AxiosRequestConfig;
    declare readonly wholeResponse?: boolean;

    static {
      Object.defineProperty(this.prototype, 'urlPrefix', {
        get(this: AxiosEndpoint) {
          return basePrefix(instance, this);
        },
        // With some compiler settings, a class field is an assignment and calls this setter.
        set(this: AxiosEndpoint, value: string) {
          defineMember(this, 'urlPrefix', value, true);
        },
        configurable: true,
      });
      noteStandardKey(this.prototype);
      // Endpoints with the same parser share results, so each kind of value has its own parser.
      const parsers = new Map<string, RestEndpoint['parseResponse']>();
      Object.defineProperty(this.prototype, 'parseResponse', {
        get(this: AxiosEndpoint) {
          const kind = `${this.wholeResponse === true} ${this.axiosConfig?.responseType}`;
          const parser =
            parsers.get(kind) ??
            function (this: AxiosEndpoint, response: Response): Promise<unknown> {
              return this.#parse(response);
            };
          parsers.set(kind, parser);
          return parser;
        },
        set(this: AxiosEndpoint, value: unknown) {
          defineMember(this, 'parseResponse', value, true);
        },
        configurable: true,
      });
    }

    /** True in `$added`, which leaves out `axiosConfig.params`: `$said` adds these parameters. */
    #isAdding = false;
    /** False if a custom `url` leaves out `params`. Axios still sends them, so `key` adds them. */
    #isWritten = false;
    /** Set while `#configOf` runs. Receives the parameters that `searchToString` leaves out. */
    #params: { value?: object | undefined } | undefined;
    readonly #calls = new Map<string, Call>();

    constructor(options: Options) {
      super(options);
      refuseSchema(this);
    }

    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      // The constructor runs before the fields of a subclass are set, so they are checked here.
      refuseSchema(this);
      const url = this.#urlOf(args);
      const call = this.#calls.get(url) ?? { config: this.#configOf(args), count: 0 };
      this.#calls.set(url, call);
      call.count += 1;
      try {
        return await super.fetch(...args);
      } finally {
        call.count -= 1;
        if (call.count === 0) this.#calls.delete(url);
      }
    }

    /** An error of `url` means wrong arguments, not a failed connection. */
    #urlOf(args: readonly unknown[]): string {
      try {
        return this.url(...args);
      } catch (error) {
        noteOrigin(error, false);
        throw error;
      }
    }

    /** Returns the URL and the parameters separately, as interceptors expect. */
    #configOf(args: readonly unknown[]): ArgumentConfig {
      const params: { value?: object | undefined } = {};
      this.#params = params;
      try {
        const url = this.url(...args);
        const prefix = prefixOf(this);
        const isOwn = this.urlPrefix !== basePrefix(instance, this);
        return {
          url: url?.startsWith(prefix) ? url.slice(prefix.length) : url,
          ...(isOwn && { baseURL: this.urlPrefix }),
          ...(params.value && { params: params.value }),
        };
      } finally {
        this.#params = undefined;
      }
    }

    override searchToString(search: Readonly<Record<string, unknown>>): string {
      const { params: configured, paramsSerializer } = this.axiosConfig ?? {};
      const params = joinParams(this.#isAdding ? undefined : configured, search);
      this.#isWritten = true;
      if (this.#params) {
        this.#params.value = params;
        return '';
      }
      // The URI also contains the default parameters of the instance. A test double of an instance
      // may lack `getUri`.
      const uri = instance.getUri?.({
        baseURL: '',
        url: '/',
        ...(params && { params }),
        ...(paramsSerializer && { paramsSerializer }),
      });
      return uri?.replace(/^[^?]*\??/, '') ?? super.searchToString(search);
    }

    /** The key also contains the parameters and the body of `axiosConfig`. */
    override key(...args: readonly unknown[]): string {
      this.#isWritten = false;
      const [place = '', ...body] = super.key(...args).split(BODY);
      const query = this.#isWritten ? '' : this.searchToString({});
      const data: unknown = this.sideEffect ? undefined : this.axiosConfig?.data;
      if (data !== undefined && body.length === 0) body.push(argsText([data], false));
      const [path, ...pairs] = splitQuery(place);
      return [
        canonicalUrl(joinQuery(path, [...pairs, ...splitQuery(`?${query}`).slice(1)])),
        ...body,
      ].join(BODY);
    }

    $added(): readonly string[] {
      if (!(#isAdding in this)) return [];
      this.#isAdding = true;
      try {
        return addedPairs(this, hasStandardKey(this));
      } finally {
        this.#isAdding = false;
      }
    }

    $said(args: readonly unknown[]): readonly unknown[] {
      const configured: unknown = this.axiosConfig?.params;
      const [first, ...rest] = args;
      return configured && isPlain(first ?? {})
        ? [{ ...namedParams(configured), ...Object(first) }, ...rest]
        : args;
    }

    override async getRequestInit(body: unknown): Promise<RequestInit> {
      const init = await super.getRequestInit(undefined);
      // The cast: axios accepts bodies that `fetch` does not.
      const sent = body === undefined ? init : { ...init, body: body as BodyInit };
      // The mark `duplex` prevents a retry, because a stream can be read only once.
      return isStream(body) ? Object.assign(sent, { duplex: 'half' }) : sent;
    }

    override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
      const { axiosConfig, content, name } = this;
      const { method = this.method, body, credentials } = init;
      const url = typeof input === 'string' ? input : input?.url;
      // If a subclass changed the URL, axios must not put a base URL before it.
      const { url: path, ...config }: ArgumentConfig = this.#calls.get(url)?.config ?? {
        url,
        baseURL: '',
      };
      const headers = joinHeaders(init.headers);
      const { signal, release } = armSignal(
        // The casts: axios declares its own type for signals, which includes `AbortSignal`.
        [
          init.signal,
          axiosConfig?.signal as AbortSignal | undefined,
          instance.defaults?.signal as AbortSignal | undefined,
        ],
        undefined,
        name,
      );
      try {
        // An interceptor may serialize the config. The members therefore have the same order as
        // with `instance.get()`.
        const response: unknown = await instance.request({
          ...axiosConfig,
          ...config,
          ...(Object.keys(headers).length > 0 && {
            headers: { ...axiosConfig?.headers, ...headers } as Record<string, string>,
          }),
          ...(content && { responseType: RESPONSE_TYPES[content] }),
          ...(credentials === 'include' && { withCredentials: true }),
          ...(signal && { signal }),
          method,
          url: path,
          ...(body !== undefined && { data: body }),
        });
        return responseOf(response);
      } catch (error) {
        throw explain(error);
      } finally {
        release(content === 'stream');
      }
    }

    async #parse(response: Response): Promise<unknown> {
      const held = valueOf(response);
      if (!held) return super.parseResponse(response);
      if (this.wholeResponse) return held.whole;
      // Axios returns '' for an empty body. With a schema, '' means that there is no record.
      return held.value === '' && this.schema != null ? null : held.value;
    }
  }
  // The cast: only this type makes subclasses generic. It describes the same constructor.
  return extensible(AxiosEndpoint) as unknown as AxiosEndpointConstructor;
}

function refuseSchema({ name, schema, wholeResponse }: Refusable): void {
  if (wholeResponse && schema != null)
    throw new TypeError(
      `${name}: \`wholeResponse\` cannot be combined with a \`schema\`, which would store headers and tokens. Remove one of them. \`parseResponse\` can read the status.`,
    );
}

/** Like axios, adds a slash if the path does not begin with one. */
function basePrefix(
  { defaults }: AxiosInstance,
  { path = '', axiosConfig }: Pick<Refusable, 'path' | 'axiosConfig'>,
): string {
  const baseURL = axiosConfig?.baseURL ?? defaults?.baseURL ?? '';
  return baseURL && /^[^/{]/.test(path) ? baseURL.replace(/\/?$/, '/') : baseURL;
}

const isStream = (body: unknown): boolean =>
  ['getReader', 'pipe'].some((name) => typeof Object(body)[name] === 'function');
