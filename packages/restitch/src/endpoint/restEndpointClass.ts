import { isDevelopment } from '../errors/development.js';
import { reasonOf } from '../errors/aborts.js';
import { NetworkError } from '../errors/NetworkError.js';
import type { CollectionAction, PageCursor } from '../schema/CollectionEdit.js';
import { hasNames } from '../schema/argText.js';
import { noteParsed } from '../schema/parsed.js';
import { collectionOf, edits, isInBody, pageSchema } from '../schema/listSchema.js';
import { encodeBody, initialHeaders, withoutDoubles } from './body.js';
import { defineMember, ingredientsOf, type Options } from './callable.js';
import { type Content, contentConflict, readResponse } from './content.js';
import { Endpoint } from './endpointClass.js';
import type { ErrorPolicy } from './EndpointInterface.js';
import { keyTest } from './keyPattern.js';
import { buildUrl, parsePath, type PathTemplate, splitQuery, type UnknownParams } from './path.js';
import { withBody } from './failedResponse.js';
import { type RetryOptions, withRetries } from './retry.js';
import { requestKey, scopePrefix } from './keys.js';
import { prefixOf, serverOf } from './home.js';
import { hasStandardKey, noteStandardKey } from './reading.js';
import { serializeSearch } from './search.js';
import { armSignal } from './signal.js';
import {
  connected,
  isConnectionFailure,
  isOwnFailure,
  noteOrigin,
  originOf,
  returned,
} from './transport.js';
import { validated, type Validator } from './validate.js';

/** Options that the endpoints which edit lists take over, by action; set by `resource()`. */
export const EDITS: unique symbol = Symbol('restitch.edits');

type EditAction = Exclude<CollectionAction, 'page'>;
type EditOptions = Readonly<Record<EditAction, Options>>;

// Asks for `sideEffect` as it was set, instead of as it follows from the method.
const AS_SET = { method: 'GET' };

// The endpoints whose request has reached `send`: only what that rejected with is a failed connection.
const sent = new WeakSet<object>();

const BODILESS = /^(GET|HEAD|DELETE)$/;

/** What `new RestEndpoint(…)` runs; `RestEndpoint.ts` gives it its types. */
export class RestEndpoint extends Endpoint {
  declare readonly path?: string;
  declare urlPrefix: string;
  declare readonly service?: string;
  declare readonly schema?: unknown;
  declare readonly body?: unknown;
  declare readonly searchParams?: object;
  declare readonly paginationField?: string;
  /** Of an endpoint for further pages: whether a search parameter says which. */
  declare readonly '~page'?: boolean;
  declare readonly content?: Content;
  declare readonly timeout?: number;
  declare readonly requestInit?: RequestInit;
  declare readonly validate?: Validator;
  declare readonly retry?: number | RetryOptions;
  declare readonly signal?: AbortSignal | (() => AbortSignal | undefined);

  static {
    // Not a field, which would overwrite the option.
    this.prototype.urlPrefix = '';
    for (const action of ['push', 'unshift', 'assign', 'remove', 'move'] as const) {
      Object.defineProperty(this.prototype, action, {
        get(this: RestEndpoint) {
          return this.#edit(action);
        },
        configurable: true,
      });
    }
    noteStandardKey(this.prototype);
  }

  #template: PathTemplate | undefined;
  #keyTest: { readonly source: string; readonly test: (key: string) => boolean } | undefined;
  #edits: Record<string, RestEndpoint> = {};

  constructor(options: Options) {
    super(undefined, options, new.target === RestEndpoint);
    // A template that cannot be read is told now, and not by the first request.
    this.#parsedPath();
    if (isDevelopment) {
      const conflict = contentConflict(this);
      // oxlint-disable-next-line eslint/no-console -- a mistake in the definition, told before the first request
      if (conflict) console.error(conflict);
    }
  }

  get '~url'(): unknown {
    return Reflect.get(RestEndpoint.prototype, 'url');
  }

  override get name(): string {
    return `${prefixOf(this)}${this.path ?? ''}`;
  }
  override set name(value) {
    defineMember(this, 'name', value, true);
  }

  // As for `name`: class fields compiled to assignments need the setters.
  get method(): string {
    return this.body !== undefined || Reflect.get(this, 'sideEffect', AS_SET) === true
      ? 'POST'
      : 'GET';
  }
  set method(value) {
    defineMember(this, 'method', value, true);
  }

