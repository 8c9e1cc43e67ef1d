import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { joinHeaders } from '../endpoint/body.js';
import { defineMember, type Options } from '../endpoint/callable.js';
import { addedPairs, prefixOf } from '../endpoint/home.js';
import { RestEndpoint } from '../endpoint/restEndpointClass.js';
import { extensible } from '../endpoint/shield.js';
import { armSignal } from '../endpoint/signal.js';
import { argsText, BODY, hasStandardKey, noteStandardKey } from '../endpoint/keys.js';
import { canonicalUrl } from '../endpoint/search.js';
import { noteOrigin } from '../endpoint/transport.js';
import { joinQuery, splitQuery } from '../host/url.js';
import type { AxiosEndpointConstructor } from './AxiosEndpointConstructor.js';
import { explain } from './explain.js';
import { isPlain, joinParams, namedParams } from './params.js';
import { responseOf, valueOf } from './responseOf.js';

/** The part of a request config that depends on the arguments. */
type Asked = Pick<AxiosRequestConfig, 'url' | 'baseURL' | 'params'>;

/** The calls in flight with the same URL, which share one config. */
interface Call {
  readonly asked: Asked;
  count: number;
}

/** The members of an endpoint that `refuseSchema` checks. */
interface Refusable {
  readonly name: string;
  readonly path?: string;
  readonly axiosConfig?: AxiosRequestConfig;
  readonly schema?: unknown;
  readonly wholeResponse?: boolean;
}

/** The response types of axios by `content`. */
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
 * The base URL of the instance is the `urlPrefix`. Cache keys and lists contain it, so instances
 * with different base URLs share no data. The option `axiosConfig` holds options of axios itself:
 * progress callbacks, an adapter, custom options.
 *
 * A call resolves to the `data` of the response, or to the value that an interceptor returned
 * instead. With `wholeResponse: true`, which excludes a `schema`, it resolves to the value of the
 * instance, with status and headers. Errors are the objects that the instance rejects with. The
 * error of a canceled request has the name `AbortError`, and `axios.isCancel` still returns true
 * for it.
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
        // A class field may be compiled to an assignment.
        set(this: AxiosEndpoint, value: string) {
          defineMember(this, 'urlPrefix', value, true);
        },
        configurable: true,
      });
      noteStandardKey(this.prototype);
      // Endpoints share results where they have one parser. Two that take other things of one
      // response have two.
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

    /**
     * Set while a home is asked for, which the parameters of `axiosConfig` do not change: they are
     * arguments.
     */
    #isHome = false;
    /**
     * True if the latest URL holds the parameters. An overridden `url` may leave them to the
     * instance.
     */
    #isWritten = false;
    /** Filled by `searchToString` while the URL is taken apart. */
    #params: { value?: object | undefined } | undefined;
    readonly #calls = new Map<string, Call>();

    constructor(options: Options) {
      super(options);
      refuseSchema(this);
    }

    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      // The constructor runs before the fields of a subclass are set.
      refuseSchema(this);
      const url = this.#urlOf(args);
      const call = this.#calls.get(url) ?? { asked: this.#ask(args), count: 0 };
      this.#calls.set(url, call);
      call.count += 1;
      try {
        return await super.fetch(...args);
      } finally {
        call.count -= 1;
        if (call.count === 0) this.#calls.delete(url);
      }
    }

    /** Returns the URL. An error for wrong arguments must not count as a failed connection. */
    #urlOf(args: readonly unknown[]): string {
      try {
        return this.url(...args);
      } catch (error) {
        noteOrigin(error, false);
        throw error;
      }
    }

    /** Returns the URL and the parameters separately, because interceptors expect them so. */
    #ask(args: readonly unknown[]): Asked {
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
      const params = joinParams(this.#isHome ? undefined : configured, search);
      this.#isWritten = true;
      if (this.#params) {
        this.#params.value = params;
        return '';
      }
      // With the parameters that the instance adds to all.
      // A double of an instance, in a test, may have no more than its methods.
      const uri = instance.getUri?.({
        baseURL: '',
        url: '/',
        ...(params && { params }),
        ...(paramsSerializer && { paramsSerializer }),
      });
      return uri?.replace(/^[^?]*\??/, '') ?? super.searchToString(search);
    }

    /** The key also contains the parameters and the body that `axiosConfig` returns. */
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

    '~added'(): readonly string[] {
      if (!(#isHome in this)) return [];
      this.#isHome = true;
      try {
        return addedPairs(this, hasStandardKey(this));
      } finally {
        this.#isHome = false;
      }
    }

    '~said'(args: readonly unknown[]): readonly unknown[] {
      const configured: unknown = this.axiosConfig?.params;
      const [first, ...rest] = args;
      return configured && isPlain(first ?? {})
        ? [{ ...namedParams(configured), ...Object(first) }, ...rest]
        : args;
    }

    /** The body is not encoded here, because the instance encodes it. */
    override async getRequestInit(body: unknown): Promise<RequestInit> {
      const init = await super.getRequestInit(undefined);
      // The cast: axios accepts bodies that `fetch` does not.
      const sent = body === undefined ? init : { ...init, body: body as BodyInit };
      // Marks a body that can be read only once, so that the request is never retried.
      return isStream(body) ? Object.assign(sent, { duplex: 'half' }) : sent;
    }

    override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
      const { axiosConfig, content, name } = this;
      const { method = this.method, body, credentials } = init;
      const url = typeof input === 'string' ? input : input?.url;
      // A URL that a subclass changed is whole.
      const { url: path, ...asked }: Asked = this.#calls.get(url)?.asked ?? { url, baseURL: '' };
      const headers = joinHeaders(init.headers);
      const { signal, release } = armSignal(
        // The casts: axios declares a signal of its own, of which `AbortSignal` is one.
        [
          init.signal,
          axiosConfig?.signal as AbortSignal | undefined,
          instance.defaults?.signal as AbortSignal | undefined,
        ],
        undefined,
        name,
      );
      try {
        // In the order in which `instance.get()` and its like have it, which an interceptor may
        // write down.
        const response: unknown = await instance.request({
          ...axiosConfig,
          ...asked,
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
      // Without a body, axios returns ''; for a schema, that means no record.
      return held.value === '' && this.schema != null ? null : held.value;
    }
  }
  // The cast: same as for `RestEndpoint`, a separate constructor type makes subclasses generic.
  return extensible(AxiosEndpoint) as unknown as AxiosEndpointConstructor;
}

/** Rejects a schema with `wholeResponse`: the store would contain status, headers and tokens. */
function refuseSchema({ name, schema, wholeResponse }: Refusable): void {
  if (wholeResponse && schema != null)
    throw new TypeError(
      `${name}: a schema would store the headers and tokens of \`wholeResponse\`. Remove either; \`parseResponse\` can read the status.`,
    );
}

/** The base URL; axios puts a slash between it and a path without one. */
function basePrefix(
  { defaults }: AxiosInstance,
  { path = '', axiosConfig }: Pick<Refusable, 'path' | 'axiosConfig'>,
): string {
  const baseURL = axiosConfig?.baseURL ?? defaults?.baseURL ?? '';
  return baseURL && /^[^/{]/.test(path) ? baseURL.replace(/\/?$/, '/') : baseURL;
}

/** True for a stream of the web or of Node. */
const isStream = (body: unknown): boolean =>
  ['getReader', 'pipe'].some((name) => typeof Object(body)[name] === 'function');
