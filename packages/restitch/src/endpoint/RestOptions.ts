import type { Content } from './content.js';
import type { ErrorPolicy, NetworkMode, Snapshot } from './EndpointInterface.js';
import type { HttpMethod } from './Method.js';
import type { Pagination } from './Pagination.js';
import type { BodyOf, HasNoBody, OptionOf, RestArgs } from './RestArgs.js';
import type { RetryOptions } from './retry.js';
import type { Uploading } from './uploadTransport.js';
import type { Validator } from './validate.js';

/** The options of a `RestEndpoint` that are not methods. */
export interface RestShape {
  /**
   * The path template: `:name` is a required argument, `{/:name}` an optional argument, `*name` an
   * array of segments. A `?` starts a query.
   *
   * @remarks A backslash makes the next character literal, as in `https\\://host/:id`.
   */
  readonly path?: string | undefined;
  /**
   * The text before the path. `/api/` and `/users` give `/api/users`. A missing slash is added only
   * after a host, such as `https://host`. Default: `''`.
   */
  readonly urlPrefix?: string | undefined;
  /** Replaces `urlPrefix` in cache keys. Set it if servers and browsers use different addresses. */
  readonly service?: string | undefined;
  /** The HTTP method. Default: `POST` with a `body` or `sideEffect: true`, otherwise `GET`. */
  // `string & {}` accepts any method. Editors still suggest the known ones.
  readonly method?: HttpMethod | (string & {}) | undefined;
  /** The schema of the response. Without a schema, the response is not normalized. */
  readonly schema?: any;
  /** A sample that only provides a type: `{} as UserInput`. With `undefined`, there is no body. */
  readonly body?: any;
  /** A sample for the type: `{} as { page?: number }`. A member with a value is a default. */
  readonly searchParams?: any;
  /**
   * The search parameter that selects a page. With it, the endpoint has `getPage`, which appends a
   * page to the list that the other arguments identify. `page[number]` means the member `number` of
   * the parameter `page`. `body.cursor` means the member `cursor` of the body.
   */
  readonly paginationField?: string | undefined;
  /**
   * The paging of the list on the server: `byCursor`, `byPage`, `byOffset` or `byLink`. Necessary
   * for `infinite` and `useInfinite`. With it, `getPage` needs no `paginationField`.
   */
  readonly pagination?: Pagination | undefined;
  /**
   * Validates every response with zod, valibot, arktype or another library for the Standard
   * Schema. An empty response is validated as null. `process` receives the output. After an invalid
   * response, the call rejects with a `ValidationError`.
   */
  readonly validate?: Validator | undefined;
  /** True if calls change data on the server. Default: undefined for GET, true otherwise. */
  readonly sideEffect?: boolean | undefined;
  /**
   * True if the response to a read with a schema may be empty (204, `null`). Readers then receive
   * null. Default: false, and an empty response is the error `unexpected-empty`.
   */
  readonly nullable?: boolean | undefined;
  /** The format in which the response body is read. Default: by its content type. */
  readonly content?: Content | undefined;
  /** The name of the endpoint in error messages. Default: `urlPrefix` followed by `path`. */
  readonly name?: string | undefined;
  /** Aborts requests: a signal, or a function that returns one and is called once per request. */
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  /**
   * The time limit of a request in milliseconds, from sending until its body is read. After this
   * time, the request rejects with a `TimeoutError`. Default: no limit, as with `0` and `Infinity`.
   */
  readonly timeout?: number | undefined;
  /**
   * The number of retries after a failed request, or detailed options. Default: 0. With a
   * `RecoveryManager`, as in a `DataProvider`, the manager sets the default for reads.
   *
   * @remarks By default, only reads are retried, and only after errors with the policy `'soft'`. A
   * `Retry-After` header of up to a minute is honored. A longer delay makes the request fail. An
   * abort ends the wait. `timeout` applies to each attempt.
   */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * `'always'`: reads are sent even while the host is offline. `'online'`: with a
   * `RecoveryManager`, reads wait for the network. Default: `'online'`.
   */
  readonly networkMode?: NetworkMode | undefined;
  /** Options for the init of every request, such as `credentials`, `mode` or `cache`. */
  readonly requestInit?: RequestInit | undefined;
  /**
   * The milliseconds for which a result is fresh. Default: 60 000, or the controller's option. With
   * 0, the result is removed when its last reader leaves.
   */
  readonly dataExpiryLength?: number | undefined;
  /**
   * The milliseconds for which an error is stored, at least 100. Default: 1 000, or the
   * controller's option.
   */
  readonly errorExpiryLength?: number | undefined;
  /** True if stale data counts as missing. Default: false. */
  readonly invalidIfStale?: boolean | undefined;
  /** The polling interval in milliseconds. Default: no polling. */
  readonly pollFrequency?: number | undefined;
}

