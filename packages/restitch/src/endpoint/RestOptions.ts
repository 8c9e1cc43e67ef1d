import type { Content } from './content.js';
import type { ErrorPolicy, Snapshot } from './EndpointInterface.js';
import type { HttpMethod } from './Method.js';
import type { BodyOf, HasNoBody, OptionOf, RestArgs } from './RestArgs.js';
import type { RetryOptions } from './retry.js';
import type { Uploading } from './uploadTransport.js';
import type { Validator } from './validate.js';

/** The settings of a `RestEndpoint`: every option that is not a method. */
export interface RestShape {
  /**
   * The path template: `:name` is a required argument, `{/:name}` an optional one, `*name` an array of segments. A `?` starts
   * a query. A backslash makes the next character literal, so `https\\://host/:id` is a path too.
   */
  readonly path?: string | undefined;
  /** Comes before the path, with one slash between them. Default: `''`. */
  readonly urlPrefix?: string | undefined;
  /** Stands for the `urlPrefix` in keys and homes, where a server reaches the API at another address than browsers. */
  readonly service?: string | undefined;
  /** The HTTP method. Default: `GET`, or `POST` when there is a `body` or `sideEffect: true`. */
  // The intersection lets editors suggest the known ones, and allows any other: WebDAV's `PROPFIND`, for example.
  readonly method?: HttpMethod | (string & {}) | undefined;
  /** What the response holds. Default: nothing is normalized. */
  readonly schema?: any;
  /** A sample that only gives a type: `{} as UserInput`. `undefined`: calls take no body. */
  readonly body?: any;
  /** A sample that gives a type: `{} as { page?: number }`. Members that hold a value are defaults that a call may override. */
  readonly searchParams?: any;
  /**
   * The search parameter that says which page: there is then `getPage`, which appends to the list of the other arguments.
   * `page[number]` is a member of an object among them, `body.cursor` one of the body.
   */
  readonly paginationField?: string | undefined;
  /**
   * Checks every answer, null for an empty one included, and may transform it: a validator of zod, valibot, arktype or any
   * other library that follows the Standard Schema. It runs before `process`, which gets its output.
   *
   * @remarks A call rejects with a `ValidationError` when the answer does not pass.
   */
  readonly validate?: Validator | undefined;
  /** Whether calls change something on the server. Default: undefined for GET, true otherwise. */
  readonly sideEffect?: boolean | undefined;
  /**
   * Whether the response of a read may be empty (204, `null`) although there is a schema: readers then get null. Default: an
   * empty response is an error, `unexpected-empty`.
   */
  readonly nullable?: boolean | undefined;
  /** How the body of the response is read. Default: by its content-type. */
  readonly content?: Content | undefined;
  /** Names the endpoint in messages. Default: `urlPrefix` followed by `path`. */
  readonly name?: string | undefined;
  /** Ends the request when it aborts. A function is called once per request. */
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  /**
   * Milliseconds after which a request rejects with a `TimeoutError`, from when it is sent until its body is read. `0` and
   * `Infinity` are none. Default: none.
   */
  readonly timeout?: number | undefined;
  /**
   * How often a failed request is sent again, or how. Default: 0.
   *
   * @remarks By default only reads are, and only after errors that `errorPolicy` calls soft. The server's `Retry-After` is
   * honored up to a minute; if it asks for longer, the error is shown. An abort ends the waiting. `timeout` is for each try.
   */
  readonly retry?: number | RetryOptions | undefined;
  /** Spread into the init of every request: `credentials`, `mode`, `cache`, … */
  readonly requestInit?: RequestInit | undefined;
  /** Milliseconds for which a result is fresh. Default: the controller's, 60 000. 0 keeps nothing. */
  readonly dataExpiryLength?: number | undefined;
  /** Milliseconds for which a failure is remembered. Default: the controller's, 1 000. */
  readonly errorExpiryLength?: number | undefined;
  /** Whether stale data counts as missing. Default: false. */
  readonly invalidIfStale?: boolean | undefined;
  /** Milliseconds between two requests of polling readers. Default: no polling. */
  readonly pollFrequency?: number | undefined;
}

/**
 * The constraint of an endpoint class's options.
 *
 * @example
 * ```ts
 * import { RestEndpoint, type RestGenerics } from 'restitch';
 *
 * class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
 *   override urlPrefix = 'https://api.example.com';
 * }
 * ```
 */
export interface RestGenerics extends RestShape {
  /** Turns the parsed, validated answer into what a call resolves to. May be async. */
  // `any`: subclasses cannot infer these from the path (a limit of TypeScript), so they are left to annotations.
  process?(value: any, ...args: any): any;
  readonly [extra: string]: unknown;
}

