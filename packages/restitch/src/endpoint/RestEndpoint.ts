import type { BoundSchema } from '../schema/BoundSchema.js';
import type { Collection } from '../schema/Collection.js';
import type { ErrorPolicy, Snapshot } from './EndpointInterface.js';
import type { Content } from './content.js';
import type { PageOptions, PageOptionsBy } from './PageOptions.js';
import type { CollectionIn, ListEdits, WrongEdit } from './ListEdits.js';
import { RestEndpoint as RestEndpointClass } from './restEndpointClass.js';
import { extensible } from './shield.js';
import type { MethodGuard } from './Method.js';
import type { MethodOf, OptionOf, RestArgs, SideEffectOf } from './RestArgs.js';
import type {
  ContentGuard,
  LooseOptions,
  Merge,
  NextResult,
  PathGuard,
  RestCallbacks,
  RestGenerics,
  ResultOf,
  Validated,
} from './RestOptions.js';
import type { RetryOptions } from './retry.js';

/** The names of the members that every `RestEndpoint` has. */
export type RestMember = keyof RestEndpoint | '~body';

/** The members of `T` that are neither members of every `RestEndpoint` nor named in `Replaced`. */
// Optimization: most endpoints have no extra members, so their 40 members need not be mapped.
export type ExtraMembers<T, Replaced = never> = [keyof T] extends [RestMember | Replaced]
  ? unknown
  : { readonly [K in keyof T as K extends RestMember | Replaced ? never : K]: T[K] };

/** The result of `extend`: the merged options `M` and the same extra members. */
export type Extended<M, E, Self, R> = RestEndpoint<M, R> &
  ExtraMembers<Self, keyof E> &
  ExtraMembers<E>;

/**
 * The parameter of `extend`: the changed options `E` of the endpoint `Self`. `M` is the existing
 * options merged with `E`. `V` is the result of `process`. TypeScript infers `V` after `E`.
 */
export type ExtendOptions<M, E, Self, V> = RestCallbacks<M> & {
  /** Converts the parsed, validated response into the result of a call. Can be async. */
  process?(value: Validated<M>, ...args: RestArgs<M>): V;
} & Readonly<E> &
  // Inside a generic subclass, the guard would reject `extend` with any option, such as `timeout`.
  (keyof E & ('content' | 'schema') extends never ? unknown : ContentGuard<M>) &
  ThisType<Extended<M, E, Self, any>>;

/** The endpoint for the action `A` on a list, or undefined without a `Collection`. */
export type EditOf<O, Self, A extends keyof ListEdits<any, any>> = 0 extends 1 & O
  ? any
  : CollectionIn<OptionOf<O, 'schema'>> extends infer C
    ? [C] extends [never]
      ? undefined
      : C extends Collection<infer S, any>
        ? A extends WrongEdit<S>
          ? undefined
          : RestEndpoint<ListEdits<O, C>[A], any> & ExtraMembers<Self>
        : undefined
    : never;

/** The arguments of a list, without the page parameter. `{}` is valid if none is required. */
export type ListArgsOf<O> =
  RestArgs<O> extends infer A ? ([] extends A ? A | [Readonly<Record<string, never>>] : A) : never;

/** The page parameter of a list, or undefined if the endpoint has none. */
export type PageFieldOf<O> =
  OptionOf<O, 'paginationField'> extends infer F extends string
    ? F
    : OptionOf<O, 'pagination'> extends { readonly param: infer F extends string }
      ? F
      : undefined;

/** The endpoint for further pages of a list, or undefined without a page parameter. */
export type PageOf<O, Self, R> = 0 extends 1 & O
  ? any
  : PageFieldOf<O> extends infer F extends string
    ? RestEndpoint<PageOptions<O, F>, R> & ExtraMembers<Self>
    : undefined;

/**
 * One remote operation: the request and the schema of its response. A call sends one request. Hooks
 * and the controller cache the response.
 *
 * @remarks To change how requests are built and responses are read, override methods in a subclass
 * or pass them as options. Members are read-only; `extend` returns a changed copy.
 *
 * `O` is the type of the options, `R` the result of a call.
 *
 * @example
 * ```ts
 * import { Entity, RestEndpoint } from 'restitch';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 *
 * const getUser = new RestEndpoint({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/users/:id',
 *   schema: User,
 * });
 *
 * const renameUser = getUser.extend({ method: 'PATCH', body: {} as { name: string } });
 *
 * const rename = () => renameUser({ id: 5 }, { name: 'Ada' });
 * ```
 */