  get sideEffect(): boolean | undefined {
    return this.method === 'GET' ? undefined : true;
  }
  set sideEffect(value) {
    defineMember(this, 'sideEffect', value, true);
  }

  override async fetch(...args: readonly unknown[]): Promise<unknown> {
    try {
      const [, body] = this.#split(args);
      const url = this.url(...args);
      const init = returned(await this.getRequestInit(body), this.name, 'getRequestInit');
      const own = typeof this.signal === 'function' ? this.signal() : this.signal;
      const signals = [init.signal, own];
      // A stream is read by the first try.
      const value = await withRetries(this, !('duplex' in init), signals, async () => {
        const { signal, timedOut, release } = armSignal(signals, this.timeout, this.name);
        try {
          // Headers may have taken a while, and who signed in since then has other ones.
          refuseAborted(signal);
          return await this.#try(url, signal ? { ...init, signal } : init);
        } catch (error) {
          // Not every implementation of `fetch` rejects with the reason of its signal.
          throw timedOut() ?? error;
        } finally {
          release(this.content === 'stream');
        }
      });
      const { prototype } = RestEndpoint;
      if (this.parseResponse === prototype.parseResponse && this.process === prototype.process)
        noteParsed(value);
      return await this.process(await validated(value, this.validate, this.name), ...args);
    } catch (error) {
      noteOrigin(error, originOf(error) ?? false);
      throw error;
    }
  }