/** The constraint of options that may hold further members of any type. */
// Without the index signature, options that hold none of the known keys would not be inferred.
export interface LooseOptions extends RestShape {
  readonly [extra: string]: unknown;
}

/** Headers of a request; one that is undefined is left out. */
export type GivenHeaders = HeadersInit | Readonly<Record<string, string | undefined>>;

/** The methods of a `RestEndpoint` that may be given as options, except `process`. */
export interface RestCallbacks<O> {
  /** Builds the URL of a call. */
  url?(...args: RestArgs<O>): string;
  /** Writes the query, without `?`; also part of the key. */
  searchToString?(params: Readonly<Record<string, any>>): string;
  /** Makes the init of a request: method, headers, encoded body. */
  getRequestInit?(body: BodyParam<O>): RequestInit | Promise<RequestInit>;
  /** Gets the headers so far, with lower-case names, and returns those to send. */
  getHeaders?(headers: Record<string, string>): GivenHeaders | Promise<GivenHeaders>;
  /** Sends the request, and throws for a status that is not ok. */
  fetchResponse?(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Does the network call, in place of the global `fetch`: `uploadTransport` for example. */
  send?(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Called by `uploadTransport` while the body is sent, with the part that is: from 0 to 1. */
  readonly onProgress?: Uploading['onProgress'];
  /** Reads the body. */
  parseResponse?(response: Response): any;
  /** Replaces the whole request. */
  fetch?(...args: RestArgs<O>): Promise<any>;
  /** Identifies a request; equal keys share one stored result. */
  key?(...args: RestArgs<O>): string;
  /** Whether a key is one of this endpoint, whatever the arguments were. */
  testKey?(key: string): boolean;
  /** `'soft'` keeps showing existing data when a request fails, anything else shows the error. */
  errorPolicy?(error: any): ErrorPolicy;
  /** What the server will probably answer; readers see it until the answer is there. Must be pure: it may run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: RestArgs<O>): any;
}

/** The body as `getRequestInit` gets it. */
export type BodyParam<O> =
  BodyOf<O> extends infer B ? (HasNoBody<B> extends true ? undefined : B) : never;

/** The result of a call by `content`: `any` for JSON. */
export type ContentValue<C> = C extends 'blob'
  ? Blob
  : C extends 'arrayBuffer'
    ? ArrayBuffer
    : C extends 'text'
      ? string
      : C extends 'stream'
        ? ReadableStream<Uint8Array>
        : any;

/** What `process` gets: what the validator makes of the answer. `any` without one. */
export type Validated<O> = OptionOf<O, 'validate'> extends Validator<infer V> ? V : any;

/** What the readers of content give. */
type ReadContent = Blob | ArrayBuffer | string | ReadableStream;

/**
 * What a call resolves to when `process` does not say it: by a new `validate` or `content`, else as before. A result that no
 * reader of content gives is that of an earlier `process` or validator, which a new `content` leaves in place.
 */
export type NextResult<E, R> = 'validate' extends keyof E
  ? Validated<E>
  : 'content' extends keyof E
    ? 0 extends 1 & R
      ? ContentValue<E['content']>
      : [R] extends [ReadContent]
        ? ContentValue<E['content']>
        : R
    : R;

/** What a call resolves to, read from the options. */
export type ResultOf<O> = 0 extends 1 & O
  ? any
  : OptionOf<O, 'process'> extends (...args: any) => infer V
    ? Awaited<V>
    : NextResult<O, any>;

/** Options with others on top. */
export type Merge<O, E> = 0 extends 1 & O
  ? any
  : {
      readonly [K in keyof O | keyof E]: K extends keyof E
        ? E[K]
        : K extends keyof O
          ? O[K]
          : undefined;
    };

/** The options that say something else of an endpoint than what its response is. */
export type SharedOption = Exclude<keyof RestShape, 'schema' | 'validate'> | 'process' | 'url';

/** As `Merge`, for an endpoint with another response: a schema and a validator are not taken over. */
export type MergeShared<O, E> = 0 extends 1 & O
  ? any
  : {
      readonly [K in (keyof O & SharedOption) | keyof E]: K extends keyof E
        ? E[K]
        : K extends keyof O
          ? O[K]
          : undefined;
    };

/** Refuses a schema beside binary or text content, by asking for a property whose name says what to do. */
export type ContentGuard<O> =
  OptionOf<O, 'content'> extends 'blob' | 'arrayBuffer' | 'text' | 'stream'
    ? [OptionOf<O, 'schema'>] extends [null | undefined]
      ? unknown
      : { readonly 'a schema needs content json: set schema: undefined': never }
    : unknown;

/** Refuses options that do not say where requests go. */
export type PathGuard<O> = O extends
  | { readonly path: string }
  | {
      /** Stands in for a path. */
      readonly url: (...args: any) => string;
    }
  ? unknown
  : { readonly path: string };
