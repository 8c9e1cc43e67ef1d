import { Endpoint as EndpointClass } from './endpointClass.js';
import type { ErrorPolicy, Snapshot } from './EndpointInterface.js';

/** The settings of an `Endpoint`. */
export interface EndpointShape {
  /** Names the endpoint in messages and in state that leaves the process, and its lists. Default: for messages, the function's name. */
  readonly name?: string | undefined;
  readonly schema?: any;
  /** Whether calls change something on the server. Default: undefined, a read. */
  readonly sideEffect?: boolean | undefined;
  /** Whether a read with a schema may have an empty response, which then reads as null. Default: it is an error. */
  readonly nullable?: boolean | undefined;
  /** Ends requests when it aborts; a function is called once per request. */
  readonly signal?: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
  readonly invalidIfStale?: boolean | undefined;
  readonly pollFrequency?: number | undefined;
  readonly [extra: string]: unknown;
}

/** Any function that an `Endpoint` can be made from. */
// `any`: parameters of whatever type must fit.
export type EndpointFunction = (...args: any) => Promise<any>;

/** The methods of an `Endpoint` that may be given as options. */
export interface EndpointCallbacks<F extends EndpointFunction> {
  /** Replaces the function. */
  fetch?(...args: Parameters<F>): ReturnType<F>;
  /** Replaces name and arguments as what identifies a request. */
  key?(...args: Parameters<F>): string;
  /** Whether a key is one of this endpoint, whatever the arguments were. */
  testKey?(key: string): boolean;
  /** `'soft'` keeps showing existing data when a request fails, anything else shows the error. */
  errorPolicy?(error: any): ErrorPolicy;
  /** What the server will probably answer; readers see it until the answer is there. Must be pure: it may run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Parameters<F>): any;
}

/** The names of the members that every `Endpoint` has. */
export type EndpointMember = keyof Endpoint;

/** The members of `O` that are not every endpoint's; those named `Replaced` left out. */
export type EndpointExtras<O, Replaced = never> = [keyof O] extends [EndpointMember | Replaced]
  ? unknown
  : { readonly [K in keyof O as K extends EndpointMember | Replaced ? never : K]: O[K] };

/** What an endpoint's function has as `this`: the endpoint, with its extra options. */
// Without the type of the function itself, which is not known before its `this` is.
export type EndpointThis<O> = Endpoint<EndpointFunction, O> & EndpointExtras<O>;

/** A function that an `Endpoint` with the options `O` can be made from. */
export type EndpointMethod<O> = (this: EndpointThis<O>, ...args: any) => Promise<any>;

/** What `extend` gives of an `Endpoint`: other options, the same further members. */
export type ExtendedEndpoint<F extends EndpointFunction, O, E, Self> = Endpoint<
  F,
  Omit<O, keyof E> & E
> &
  EndpointExtras<Self, keyof E> &
  EndpointExtras<E>;

/**
 * An operation made from an async function: what to cache need not be a REST call.
 *
 * @remarks It is identified by itself and its arguments, which are data: no functions. Inside a `function`, `this` is the endpoint.
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
  /** Ends requests when it aborts; a function is called once per request. */
  readonly signal: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly dataExpiryLength: number | undefined;
  readonly errorExpiryLength: number | undefined;
  readonly invalidIfStale: boolean | undefined;
  readonly pollFrequency: number | undefined;
  /** Runs the function; what a call runs. */
  fetch(...args: Parameters<F>): ReturnType<F>;
  /** What stands for the endpoint, and the arguments as text. */
  key(...args: Parameters<F>): string;
  /** Whether a key is one of this endpoint, whatever the arguments were. */
  testKey(key: string): boolean;
  /** `'soft'` keeps showing existing data when a request fails, anything else shows the error. */
  errorPolicy?(error: any): ErrorPolicy;
  /** What the server will probably answer; readers see it until the answer is there. Must be pure: it may run again. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;
  /** Makes an endpoint whose first arguments are given: they are part of its keys. Extend it for another function or schema. */
  bind<const B extends readonly unknown[]>(
    self: unknown,
    ...bound: B
  ): Parameters<F> extends readonly [...{ readonly [K in keyof B]: any }, ...infer Rest]
    ? Endpoint<(...args: Rest) => ReturnType<F>, O> & EndpointExtras<O>
    : never;
  /** Makes an endpoint of the same function and class with some options changed. */
  extend<E extends EndpointShape = {}>(
    options: Readonly<E> & EndpointCallbacks<F> & ThisType<ExtendedEndpoint<F, O, E, this>>,
  ): ExtendedEndpoint<F, O, E, this>;
}

/** The class `Endpoint` as a value. */
// As for `RestEndpoint`: `extends` clauses pick by the number of type parameters, and the last signature alone takes two.
export interface EndpointConstructor {
  /** Infers everything from the function and the options; members that are not options of its own are typed as given. */
  new <F extends EndpointMethod<O>, O extends EndpointShape, _Direct>(
    fetchFunction: F,
    options: Readonly<O> & EndpointCallbacks<F> & ThisType<EndpointThis<O>>,
  ): Endpoint<F, O> & EndpointExtras<O>;
  /** Without options. */
  new <F extends EndpointMethod<{}>, _Direct, _None>(fetchFunction: F): Endpoint<F, {}>;
  /** For `class Logged<F extends EndpointFunction> extends Endpoint<F>`. */
  new <F extends EndpointFunction = EndpointFunction, O extends EndpointShape = any>(
    fetchFunction: F,
    options?: Readonly<O> & EndpointCallbacks<F>,
  ): Endpoint<F, O>;
  readonly prototype: Endpoint;
}

/** The class behind every endpoint, REST or not; see the interface of the same name. */
// The one cast of the class: instances are callable functions, which a class type cannot say.
export const Endpoint: EndpointConstructor = EndpointClass as unknown as EndpointConstructor;
