import type { BoundSchema } from '../schema/BoundSchema.js';
import type { Collection, MemberOf } from '../schema/Collection.js';
import type { Denormalize } from '../schema/Schema.js';
import type { Values } from '../schema/Values.js';
import type { ErrorPolicy, Snapshot } from './EndpointInterface.js';
import type { Content } from './content.js';
import type { PageOptions, PageOptionsBy } from './PageOptions.js';
import { RestEndpoint as RestEndpointClass } from './restEndpointClass.js';
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

/** The members of `T` that are not every endpoint's. */
// The test comes first because most endpoints have none, and walking 40 members for each would be the main cost.
export type ExtraMembers<T, Replaced = never> = [keyof T] extends [RestMember | Replaced]
  ? unknown
  : { readonly [K in keyof T as K extends RestMember | Replaced ? never : K]: T[K] };

/** What `extend` gives: the merged options `M`, the same further members. */
export type Extended<M, E, Self, R> = RestEndpoint<M, R> &
  ExtraMembers<Self, keyof E> &
  ExtraMembers<E>;

/**
 * What `extend` takes: options `E`, merged with those that were there as `M`. `V` is the result of `process`: it is a
 * parameter of its own, since `E` is settled before it is known.
 */
export type ExtendOptions<M, E, Self, V> = RestCallbacks<M> & {
  /** Turns the parsed, validated answer into what a call resolves to. May be async. */
  process?(value: Validated<M>, ...args: RestArgs<M>): V;
} & Readonly<E> &
  // Asked only where the answer may change, so that `extend` compiles where `O` is not known yet.
  (keyof E & ('content' | 'schema') extends never ? unknown : ContentGuard<M>) &
  ThisType<Extended<M, E, Self, any>>;

/** The collection in a schema: itself, or one that lies in it, up to four objects deep. */
// Classes come first, since their static `schema` is that of their fields.
export type CollectionIn<S, Depth extends readonly unknown[] = [1, 1, 1, 1]> =
  S extends Collection<any, any>
    ? S
    : S extends ((...args: any) => any) | (abstract new (...args: any) => any)
      ? never
      : Depth extends readonly [unknown, ...infer Rest]
        ? S extends { readonly '~value': unknown; readonly schema: infer I }
          ? CollectionIn<I, Rest>
          : S extends readonly (infer M)[]
            ? CollectionIn<M, Rest>
            : S extends object
              ? { [K in keyof S]: CollectionIn<S[K], Rest> }[keyof S]
              : never
        : never;

/** What a create takes: a record, several of them, or a form. */
export type CreateBody<B> = B | readonly B[] | FormData;

/** The options of `push` and `unshift`. `C` is the list's collection. */
export interface AddOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'POST';
  readonly schema: C['push'];
  readonly body: CreateBody<OptionOf<O, '~body', Partial<MemberIn<C>>>>;
}

/** The options of `assign`: its body holds a record for each key. */
export interface AssignOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'POST';
  readonly schema: C['assign'];
  readonly body: Readonly<Record<string, OptionOf<O, '~body', Partial<MemberIn<C>>>>>;
}

/** What a member of a collection reads as. */
export type MemberIn<C extends Collection<any, any>> = Denormalize<MemberOf<C['schema']>>;

/** What an edit of a member takes: any part of its body, or a form. */
export type ChangeBody<O, C extends Collection<any, any>> =
  | Partial<OptionOf<O, '~body', Partial<MemberIn<C>>>>
  | FormData;

/** The options of `remove`. */
export interface RemoveOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, 'path'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly method: 'PATCH';
  readonly schema: C['remove'];
  readonly body: ChangeBody<O, C>;
}

/** The options of `move`: in a resource it goes to the path of the member. */
export interface MoveOptions<O, C extends Collection<any, any>> {
  readonly path: OptionOf<O, '~member', OptionOf<O, 'path'>>;
  readonly method: 'PATCH';
  readonly schema: C['move'];
  readonly body: ChangeBody<O, C>;
}

