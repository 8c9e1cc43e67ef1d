import { isDevelopment } from '../errors/development.js';
import { refuseAborted } from '../errors/aborts.js';
import { NetworkError } from '../errors/NetworkError.js';
import { isOneOf } from '../host/isOneOf.js';
import { EDIT_ACTIONS, type PageCursor } from '../schema/CollectionEdit.js';
import { noteParsed } from '../schema/parsedJson.js';
import { fieldsWhere, isObject } from '../schema/same.js';
import { withSearchDefaults } from '../schema/withSearchDefaults.js';
import { collectionOf } from '../schema/listsInSchema.js';
import { initialHeaders, isNative, isReadable, withoutDoubles } from './requestBody.js';
import { defineMember, type Options } from './callable.js';
import { type Content, contentConflict, readResponse, withBody } from './content.js';
import { Endpoint } from './endpointClass.js';
import type { ErrorPolicy } from './EndpointInterface.js';
import type { Pagination } from './Pagination.js';
import { buildUrl, templateOf, type UnknownParams } from './path.js';
import { type RetryOptions, withRetries } from './retry.js';
import { keyTest, requestKey, scopePrefix } from './cacheKeys.js';
import { prefixOf, serverOf } from './serverText.js';
import { noteStandardKey } from '../schema/sameProcessing.js';
import { serializeSearch } from './search.js';
import { armSignal } from './signal.js';
import {
  connected,
  isConnectionFailure,
  isTransportFailure,
  noteOrigin,
  originOf,
  returned,
} from './connectionErrors.js';
import { validated, type Validator } from './validate.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

// The getter `method` runs the getter `sideEffect` on this object. On the endpoint, the two getters
// would call each other forever.
const AS_SET = { method: 'GET' };

// Endpoints whose current attempt has called `send` or received a response. A later error is a
// failed connection only if `connected` has recorded the error.
const sent = new WeakSet<object>();

const BODILESS = /^(GET|HEAD|DELETE)$/;

export class RestEndpoint extends Endpoint {
  declare readonly method: string;
  declare readonly sideEffect?: boolean;
  declare readonly path?: string;
  declare urlPrefix: string;
  declare readonly service?: string;
  declare readonly schema?: unknown;
  declare readonly body?: unknown;
  declare readonly searchParams?: object;
  declare readonly pagination?: Pagination;
  declare readonly paginationField?: string;
  /** True for a page endpoint whose page parameter is a search parameter. */
  declare readonly $page?: boolean;
  declare readonly content?: Content;
  declare readonly timeout?: number;
  declare readonly requestInit?: RequestInit;
  declare readonly validate?: Validator;
  declare readonly retry?: number | RetryOptions;
  declare readonly signal?: AbortSignal | (() => AbortSignal | undefined);

  static {
    // The default is on the prototype, because a field would overwrite the option.
    Object.assign(this.prototype, { urlPrefix: '', $base: this.prototype });
    const define = (key: string, get: (this: RestEndpoint) => unknown): void => {
      Object.defineProperty(this.prototype, key, {
        get,
        // Supports class fields that are compiled to assignments.
        set(value: unknown) {
          defineMember(this, key, value, true);
        },
        configurable: true,
      });
    };
    define('name', function () {
      return `${prefixOf(this)}${this.path ?? ''}`;
    });
    define('method', function () {
      const isMutation =
        this.body !== undefined || Reflect.get(this, 'sideEffect', AS_SET) === true;
      return isMutation ? 'POST' : 'GET';
    });
    define('sideEffect', function () {
      return this.method === 'GET' ? undefined : true;
    });
    for (const action of EDIT_ACTIONS) {
      define(action, function () {
        return (this.#editsOfList()[action] ??= this.#list?.$edit(this, action));
      });
    }
    noteStandardKey(this.prototype);
  }

  #keyTest: { readonly source: string; readonly test: (key: string) => boolean } | undefined;
  #list: ReturnType<typeof collectionOf>;
  #edits: Record<string, RestEndpoint | undefined> = {};

  constructor(options: Options) {
    super(undefined, options);
    // A malformed template throws here rather than at the first request.
    templateOf(this);
    if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
      const conflict = contentConflict(this);
      // oxlint-disable-next-line eslint/no-console -- a mistake in the definition, reported before the first request
      if (conflict) console.error(conflict);
    }
  }