  /** Sends the request once and reads the answer. What it rejects with is known to be of the connection or not. */
  async #try(url: string, init: RequestInit): Promise<unknown> {
    sent.delete(this);
    try {
      const response = await this.fetchResponse(url, init);
      sent.add(this);
      return await this.parseResponse(returned(response, this.name, 'fetchResponse'));
    } catch (error) {
      if (error instanceof NetworkError) {
        await withBody(error, init.signal);
      } else {
        // A `fetchResponse` that has not called `send` is the transport itself.
        const isConnection =
          originOf(error) ??
          (!sent.has(this) && isConnectionFailure(Object(error)) && isOwnFailure(error));
        noteOrigin(error, isConnection && !init.signal?.aborted);
      }
      throw error;
    }
  }

  url(...args: readonly unknown[]): string {
    const template = this.#parsedPath();
    if (!template)
      throw new TypeError(
        isDevelopment ? `${this.name || 'RestEndpoint'}: set \`path\`, or override url().` : 'path',
      );
    const [given] = this.#split(args);
    const params: UnknownParams = {
      ...this.searchParams,
      ...(typeof given === 'object' ? given : undefined),
    };
    const search = Object.fromEntries(
      Object.entries(params).filter(([name]) => !template.names.has(name)),
    );
    const prefix = prefixOf(this);
    const url = buildUrl(prefix, template, params, this.searchToString(search), this.name);
    // An optional path that is left out leaves the prefix whole.
    return url || this.urlPrefix;
  }

  '~asksByPath'(key: string, args: readonly unknown[]): boolean {
    const template = this.#parsedPath();
    if (!template) return true;
    try {
      const params = this.#split(args)[0] as UnknownParams;
      return key === requestKey(this, buildUrl(prefixOf(this), template, params, '', this.name));
    } catch {
      // A default, or an overridden `url`, fills in what the call leaves out.
      return false;
    }
  }

  get '~constants'(): readonly string[] {
    const { prototype } = RestEndpoint;
    const isOwn = this.url !== prototype.url || this.searchToString !== prototype.searchToString;
    // A `key` of the user's own may leave out what changes from call to call.
    if (!isOwn || !hasStandardKey(this)) return [];
    try {
      const names = this.#parsedPath()?.names ?? [];
      const params = Object.fromEntries(Array.from(names, (name) => [name, name]));
      const standard = splitQuery(prototype.url.call(this, params));
      const added = splitQuery(this.url(params)).slice(1);
      return [
        ...splitQuery(`?${this.searchToString({})}`).slice(1),
        ...added.filter((pair) => !standard.includes(pair)),
      ];
    } catch {
      // It needs more than the parameters of the path, or is asked before the endpoint is constructed.
      return [];
    }
  }

  searchToString(params: UnknownParams): string {
    return serializeSearch(params, this.name);
  }

  async getRequestInit(body: unknown): Promise<RequestInit> {
    const encoded = encodeBody(body);
    const given = initialHeaders(this.requestInit?.headers, encoded);
    const headers = returned(await this.getHeaders(given), this.name, 'getHeaders');
    return {
      ...this.requestInit,
      method: this.method,
      headers: withoutDoubles(headers, this.requestInit?.headers),
      ...(encoded && { body: encoded.body }),
      // Required for a stream; the types of `fetch` do not know it yet.
      ...(encoded &&
        typeof ReadableStream === 'function' &&
        encoded.body instanceof ReadableStream && { duplex: 'half' }),
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
    const body = this.sideEffect ? undefined : this.#split(args)[1];
    return requestKey(this, this.url(...args), body);
  }

  override testKey(key: string): boolean {
    const template = this.#parsedPath();
    if (!template) return false;
    const prefix = `${scopePrefix(this)}${this.method} ${serverOf(this)}`;
    const source = prefix + template.source;
    if (this.#keyTest?.source !== source)
      this.#keyTest = { source, test: keyTest(prefix, template) };
    return this.#keyTest.test(key);
  }

  #parsedPath(): PathTemplate | undefined {
    const { path } = this;
    if (path !== undefined && this.#template?.source !== path)
      this.#template = parsePath(path, this.name);
    return this.#template;
  }

  '~said'(args: readonly unknown[], joins: boolean): readonly unknown[] {
    const isOwnSearch =
      Reflect.get(this, 'searchToString') !== RestEndpoint.prototype.searchToString;
    const isBody = bodyAt(this, args) === 0;
    // A body alone is one behind no parameters: `({}, body)` asks the same.
    const [first, ...rest] = isBody && joins ? [undefined, ...args] : args;
    const isWhole = isBody && !joins;
    if (isWhole && !hasNames(first)) return args;
    const params = Object.entries({ ...this.searchParams, ...Object(first) }).filter(
      ([, value]) => value !== null || isWhole || isOwnSearch,
    );
    return [Object.fromEntries(params), ...rest];
  }

  #split(args: readonly unknown[]): readonly [params: unknown, body: unknown] {
    const at = bodyAt(this, args);
    return [at === 0 ? undefined : args[0], args[at]];
  }

  get getPage(): RestEndpoint | undefined {
    const { paginationField } = this;
    return paginationField === undefined
      ? undefined
      : (this.#edits['page'] ??= this.paginated(paginationField));
  }

  paginated(cursor: PageCursor): RestEndpoint {
    const { schema } = this;
    const collection = collectionOf(schema);
    if (!collection) {
      throw new TypeError(
        isDevelopment
          ? `${this.name}: \`schema\` holds no Collection, to which pages could be appended.`
          : `${this.name}: schema`,
      );
    }
    return this.extend({
      name: `${this.name}.getPage`,
      schema: pageSchema(schema, collection, collection.paginated(cursor)),
      paginationField: undefined,
      '~page': typeof cursor === 'string' && !isInBody(cursor),
    });
  }

  #edit(action: EditAction): RestEndpoint | undefined {
    const collection = collectionOf(this.schema);
    if (!collection || !edits(collection, action)) return undefined;
    const own = ingredientsOf(this).options[EDITS] as EditOptions | undefined;
    return (this.#edits[action] ??= this.extend({
      name: `${this.name}.${action}`,
      body: {},
      // Defaults of the list are no part of its members.
      searchParams: undefined,
      ...own?.[action],
      method: /^(re)?move$/.test(action) ? 'PATCH' : 'POST',
      sideEffect: true,
      schema: collection[action],
      // That of the list does not fit a member.
      validate: undefined,
    }));
  }
}

/** Which argument is the body: a single one, when neither a placeholder nor the page needs a value. Uses no private member. */
function bodyAt(endpoint: RestEndpoint, args: readonly unknown[]): number {
  const { body, method, path = '' } = endpoint;
  if ('body' in endpoint ? body === undefined : BODILESS.test(method)) return -1;
  const hasParams = args.length > 1 || endpoint['~page'] || parsePath(path, '').hasRequired;
  return hasParams ? 1 : 0;
}

function refuseAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}