export interface RestEndpoint<O = any, R = ResultOf<O>> {
  /** Sends one request and resolves to the processed response: plain data, not class instances. */
  (...args: RestArgs<O>): Promise<R>;

  /** The options. Exists only in types. */
  readonly '~options': O;
  /** The result of a call. Exists only in types. */
  readonly '~result': R;

  readonly path: O extends { readonly path: infer P extends string } ? P : string;
  readonly urlPrefix: string;
  readonly service?: string | undefined;
  readonly scope?: string | undefined;
  readonly method: MethodOf<O>;
  readonly sideEffect: SideEffectOf<O>;
  readonly nullable: OptionOf<O, 'nullable'>;
  /** The schema from the options. Its collections take the arguments of this endpoint. */
  readonly schema: BoundSchema<OptionOf<O, 'schema'>, RestArgs<O>>;
  readonly body: OptionOf<O, 'body'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly pagination: OptionOf<O, 'pagination'>;
  readonly paginationField: OptionOf<O, 'paginationField'>;
  readonly content: Content | undefined;
  readonly name: string;
  /** Aborts requests: a signal, or a function that returns one and is called once per request. */
  readonly signal: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly timeout: number | undefined;
  readonly validate: OptionOf<O, 'validate'>;
  readonly retry: number | RetryOptions | undefined;
  readonly requestInit: RequestInit | undefined;
  readonly dataExpiryLength: number | undefined;
  readonly errorExpiryLength: number | undefined;
  readonly invalidIfStale: boolean | undefined;
  readonly pollFrequency: number | undefined;