  get $names(): Iterable<string> {
    return templateOf(this)?.names ?? [];
  }

  get $server(): string {
    return serverOf(this);
  }

  /** Must not use private members: the target of a proxy (see `callable.ts`) has none. */
  $bodyAt(args: readonly unknown[]): number {
    const { body, method } = this;
    if ('body' in this ? body === undefined : BODILESS.test(method)) return -1;
    const hasParams = args.length > 1 || this.$page || templateOf(this)?.hasRequired;
    return hasParams ? 1 : 0;
  }

  $sent(args: readonly unknown[]): unknown {
    const { method, path = '' } = this;
    // The body at a path below a record, such as `/users/:id/avatar`, does not contain the record.
    const isOfRecord = /(?<!\\)[:*][^/?]*(\?.*)?$/.test(path) || !/(?<!\\)[:*]/.test(path);
    const body = args[this.$bodyAt(args)];
    return isOfRecord && isReadable(body) && /^(PUT|PATCH)$/.test(method) ? body : undefined;
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    try {
      const body = args[this.$bodyAt(args)];
      const url = this.url(...args);
      const init = returned(await this.getRequestInit(body), this.name, 'getRequestInit');
      const own = typeof this.signal === 'function' ? this.signal() : this.signal;
      const signals = [init.signal, own];
      let response: Response | undefined;
      // A stream cannot be sent again: the first attempt consumes it.
      const value = await withRetries(this, this.retry, !('duplex' in init), signals, async () => {
        const { signal, timedOut, release } = armSignal(signals, this.timeout, this.name);
        sent.delete(this);
        try {
          // Computing the headers can take time. If the request is aborted meanwhile, for example
          // by a login, it must not be sent with old headers.
          refuseAborted(signal);
          const given = await this.fetchResponse(url, signal ? { ...init, signal } : init);
          sent.add(this);
          response = returned(given, this.name, 'fetchResponse');
          return await this.parseResponse(response);
        } catch (error) {
          if (error instanceof NetworkError) {
            await withBody(error, signal);
          } else {
            // A `fetchResponse` that does not call `send` sends the request itself, so its error
            // can be a failed connection.
            const isConnection =
              originOf(error) ??
              (!sent.has(this) &&
                isConnectionFailure(Object(error)) &&
                isTransportFailure(error, true));
            noteOrigin(error, isConnection && !signal?.aborted);
          }
          // Some implementations of `fetch` do not reject with the reason of the signal.
          throw timedOut() ?? error;
        } finally {
          release(this.content === 'stream');
        }
      });
      const { prototype } = RestEndpoint;
      if (this.parseResponse === prototype.parseResponse && this.process === prototype.process)
        noteParsed(value);
      const result = await this.process(await validated(value, this.validate, this.name), ...args);
      this.pagination?.$note(result, response);
      return result;
    } catch (error) {
      noteOrigin(error, originOf(error) ?? false);
      throw error;
    }
  }

  url(...args: readonly unknown[]): string {
    const template = templateOf(this);
    if (!template)
      throw new TypeError(
        isDevelopment ? `${this.name || 'RestEndpoint'}: set \`path\`, or override url().` : 'path',
      );
    const given = this.#paramsIn(args);
    const params = withSearchDefaults(this.searchParams, isObject(given) ? given : {});
    const search = fieldsWhere(params, (name) => !template.names.has(name));
    const url = buildUrl(this, template, params, this.searchToString(search));
    // The URL would be empty for `urlPrefix: '/'` and an omitted `{/:id}`.
    return url || this.urlPrefix;
  }