/** The options of the endpoints that edit a list, by what they do. */
export interface ListEdits<O, C extends Collection<any, any>> {
  readonly push: AddOptions<O, C>;
  readonly unshift: AddOptions<O, C>;
  readonly assign: AssignOptions<O, C>;
  readonly remove: RemoveOptions<O, C>;
  readonly move: MoveOptions<O, C>;
}

/** The edits that a collection cannot have: members of a map have keys, those of a list have places. */
export type WrongEdit<S> = S extends Values<any> ? 'push' | 'unshift' : 'assign';

/** The endpoint that does `A` to the list of an endpoint: undefined without a `Collection`. */
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

/** The arguments of a list, as a function gives them that takes away what says which page: of a list without any, nothing is left. */
export type ListArgsOf<O> =
  RestArgs<O> extends infer A ? ([] extends A ? A | [Readonly<Record<string, never>>] : A) : never;

/** The endpoint for the further pages of a list: undefined without a `paginationField`. */
export type PageOf<O, Self, R> = 0 extends 1 & O
  ? any
  : OptionOf<O, 'paginationField'> extends infer F extends string
    ? RestEndpoint<PageOptions<O, F>, R> & ExtraMembers<Self>
    : undefined;

/**
 * One remote operation: how to ask for it and what the answer holds. Call it to send one request; give it to a hook or a
 * controller to have the answer cached.
 *
 * @remarks Override its methods in a subclass, or give them as options, to change how requests are made and answers are read.
 * Members are read-only: `extend` makes a changed copy. `O` are the options as given, `R` is what a call resolves to.
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
// `any` as default: "an endpoint of whatever kind" must accept every concrete one.
export interface RestEndpoint<O = any, R = ResultOf<O>> {
  /** Sends one request and resolves to the processed answer: plain data, not class instances. */
  (...args: RestArgs<O>): Promise<R>;

  /** The options, for types only: nothing is there at run time. */
  readonly '~options': O;
  /** What a call resolves to, for types only. */
  readonly '~result': R;

  readonly path: O extends { readonly path: infer P extends string } ? P : string;
  readonly urlPrefix: string;
  readonly service?: string | undefined;
  readonly method: MethodOf<O>;
  readonly sideEffect: SideEffectOf<O>;
  readonly nullable: OptionOf<O, 'nullable'>;
  /** As given; its lists are those of this endpoint. */
  readonly schema: BoundSchema<OptionOf<O, 'schema'>, RestArgs<O>>;
  readonly body: OptionOf<O, 'body'>;
  readonly searchParams: OptionOf<O, 'searchParams'>;
  readonly paginationField: OptionOf<O, 'paginationField'>;
  readonly content: Content | undefined;
  readonly name: string;
  /** Ends requests when it aborts; a function is called once per request. */
  readonly signal: AbortSignal | (() => AbortSignal | undefined) | undefined;
  readonly timeout: number | undefined;
  readonly validate: OptionOf<O, 'validate'>;
  readonly retry: number | RetryOptions | undefined;
  readonly requestInit: RequestInit | undefined;
  readonly dataExpiryLength: number | undefined;
  readonly errorExpiryLength: number | undefined;
  readonly invalidIfStale: boolean | undefined;
  readonly pollFrequency: number | undefined;

  /** The whole request in order; what a call runs. */
  fetch(...args: RestArgs<O>): Promise<R>;
  /** The URL of a call: prefix, filled-in path, then the query. Throws a `TypeError` when a placeholder lacks its value. */
  url(...args: RestArgs<O>): string;
  /** Writes the query, without `?`. Override it to use another serializer. */
  searchToString(params: Readonly<Record<string, any>>): string;
  /** Makes the init of a request, the encoded body and the headers included. The signal is added afterwards. */
  getRequestInit(body?: any): RequestInit | Promise<RequestInit>;
  /** Gets the headers so far as a plain object with lower-case names, and returns those to send. */
  getHeaders(headers: HeadersInit): HeadersInit | Promise<HeadersInit>;
  /** Sends the request by `send`. Throws a `NetworkError`, its body read, when the status is not ok. */
  fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Does the network call: by default the global `fetch`. What it rejects with counts as a failed connection. */
  send(input: RequestInfo, init: RequestInit): Promise<Response>;
  /** Reads the body: by `content`, else by its content-type. No body reads as null. */
  parseResponse(response: Response): Promise<any>;
  /** Turns the parsed answer into what the call resolves to. By default it is the same. May be async. */
  // Untyped: overrides in generic subclasses could not be checked against arguments that depend on `O`.
  process(value: any, ...args: any): any;
  /** `METHOD url` with a sorted query: identifies a request. */
  key(...args: RestArgs<O>): string;
  /** Whether a key is one of this endpoint, whatever the arguments were. */
  testKey(key: string): boolean;
  /** `'soft'` keeps showing existing data. Default: soft for a status of 500 or more, a failed connection and a time-out, else hard. */
  errorPolicy(error: any): ErrorPolicy;
  /** What the server will probably answer; readers see it until the answer is there. */
  getOptimisticResponse?(snapshot: Snapshot, ...args: any[]): any;

  /** Creates a member (POST) that goes to the end of every list that it matches. The schema must hold a `Collection`. */
  readonly push: EditOf<O, this, 'push'>;
  /** As `push`, at the start of the lists. */
  readonly unshift: EditOf<O, this, 'unshift'>;
  /** Over a `Values`: creates members (POST), each under its key, in every map that it matches. */
  readonly assign: EditOf<O, this, 'assign'>;
  /** Takes a member (PATCH) out of the lists that the call's arguments match; the record itself is updated. */
  readonly remove: EditOf<O, this, 'remove'>;
  /** Changes a member (PATCH): it leaves the lists that its fields contradict and enters those that they match. */
  readonly move: EditOf<O, this, 'move'>;

  /** Reads a further page: its members go to the end of the list of the same other arguments. Needs a `paginationField`. */
  readonly getPage: PageOf<O, this, R>;
  /**
   * Makes the endpoint that reads further pages of this list, told apart by a search parameter, or by arguments of its own
   * from which a function takes those of the list.
   *
   * @throws TypeError when the schema holds no `Collection`.
   *
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
  // The function first: its result must not be looked at without knowing that it is a tuple.
  paginated<A extends readonly any[]>(
    listArgs: (...args: A) => ListArgsOf<O>,
  ): RestEndpoint<PageOptionsBy<O, A>, R> & ExtraMembers<this>;
  /** By the name of the parameter that says which page is asked for: it is no part of what identifies the list. */
  paginated<F extends string>(field: F): RestEndpoint<PageOptions<O, F>, R> & ExtraMembers<this>;

  /**
   * Makes an endpoint of the same class with some options changed.
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
 * What the constructor of a subclass takes.
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
// `ThisType` over `O` would settle `O` before `process` is looked at.
export type RestEndpointOptions<O> = RestCallbacks<any> &
  Readonly<O> &
  PathGuard<O> &
  MethodGuard<O> &
  ContentGuard<O> &
  ThisType<RestEndpoint & Record<string, any>>;

/** The class `RestEndpoint` as a value. */
// `extends` clauses and `new` pick among the signatures by the number of type parameters they are given: the unused second
// one keeps the first signature, which may return an intersection, out of `extends` clauses.
export interface RestEndpointConstructor {
  /** Infers everything from the options; members that are not options of its own are typed as given. */
  new <O extends LooseOptions, _Direct, V = NextResult<O, any>>(
    options: RestCallbacks<O> & {
      process?(value: Validated<O>, ...args: RestArgs<O>): V;
    } & Readonly<O> &
      PathGuard<O> &
      MethodGuard<O> &
      ContentGuard<O> &
      ThisType<RestEndpoint<O, any> & ExtraMembers<O>>,
  ): RestEndpoint<O, Awaited<V>> & ExtraMembers<O>;
  /** For `class Api<O extends RestGenerics = any> extends RestEndpoint<O>`. */
  new <O extends RestGenerics = any>(options: RestEndpointOptions<O>): RestEndpoint<O>;
  readonly prototype: RestEndpoint;
}

/** The class behind every REST endpoint; see the interface of the same name. */
// The one cast of the class: a hand-written constructor type is what lets subclasses be generic and instances be callable.
export const RestEndpoint: RestEndpointConstructor =
  RestEndpointClass as unknown as RestEndpointConstructor;
