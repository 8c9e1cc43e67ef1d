import type {
  DeleteOptions,
  GetListOptions,
  GetOptions,
  PartialUpdateOptions,
  UpdateOptions,
} from './ResourceOptions.js';
import type { ExtendOptions, Extended, ExtraMembers, RestEndpoint } from './RestEndpoint.js';
import type { LooseOptions, Merge, MergeShared, NextResult } from './RestOptions.js';

/** The further members of the class given as `Endpoint`. */
export type ClassMembers<R> = R extends {
  readonly Endpoint: abstract new (...args: any) => infer I;
}
  ? ExtraMembers<I>
  : unknown;

/** The endpoints of a resource. */
export interface ResourceEndpoints<R> {
  /** GET on the path. */
  readonly get: RestEndpoint<GetOptions<R>, any> & ClassMembers<R>;
  /** GET on the path without its last placeholder. `getList.push` and `getList.unshift` create members. */
  readonly getList: RestEndpoint<GetListOptions<R>, any> & ClassMembers<R>;
  /** PUT on the path. */
  readonly update: RestEndpoint<UpdateOptions<R>, any> & ClassMembers<R>;
  /** PATCH on the path. */
  readonly partialUpdate: RestEndpoint<PartialUpdateOptions<R>, any> & ClassMembers<R>;
  /** DELETE on the path. Resolves to the call's parameters when the answer is empty. */
  readonly delete: RestEndpoint<DeleteOptions<R>, any> & ClassMembers<R>;
}

/** The options that an endpoint was made from. */
export type OptionsIn<E> = E extends { readonly '~options': infer O } ? O : any;
/** What a call of an endpoint resolves to. */
export type ResultIn<E> = E extends { readonly '~result': infer R } ? R : any;

/** The endpoint that a name extends: that of the name, otherwise `get`. */
export type BaseOf<X, N> = N extends keyof X
  ? X[N]
  : X extends { readonly get: infer G }
    ? G
    : RestEndpoint;

/** The options of an endpoint that is extended by name. */
export type MergedIn<X, N, E> = N extends keyof X
  ? Merge<OptionsIn<X[N]>, E>
  : MergeShared<OptionsIn<BaseOf<X, N>>, E>;

/** An endpoint with changed options. */
export type ExtendedIn<B, E, V> = Extended<Merge<OptionsIn<B>, E>, E, B, Awaited<V>>;
/** The options that change an endpoint. */
export type ExtendOptionsIn<B, E, V> = ExtendOptions<Merge<OptionsIn<B>, E>, E, B, V>;

/** The names of a resource's own endpoints. */
export type StandardName = 'get' | 'getList' | 'update' | 'partialUpdate' | 'delete';

/** Members of `X`, those named `N` replaced by the ones in `Y`. */
export type Patched<X, N, Y> = { readonly [K in keyof X]: K extends N & keyof Y ? Y[K] : X[K] };

/** Members of `X` with those of `Y` on top. */
export type Put<X, Y> = {
  readonly [K in keyof X | keyof Y]: K extends keyof Y ? Y[K] : K extends keyof X ? X[K] : never;
};

/** A resource whose endpoints are `X`. */
export type ResourceOf<X> = X & ResourceMethods<X>;

/** What a resource can do besides its endpoints. */
export interface ResourceMethods<X> {
  /**
   * Changes an endpoint, or adds one that is based on `get`. A new one has no schema unless it is given one, since its
   * response is another one.
   *
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
  /** Adds or replaces endpoints with those that the function makes. */
  extend<Y extends object>(makeEndpoints: (base: ResourceOf<X>) => Y): ResourceOf<Put<X, Y>>;
  /** Changes several of the five standard endpoints. */
  // A pair of type parameters for each: a mapped type over the names would not infer callbacks. `N` are the names given.
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

/** A set of endpoints for one kind of record; see `resource()`. */
export interface Resource<R> extends ResourceEndpoints<R>, ResourceMethods<ResourceEndpoints<R>> {}