  $asksByPath(key: string, args: readonly unknown[]): boolean {
    const template = templateOf(this);
    if (!template) return true;
    try {
      const params = this.#paramsIn(args) as UnknownParams;
      return key === requestKey(this, buildUrl(this, template, params, ''));
    } catch {
      // A value of the path is not in `args`: a default or a custom `url` provides this value.
      return false;
    }
  }

  searchToString(params: UnknownParams): string {
    return serializeSearch(params, this.name);
  }

  async getRequestInit(body: unknown): Promise<RequestInit> {
    const isRaw = isNative(body);
    // The cast: `JSON.stringify` returns undefined for `undefined` and functions.
    const sent = isRaw ? body : (JSON.stringify(body) as string | undefined);
    const given = this.requestInit?.headers;
    const initial = initialHeaders(given, !isRaw && sent !== undefined);
    const headers = returned(await this.getHeaders(initial), this.name, 'getHeaders');
    return {
      ...this.requestInit,
      method: this.method,
      headers: withoutDoubles(headers, given),
      ...(sent !== undefined && { body: sent }),
      // A stream also needs `duplex`, which the types of `fetch` lack.
      ...(isOneOf(['ReadableStream'], sent) && { duplex: 'half' }),
    };
  }

  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    refuseAborted(init.signal);
    sent.add(this);
    const response = returned(
      await connected(this.send(input, init), this.send !== RestEndpoint.prototype.send),
      this.name,
      'send',
    );
    if (!response.ok) throw await withBody(new NetworkError(response), init.signal);
    return response;
  }

  send(input: RequestInfo, init: RequestInit): Promise<Response> {
    return fetch(input, init);
  }

  parseResponse(response: Response): Promise<unknown> {
    return readResponse(response, this);
  }

  process(value: unknown, ..._args: readonly unknown[]): unknown {
    return value;
  }

  errorPolicy(error: { readonly status?: number }): ErrorPolicy {
    const { status } = error;
    return (status === undefined ? isConnectionFailure(error) : status >= 500) ? 'soft' : 'hard';
  }

  override key(...args: readonly unknown[]): string {
    const body = this.sideEffect ? undefined : args[this.$bodyAt(args)];
    return requestKey(this, this.url(...args), body);
  }

  override testKey(key: string): boolean {
    const template = templateOf(this);
    if (!template) return false;
    const prefix = `${scopePrefix(this)}${this.method} ${serverOf(this)}`;
    const source = prefix + template.source;
    if (this.#keyTest?.source !== source)
      this.#keyTest = { source, test: keyTest(prefix, template) };
    return this.#keyTest.test(key);
  }

  #paramsIn(args: readonly unknown[]): unknown {
    return this.$bodyAt(args) === 0 ? undefined : args[0];
  }

  get getPage(): RestEndpoint | undefined {
    // A page endpoint keeps `pagination`, but has no further pages of its own.
    const isPage = this.$page !== undefined;
    const field = this.paginationField ?? (isPage ? undefined : this.pagination?.param);
    return field === undefined
      ? undefined
      : (this.#editsOfList()['page'] ??= this.paginated(field));
  }

  /** The endpoints, such as `push`, of the current list. Another `urlPrefix` means another list. */
  #editsOfList(): Record<string, RestEndpoint | undefined> {
    const list = collectionOf(this.schema);
    if (list !== this.#list) {
      this.#list = list;
      this.#edits = {};
    }
    return this.#edits;
  }

  paginated(cursor: PageCursor): RestEndpoint {
    const collection = collectionOf(this.schema);
    if (!collection) {
      throw new TypeError(
        isDevelopment
          ? `${this.name}: \`schema\` contains no Collection to which pages can be appended.`
          : `${this.name}: schema`,
      );
    }
    return collection.$paginate(this, cursor);
  }
}
