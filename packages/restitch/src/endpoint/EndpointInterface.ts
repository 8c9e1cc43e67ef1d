import type { EndpointError } from '../errors/EndpointError.js';
import type { Identified } from '../schema/identity.js';
import type { QueryArgs, QueryValue } from '../schema/QueryArgs.js';
import type { Denormalize } from '../schema/Schema.js';

/** `'soft'`: readers that have data keep showing it. `'hard'` or undefined: readers show the error. */
export type ErrorPolicy = 'soft' | 'hard' | undefined;

/** What `getOptimisticResponse` may look at: the store as it was when its own request started. */
export interface Snapshot {
  /** The row, list or value that `schema` and `args` name, or undefined. */
  get<S>(schema: S, ...args: QueryArgs<S>): QueryValue<S> | undefined;
  /** What readers of that endpoint see, or undefined. */
  getResponse<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): ValueOf<E> | undefined;
  /** The stored error of that endpoint, or undefined. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOf<E>): EndpointError | undefined;
  /** Throw it to have no optimistic update this time. */
  readonly abort: Error;
  /** When the request started: milliseconds since 1970. */
  readonly fetchedAt: number;
}

/**
 * What the controller and the hooks ask of an endpoint. `RestEndpoint` and `Endpoint` implement it; so may anything else.
 */
// `any` in the defaults: "an endpoint of whatever kind" must accept every concrete one.
export interface EndpointInterface<Args extends readonly any[] = any, R = any> extends Identified {
  (...args: Args): Promise<R>;
  readonly name: string;
  /** Performs the request. `this` may be an endpoint derived by `extend`, so that it can be given its own signal. */
  fetch(...args: Args): Promise<R>;
  /** Identifies one request; equal keys share one stored result. */
  key(...args: Args): string;
  /** Whether a key is one of this endpoint, whatever the arguments were. */
  testKey(key: string): boolean;
  /** Called with `{ signal }`, a signal or a function that gives one; returns an endpoint that is otherwise the same. */
  // `any`: comparing generic methods would be the main cost of every call that takes an endpoint.
  readonly extend: any;
  readonly schema?: any;
  readonly sideEffect?: boolean | undefined;
  /** Whether a read with a schema may have an empty response, which then reads as null. Default: it is an error. */
  readonly nullable?: boolean | undefined;
  /** Ends requests when it aborts; a function is called once per request. */
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
  readonly invalidIfStale?: boolean | undefined;
  readonly pollFrequency?: number | undefined;
  /** The path template, where there is one: it tells whether the arguments name the record that is answered. */
  readonly path?: string | undefined;
  /** `'soft'` keeps showing existing data when a request fails, anything else shows the error. */
  errorPolicy?(error: Error): ErrorPolicy;
  /** What the server will probably answer; readers see it until the answer is there. Must be pure: it may run again. */
  // `any` as the snapshot's and arguments' type: implementations annotate them as they like (bivariance is wanted).
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;
}

/** An endpoint that only reads: reading hooks refuse the others. */
export interface ReadEndpoint<Args extends readonly any[] = any, R = any> extends EndpointInterface<
  Args,
  R
> {
  readonly sideEffect?: false | undefined;
}

/** The argument tuple of an endpoint. */
export type ArgsOf<E> = E extends (...args: infer A) => any ? A : never;

/** The arguments of an endpoint and something after them; the arguments may be left out where a call needs none. */
export type ArgsAnd<E, Last> =
  | readonly [...ArgsOf<E>, Last]
  | (readonly [] extends Readonly<ArgsOf<E>> ? readonly [Last] : never);

/** The schema of an endpoint, or undefined. */
export type SchemaOf<E> = E extends { readonly schema: infer S } ? S : undefined;

/** What the readers of an endpoint see of an empty response. */
export type EmptyOf<E> = E extends { readonly nullable: infer N }
  ? [N] extends [false | undefined]
    ? never
    : null
  : never;

/**
 * What readers of an endpoint see: instances where it has a schema, or null where it is `nullable`; otherwise what the call
 * resolves to.
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

/**
 * What stands for a response of an endpoint: an array where readers see one, an object where they see a record or several. Fields are not
 * checked, since a response holds other types than records do.
 */
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
