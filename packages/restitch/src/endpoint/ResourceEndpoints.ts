import type {
  DeleteOptions,
  GetListOptions,
  GetOptions,
  PartialUpdateOptions,
  UpdateOptions,
} from './ResourceOptions.js';
import type { ExtendOptions, Extended, ExtraMembers, RestEndpoint } from './RestEndpoint.js';
import type { LooseOptions, Merge, MergeShared, NextResult } from './RestOptions.js';

/** The extra members of the class in the `Endpoint` option. */
export type ClassMembers<R> = R extends {
  readonly Endpoint: abstract new (...args: any) => infer I;
}
  ? ExtraMembers<I>
  : unknown;

/** The five standard endpoints of a resource with the options `R`. */
export interface ResourceEndpoints<R> {
  /** GET on the path. */
  readonly get: RestEndpoint<GetOptions<R>, any> & ClassMembers<R>;
  /** GET on the path without its last placeholder. `push` and `unshift` create members. */
  readonly getList: RestEndpoint<GetListOptions<R>, any> & ClassMembers<R>;
  /** PUT on the path. */
  readonly update: RestEndpoint<UpdateOptions<R>, any> & ClassMembers<R>;
  /** PATCH on the path. */
  readonly partialUpdate: RestEndpoint<PartialUpdateOptions<R>, any> & ClassMembers<R>;
  /** DELETE on the path. A direct call resolves to the primary key of the deleted record. */
  readonly delete: RestEndpoint<DeleteOptions<R>, any> & ClassMembers<R>;
}

/** The type of an endpoint's options, or `any` if `E` is no REST endpoint. */
export type OptionsIn<E> = E extends { readonly '~options': infer O } ? O : any;
/** The result of a call. */
export type ResultIn<E> = E extends { readonly '~result': infer R } ? R : any;

/** The endpoint that `extend(name)` changes: the endpoint with that name, otherwise `get`. */
export type BaseOf<X, N> = N extends keyof X
  ? X[N]
  : X extends { readonly get: infer G }
    ? G
    : RestEndpoint;

/** The options of an endpoint after `extend(name, options)`. */
export type MergedIn<X, N, E> = N extends keyof X
  ? Merge<OptionsIn<X[N]>, E>
  : MergeShared<OptionsIn<BaseOf<X, N>>, E>;

/** An endpoint with changed options. */
export type ExtendedIn<B, E, V> = Extended<Merge<OptionsIn<B>, E>, E, B, Awaited<V>>;
/** The options that change an endpoint. */
export type ExtendOptionsIn<B, E, V> = ExtendOptions<Merge<OptionsIn<B>, E>, E, B, V>;

/** The names that `extend({ … })` accepts. In contrast, `extend(name, …)` accepts any name. */
export type StandardName = 'get' | 'getList' | 'update' | 'partialUpdate' | 'delete';

/** `X`, with the members named `N` replaced by those of `Y`. */
export type Patched<X, N, Y> = { readonly [K in keyof X]: K extends N & keyof Y ? Y[K] : X[K] };

/** `X`, overridden by `Y`. */
export type Put<X, Y> = {
  readonly [K in keyof X | keyof Y]: K extends keyof Y ? Y[K] : K extends keyof X ? X[K] : never;
};

/** The result of `extend`: the endpoints `X` and the method `extend`. */
export type ResourceOf<X> = X & ResourceMethods<X>;

/** The method `extend`, which changes the endpoints `X` of a resource or adds endpoints. */
export interface ResourceMethods<X> {
  /**
   * Changes the endpoint with this name, or adds an endpoint based on `get`.
   *
   * @remarks A new endpoint does not inherit the schema of `get`, because the responses differ.
   * Pass a schema with the options.
   * @example
   * ```ts
   * import { Entity, resource } from 'restitch';
   *
   * class User extends Entity {
   *   id = '';
   * }
   *
   * const UserResource = resource({ path: '/users/:id', schema: User }).extend('current', {
   *   path: '/me',
   *   schema: User,
   * });
   * ```
   */
  extend<N extends string, E extends LooseOptions = {}, V = NextResult<E, ResultIn<BaseOf<X, N>>>>(
    name: N,
    options: ExtendOptions<MergedIn<X, N, E>, E, BaseOf<X, N>, V>,
  ): ResourceOf<
    Put<X, { readonly [K in N]: Extended<MergedIn<X, N, E>, E, BaseOf<X, N>, Awaited<V>> }>
  >;
  /** Adds the endpoints that the function returns. They replace endpoints with the same names. */
  extend<Y extends object>(makeEndpoints: (base: ResourceOf<X>) => Y): ResourceOf<Put<X, Y>>;
  /** Changes several of the five standard endpoints. */
  // With a mapped type over the names, TypeScript would not infer the types of callbacks.
  extend<
    N extends StandardName,
    G extends LooseOptions = {},
    L extends LooseOptions = {},
    U extends LooseOptions = {},
    P extends LooseOptions = {},
    D extends LooseOptions = {},
    GV = NextResult<G, ResultIn<BaseOf<X, 'get'>>>,
    LV = NextResult<L, ResultIn<BaseOf<X, 'getList'>>>,
    UV = NextResult<U, ResultIn<BaseOf<X, 'update'>>>,
    PV = NextResult<P, ResultIn<BaseOf<X, 'partialUpdate'>>>,
    DV = NextResult<D, ResultIn<BaseOf<X, 'delete'>>>,
  >(
    options: {
      readonly get?: ExtendOptionsIn<BaseOf<X, 'get'>, G, GV>;
      readonly getList?: ExtendOptionsIn<BaseOf<X, 'getList'>, L, LV>;
      readonly update?: ExtendOptionsIn<BaseOf<X, 'update'>, U, UV>;
      readonly partialUpdate?: ExtendOptionsIn<BaseOf<X, 'partialUpdate'>, P, PV>;
      readonly delete?: ExtendOptionsIn<BaseOf<X, 'delete'>, D, DV>;
    } & { readonly [K in N]?: unknown },
  ): ResourceOf<
    Patched<
      X,
      N,
      {
        readonly get: ExtendedIn<BaseOf<X, 'get'>, G, GV>;
        readonly getList: ExtendedIn<BaseOf<X, 'getList'>, L, LV>;
        readonly update: ExtendedIn<BaseOf<X, 'update'>, U, UV>;
        readonly partialUpdate: ExtendedIn<BaseOf<X, 'partialUpdate'>, P, PV>;
        readonly delete: ExtendedIn<BaseOf<X, 'delete'>, D, DV>;
      }
    >
  >;
}

/** A set of endpoints for one record type; see `resource()`. */
export interface Resource<R> extends ResourceEndpoints<R>, ResourceMethods<ResourceEndpoints<R>> {}
