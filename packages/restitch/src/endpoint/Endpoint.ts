import { withFunctions } from './functionEndpoint.js';
import type { ErrorPolicy, NetworkMode, Snapshot } from './EndpointInterface.js';

/** The options of an `Endpoint`. */
export interface EndpointShape {
  /**
   * The name in error messages, in keys of serialized state, and in the identity of the endpoint's
   * lists. Without it, error messages use the name of the function.
   */
  readonly name?: string | undefined;
  /** The schema of the value that the function returns. Default: none. */
  readonly schema?: any;
  /** True if calls change data on the server. Default: undefined, which means a read. */
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
  /** `'always'`: a read is also sent while the host is offline. Default: `'online'`. */
  readonly networkMode?: NetworkMode | undefined;
  readonly [extra: string]: unknown;
}

/** Any function that an `Endpoint` can be made from. */
export type EndpointFunction = (...args: any) => Promise<any>;

/** The methods of an `Endpoint` that can be passed as options. */
export interface EndpointCallbacks<F extends EndpointFunction> {
  /** Replaces the function. */
  fetch?(...args: Parameters<F>): ReturnType<F>;
  /** Replaces the default cache key, which consists of the name and the arguments. */
  key?(...args: Parameters<F>): string;
  /** Returns true if a call of this endpoint can have this cache key. */
  testKey?(key: string): boolean;
  /** Returns `'soft'` to keep data visible after a failed request: see `ErrorPolicy`. */
  errorPolicy?(error: any): ErrorPolicy;
  /** Returns the expected response. Must be pure, because it can run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Parameters<F>): any;
}

/** The names of the standard members. Options with other names are extra members. */
export type EndpointMember = keyof Endpoint;

/** The members of `O` that are neither members of every `Endpoint` nor named in `Replaced`. */
export type EndpointExtras<O, Replaced = never> = [keyof O] extends [EndpointMember | Replaced]
  ? unknown
  : { readonly [K in keyof O as K extends EndpointMember | Replaced ? never : K]: O[K] };

/** The type of `this` in an endpoint's function: the endpoint with its extra options. */
// The exact type of the function is not known here: TypeScript infers the type of `this` first.
export type EndpointThis<O> = Endpoint<EndpointFunction, O> & EndpointExtras<O>;

/** A function that an `Endpoint` with the options `O` can be made from. */
export type EndpointMethod<O> = (this: EndpointThis<O>, ...args: any) => Promise<any>;

/** The result of `extend`: changed options and the same extra members. */
export type ExtendedEndpoint<F extends EndpointFunction, O, E, Self> = Endpoint<
  F,
  Omit<O, keyof E> & E
> &
  EndpointExtras<Self, keyof E> &
  EndpointExtras<E>;

/**
 * An operation made from an async function, for data that does not come from a REST call.
 *
 * @remarks The function and its arguments identify a request. Arguments are data and contain no
 * functions. Inside a `function`, `this` is the endpoint.
 *
 * @example
 * ```ts
 * import { Endpoint } from 'restitch';
 *
 * const getTime = new Endpoint(
 *   async function getTime(zone: string) {
 *     const response = await fetch(`https://time.example.com/${zone}`);
 *     return (await response.json()) as { now: string };
 *   },
 *   { dataExpiryLength: 5_000 },
 * );
 * ```
 */
export interface Endpoint<F extends EndpointFunction = EndpointFunction, O = any> {
  (...args: Parameters<F>): ReturnType<F>;
  readonly name: string;
  readonly schema: 'schema' extends keyof O ? O['schema'] : undefined;
  readonly sideEffect: 'sideEffect' extends keyof O ? O['sideEffect'] : undefined;
  readonly nullable: 'nullable' extends keyof O ? O['nullable'] : undefined;
  /** Aborts requests: a signal, or a function that returns one and is called once per request. */
  readonly signal: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly dataExpiryLength: number | undefined;
  readonly errorExpiryLength: number | undefined;
  readonly invalidIfStale: boolean | undefined;
  readonly pollFrequency: number | undefined;
  /** Runs the function. A call of the endpoint runs this method. */
  fetch(...args: Parameters<F>): ReturnType<F>;
  /** Returns the cache key: the endpoint's identity, then the arguments as text. */
  key(...args: Parameters<F>): string;
  /** Returns true if a call of this endpoint can have this cache key. */
  testKey(key: string): boolean;
  /** Returns `'soft'` to keep data visible after a failed request: see `ErrorPolicy`. */
  errorPolicy?(error: any): ErrorPolicy;
  /** Returns the expected response. Readers receive it until the real response arrives. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;
  /** Fixes the first arguments. The cache keys of the returned endpoint contain them. */
  bind<const B extends readonly unknown[]>(
    self: unknown,
    ...bound: B
  ): Parameters<F> extends readonly [...{ readonly [K in keyof B]: any }, ...infer Rest]
    ? Endpoint<(...args: Rest) => ReturnType<F>, O> & EndpointExtras<O>
    : never;
  /** Returns an endpoint of the same function and class with some options changed. */
  extend<E extends EndpointShape = {}>(
    options: Readonly<E> & EndpointCallbacks<F> & ThisType<ExtendedEndpoint<F, O, E, this>>,
  ): ExtendedEndpoint<F, O, E, this>;
}

/** The signatures for `new Endpoint(…)` and for `class … extends Endpoint`. */
// `class A extends Endpoint<F>` selects the last signature: only it accepts one type argument.
export interface EndpointConstructor {
  /** Infers all types from the function and the options. Extra members keep their types. */
  new <F extends EndpointMethod<O>, O extends EndpointShape, _Direct>(
    fetchFunction: F,
    options: Readonly<O> & EndpointCallbacks<F> & ThisType<EndpointThis<O>>,
  ): Endpoint<F, O> & EndpointExtras<O>;
  /** Creates an endpoint without options. */
  new <F extends EndpointMethod<{}>, _Direct, _None>(fetchFunction: F): Endpoint<F, {}>;
  /** The signature for `class Logged<F extends EndpointFunction> extends Endpoint<F>`. */
  new <F extends EndpointFunction = EndpointFunction, O extends EndpointShape = any>(
    fetchFunction: F,
    options?: Readonly<O> & EndpointCallbacks<F>,
  ): Endpoint<F, O>;
  readonly prototype: Endpoint;
}

/** The base class of every endpoint. The interface of the same name documents it. */
// The cast: instances are callable functions, which a class type cannot express.
export const Endpoint: EndpointConstructor =
  /* @__PURE__ */ withFunctions() as unknown as EndpointConstructor;