/** The constraint for the options of an endpoint class: see `RestEndpointOptions`. */
export interface RestGenerics extends RestShape {
  /** Converts the parsed, validated response into the result of a call. Can be async. */
  process?(value: any, ...args: any): any;
  readonly [extra: string]: unknown;
}

/** The constraint for options that can have extra members of any type. */
// Without the index signature, TypeScript would reject options without any member of `RestShape`.
export interface LooseOptions extends RestShape {
  readonly [extra: string]: unknown;
}

/** Headers of a request. An undefined header is left out. */
export type GivenHeaders = HeadersInit | Readonly<Record<string, string | undefined>>;

/** The methods of a `RestEndpoint` that can be passed as options, except `process`. */
export interface RestCallbacks<O> {
  /** Returns the URL of a call. */
  url?(...args: RestArgs<O>): string;
  /** Returns the query string without `?`. It is also part of the cache key. */
  searchToString?(params: Readonly<Record<string, any>>): string;
  /** Returns the init of a request: method, headers and encoded body. */
  getRequestInit?(body: BodyParam<O>): RequestInit | Promise<RequestInit>;
  /**
   * Returns the headers to send. Receives the headers of `requestInit` and the content type, with
   * lower-case names.
   */
  getHeaders?(headers: Record<string, string>): GivenHeaders | Promise<GivenHeaders>;
  /** Sends the request. Throws if the status is not ok. */
  fetchResponse?(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Sends the request in place of the global `fetch`, for example `uploadTransport`. */
  send?(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Called by `uploadTransport` during the upload, with the sent fraction: from 0 to 1. */
  readonly onProgress?: Uploading['onProgress'];
  /** Reads the body. */
  parseResponse?(response: Response): any;
  /** Replaces the whole request. */
  fetch?(...args: RestArgs<O>): Promise<any>;
  /** Returns the cache key. Requests with equal keys share one stored result. */
  key?(...args: RestArgs<O>): string;
  /** Returns true if a call of this endpoint can have this cache key. */
  testKey?(key: string): boolean;
  /** Returns `'soft'` to keep data visible after a failed request: see `ErrorPolicy`. */
  errorPolicy?(error: any): ErrorPolicy;
  /** Returns the expected response. Must be pure, because it can run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: RestArgs<O>): any;
}

/** The type of the body in `getRequestInit`. */
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

/** The argument of `process`: the output of the validator, or `any` without a validator. */
export type Validated<O> = OptionOf<O, 'validate'> extends Validator<infer V> ? V : any;

type ReadContent = Blob | ArrayBuffer | string | ReadableStream;

/**
 * The result of a call after `extend` with options `E` that have no `process`. `R` is the result
 * before. A `validate` in `E` replaces `R`. A `content` in `E` replaces `R` only if `R` is `any`, a
 * text or binary data.
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

/** The result of a call, derived from the options. */
export type ResultOf<O> = 0 extends 1 & O
  ? any
  : OptionOf<O, 'process'> extends (...args: any) => infer V
    ? Awaited<V>
    : NextResult<O, any>;

/** The options `O`, overridden by `E`. */
export type Merge<O, E> = 0 extends 1 & O
  ? any
  : {
      readonly [K in keyof O | keyof E]: K extends keyof E
        ? E[K]
        : K extends keyof O
          ? O[K]
          : undefined;
    };

/** The options that a new endpoint of a resource inherits from `get`. */
export type SharedOption = Exclude<keyof RestShape, 'schema' | 'validate'> | 'process' | 'url';

/** Like `Merge`, but `O` contributes only the options in `SharedOption`. */
export type MergeShared<O, E> = 0 extends 1 & O
  ? any
  : {
      readonly [K in (keyof O & SharedOption) | keyof E]: K extends keyof E
        ? E[K]
        : K extends keyof O
          ? O[K]
          : undefined;
    };

/** Rejects a schema with binary or text content. The compiler prints the name of the property. */
export type ContentGuard<O> =
  OptionOf<O, 'content'> extends 'blob' | 'arrayBuffer' | 'text' | 'stream'
    ? [OptionOf<O, 'schema'>] extends [null | undefined]
      ? unknown
      : { readonly 'a schema needs content json: set schema: undefined': never }
    : unknown;

/** Rejects options that do not define where requests are sent. */
export type PathGuard<O> = O extends
  | { readonly path: string }
  | {
      /** Replaces a path. */
      readonly url: (...args: any) => string;
    }
  ? unknown
  : { readonly path: string };
