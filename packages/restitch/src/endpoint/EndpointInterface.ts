import type { EndpointError } from '../errors/EndpointError.js';
import type { Identified } from '../schema/identityText.js';
import type { QueryArgs, QueryValue } from '../schema/QueryArgs.js';
import type { Denormalize } from '../schema/Schema.js';

/** `'soft'`: readers keep existing data. `'hard'` or undefined: readers receive the error. */
export type ErrorPolicy = 'soft' | 'hard' | undefined;

/** `'always'`: a read is also sent while the host is offline. */
export type NetworkMode = 'online' | 'always';

/** The data as it was before the request. `getOptimisticResponse` receives it. */
export interface Snapshot {
  /** Returns the record, list or value that `schema` and `args` identify, or undefined. */
  get<S>(schema: S, ...args: QueryArgs<S>): QueryValue<S> | undefined;
  /** Returns the value that readers of this endpoint receive, or undefined. */
  getResponse<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E> | undefined;
  /** Returns the stored error of this endpoint, or undefined. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): EndpointError | undefined;
  /** Throw this error to skip the optimistic update. */
  readonly abort: Error;
  /** The time at which the request started, in milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** The members of an endpoint, or of a custom object, that the controller and the hooks use. */
export interface EndpointInterface<Args extends readonly any[] = any, R = any> extends Identified {
  (...args: Args): Promise<R>;
  readonly name: string;
  /** Sends the request. The controller calls `fetch` on the result of `extend({ signal })`. */
  fetch(...args: Args): Promise<R>;
  /** Returns the cache key of a request. Requests with equal keys share one stored result. */
  key(...args: Args): string;
  /** Returns true if a call of this endpoint can have this cache key. */
  testKey(key: string): boolean;
  /**
   * Returns the same endpoint with other options. The controller passes `{ signal }`: an
   * `AbortSignal`, or a function that returns a signal.
   */
  // Optimization: `any`, because the compiler is slow at comparing generic methods.
  readonly extend: any;
  /** The schema of the response. Without a schema, the response is not normalized. */
  readonly schema?: any;
  /** True if calls change data on the server. */
  readonly sideEffect?: boolean | undefined;
  /** True if a read with a schema may get an empty response: readers get null. Default: false. */
  readonly nullable?: boolean | undefined;
  /** Aborts requests: a signal, or a function that returns one and is called once per request. */
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  /** The milliseconds for which a result is fresh. Default: 60 000, or the controller's option. */
  readonly dataExpiryLength?: number | undefined;
  /** The milliseconds for which an error is stored. Default: 1 000, or the controller's option. */
  readonly errorExpiryLength?: number | undefined;
  /** True if stale data counts as missing. Default: false. */
  readonly invalidIfStale?: boolean | undefined;
  /** The polling interval in milliseconds. Default: no polling. */
  readonly pollFrequency?: number | undefined;
  /** `'always'`: reads are sent even while the host is offline. Default: `'online'`. */
  readonly networkMode?: NetworkMode | undefined;
  /** The path template. Its parameters can identify the record in the response. */
  readonly path?: string | undefined;
  /** Returns `'soft'` to keep data visible after a failed request: see `ErrorPolicy`. */
  errorPolicy?(error: Error): ErrorPolicy;
  /** Returns the expected response. Must be pure, because it can run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;
}

/** An endpoint that only reads. Hooks that read accept no other endpoints. */
export interface ReadEndpoint<Args extends readonly any[] = any, R = any> extends EndpointInterface<
  Args,
  R
> {
  readonly sideEffect?: false | undefined;
}

/** The arguments of a call of an endpoint, as a tuple. `never` for a type that is no function. */
export type ArgsOf<E> = E extends (...args: infer A) => any ? A : never;

/** `[...arguments, last]`. If no argument is required, `[last]` is valid too. */
export type ArgsAnd<E, Last> =
  | readonly [...ArgsOf<E>, Last]
  | (readonly [] extends Readonly<ArgsOf<E>> ? readonly [Last] : never);

/** The type of an endpoint's schema, such as `typeof User`. Undefined without a schema. */
export type SchemaOf<E> = E extends { readonly schema: infer S } ? S : undefined;

/** `null` for an endpoint that is `nullable`, otherwise `never`. */
export type EmptyOf<E> = E extends { readonly nullable: infer N }
  ? [N] extends [false | undefined]
    ? never
    : null
  : never;

/**
 * The value that readers of an endpoint receive. With a schema, the value contains class instances,
 * or is null if the endpoint is `nullable`. Otherwise, readers receive the result of the call.
 */
export type ValueOf<E> = E extends (...args: any) => Promise<infer R>
  ? SchemaOf<E> extends infer S
    ? unknown extends S
      ? R
      : [S] extends [undefined | null]
        ? R
        : Denormalize<S> | EmptyOf<E>
    : never
  : never;

/** Accepts any fields, because their types differ between responses and records. */
export type ResponseFor<E> =
  ValueOf<E> extends infer V
    ? 0 extends 1 & V
      ? unknown
      : V extends readonly unknown[]
        ? readonly unknown[]
        : V extends object
          ? object
          : V
    : never;