  /** Runs all steps of a request. A call of the endpoint runs this method. */
  fetch(...args: RestArgs<O>): Promise<R>;
  /** Returns the whole URL of a call. Throws a `TypeError` if a path value is missing. */
  url(...args: RestArgs<O>): string;
  /** Returns the query string without `?`. Override it to use another serializer. */
  searchToString(params: Readonly<Record<string, any>>): string;
  /** Returns the init of a request, without its signal: method, headers and encoded body. */
  getRequestInit(body?: any): RequestInit | Promise<RequestInit>;
  /** Returns the headers to send. Names in `headers` are in lower case. */
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** Sends the request with `send`. Throws a `NetworkError`, with body, if the status is not ok. */
  fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response>;
  /**
   * Sends the request. Default: the global `fetch`. A rejection counts as a failed connection,
   * except for an abort or a mistake in the program. Must reject when `init.signal` aborts.
   * Otherwise, `timeout` has no effect, and the response to an aborted request is stored.
   */
  send(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Reads the body in the format `content`, or by its content type. An empty body is null. */
  parseResponse(response: Response): Promise<any>;
  /** Converts the parsed response into the result of the call. Default: no change. Can be async. */
  process(value: any, ...args: any): any;
  /** Returns the cache key: `METHOD url` with a sorted query, the scope, and the body of a read. */
  key(...args: RestArgs<O>): string;
  /** Returns true if a call of this endpoint can have this cache key. */
  testKey(key: string): boolean;
  /**
   * Returns `'soft'` to keep existing data visible. Default: soft for a status of 500 or more, a
   * failed connection or a timeout; otherwise hard.
   */
  errorPolicy(error: any): ErrorPolicy;
  /** Returns the expected response. Readers receive it until the real response arrives. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;

  /** Creates a member (POST) at the end of every list that it matches. Needs a `Collection`. */
  readonly push: EditOf<O, this, 'push'>;
  /** Like `push`, but adds the member to the start of the lists. */
  readonly unshift: EditOf<O, this, 'unshift'>;
  /** For `Values`: creates members (POST) under their keys in every map that they match. */
  readonly assign: EditOf<O, this, 'assign'>;
  /** Removes a member (PATCH) from the lists that match the arguments, and updates its record. */
  readonly remove: EditOf<O, this, 'remove'>;
  /** Changes a member (PATCH). The member leaves and joins lists by its new fields. */
  readonly move: EditOf<O, this, 'move'>;

  /** Appends a further page. Needs a page parameter. The other arguments identify the list. */
  readonly getPage: PageOf<O, this, R>;
  /**
   * Returns the endpoint that reads further pages of this list. Pass the name of the page
   * parameter. If pages have their own arguments, pass a function that returns the arguments of the
   * list.
   *
   * @throws TypeError when the schema contains no `Collection`.
   * @example
   * ```ts
   * import { Collection, Entity, RestEndpoint } from 'restitch';
   *
   * class Post extends Entity {
   *   id = '';
   * }
   *
   * const getPosts = new RestEndpoint({
   *   path: '/posts',
   *   searchParams: {} as { author?: string; cursor?: string },
   *   schema: { results: new Collection([Post]), nextCursor: '' },
   * });
   * const getNext = getPosts.paginated('cursor');
   * const getFollowing = getPosts.paginated(({ cursor, ...list }: { author: string; cursor: string }) => [list]);
   * ```
   */
  // Must be the first overload, so that TypeScript infers the result of `listArgs` as a tuple.
  paginated<A extends readonly any[]>(
    listArgs: (...args: A) => ListArgsOf<O>,
  ): RestEndpoint<PageOptionsBy<O, A>, R> & ExtraMembers<this>;
  /** `field` is the page parameter, which does not identify the list. */
  paginated<F extends string>(field: F): RestEndpoint<PageOptions<O, F>, R> & ExtraMembers<this>;

  /**
   * Returns an endpoint of the same class with some options changed.
   *
   * @example
   * ```ts
   * import { RestEndpoint } from 'restitch';
   *
   * const getText = new RestEndpoint({ path: '/notes/:id' }).extend({
   *   content: 'text',
   *   process: (text: string, { id }) => `${id}: ${text}`,
   * });
   * ```
   */
  extend<E extends LooseOptions = {}, V = NextResult<E, R>>(
    options: ExtendOptions<Merge<O, E>, E, this, V>,
  ): Extended<Merge<O, E>, E, this, Awaited<V>>;
}

/**
 * The constructor options of a subclass.
 *
 * @example
 * ```ts
 * import { RestEndpoint, type RestEndpointOptions, type RestGenerics } from 'restitch';
 *
 * class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
 *   constructor(options: RestEndpointOptions<O>) {
 *     super({ timeout: 10_000, ...options });
 *   }
 * }
 * ```
 */
// With `O` in `ThisType`, TypeScript would fix `O` before it infers `process`.
export type RestEndpointOptions<O> = RestCallbacks<any> &
  Readonly<O> &
  PathGuard<O> &
  MethodGuard<O> &
  ContentGuard<O> &
  ThisType<RestEndpoint & Record<string, any>>;

/** The signatures for `new RestEndpoint(…)` and for `class … extends RestEndpoint`. */
// `class Api<O> extends RestEndpoint<O>` selects the last signature: only it accepts one type
// argument. The unused `_Direct` makes the first signature take at least two.
export interface RestEndpointConstructor {
  /** Infers all types from the options. Extra members keep their types. */
  new <O extends LooseOptions, _Direct, V = NextResult<O, any>>(
    options: RestCallbacks<O> & {
      process?(value: Validated<O>, ...args: RestArgs<O>): V;
    } & Readonly<O> &
      PathGuard<O> &
      MethodGuard<O> &
      ContentGuard<O> &
      ThisType<RestEndpoint<O, any> & ExtraMembers<O>>,
  ): RestEndpoint<O, Awaited<V>> & ExtraMembers<O>;
  /** The signature for `class Api<O extends RestGenerics = any> extends RestEndpoint<O>`. */
  new <O extends RestGenerics = any>(options: RestEndpointOptions<O>): RestEndpoint<O>;
  readonly prototype: RestEndpoint;
}

/** The class of every REST endpoint. The interface of the same name documents it. */
// The cast: only a hand-written constructor type allows generic subclasses and callable instances.
export const RestEndpoint: RestEndpointConstructor = /* @__PURE__ */ extensible(
  RestEndpointClass as unknown as RestEndpointConstructor,
);
