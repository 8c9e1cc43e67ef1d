import type { Flat, PathParams } from './PathParams.js';

/** The type of one option, or a default if it is not set. */
export type OptionOf<O, K extends PropertyKey, Default = undefined> = K extends keyof O
  ? O[K]
  : Default;

/** Marks an endpoint whose calls take no body. */
export interface NoBody {
  readonly '~noBody': true;
}

/** The method. Default: POST for an endpoint with a body or a side effect, otherwise GET. */
export type MethodOf<O> =
  OptionOf<O, 'method'> extends infer M extends string
    ? M
    : [OptionOf<O, 'body'>] extends [undefined]
      ? [OptionOf<O, 'sideEffect'>] extends [true]
        ? 'POST'
        : 'GET'
      : 'POST';

/** True if calls change data on the server. Default: undefined for GET, true for other methods. */
export type SideEffectOf<O> = 'sideEffect' extends keyof O
  ? O['sideEffect']
  : MethodOf<O> extends 'GET'
    ? undefined
    : true;

/** The declared body of a call. Default: `NoBody` for GET, HEAD and DELETE, otherwise `any`. */
export type BodyOf<O> = 'body' extends keyof O
  ? unknown extends O['body']
    ? any
    : [O['body']] extends [undefined]
      ? NoBody
      : O['body']
  : MethodOf<O> extends 'GET' | 'HEAD' | 'DELETE'
    ? NoBody
    : // An undeclared body is untyped on purpose.
      any;

// If `S` includes undefined, a call can omit the search parameters. With a required path
// parameter, the call still needs the object, so only its search parameters become optional.
type WithSearch<P, S> = unknown extends S
  ? Flat<P & { readonly [name: string]: any }>
  : [S] extends [undefined]
    ? P
    : Flat<
        P &
          (undefined extends S
            ? {} extends P
              ? Exclude<S, undefined>
              : Partial<Exclude<S, undefined>>
            : S)
      >;

/** True if calls take no body. False for `any`. */
export type HasNoBody<B> = unknown extends B ? false : [B] extends [NoBody] ? true : false;

type BodyArgs<B> = undefined extends B ? [body?: B] : [body: B];

// `getList()` and `getList({})` read the same list. A mutation without parameters and body takes no
// argument at all. Otherwise, `onClick={mutate}` would not compile: an event is no `NoParams`.
type NoParams = Readonly<Record<string, never>>;

// `P`: path parameters, `S`: search parameters, `A`: both, `B`: body, `O`: options.
// At run time, a single argument is the body if no placeholder needs a value. These tuples allow a
// single argument only where it is unambiguous.
type ArgList<P, A, S, B, O> = [keyof A] extends [never]
  ? HasNoBody<B> extends true
    ? MethodOf<O> extends 'GET'
      ? [params?: NoParams]
      : []
    : BodyArgs<B>
  : (
        {} extends A ? true : {} extends P ? (undefined extends S ? true : 'search') : false
      ) extends infer Optional
    ? HasNoBody<B> extends true
      ? Optional extends true
        ? [params?: A]
        : [params: A]
      : Optional extends true
        ? BodyArgs<B> | [params: A, body: B]
        : Optional extends false
          ? undefined extends B
            ? [params: A, body?: B]
            : [params: A, body: B]
          : // The first argument of a page endpoint is never the body.
            '$page' extends keyof O
            ? undefined extends B
              ? [params: A, body?: B]
              : [params: A, body: B]
            : [params: A, body: B]
    : never;

// Distributes over a union of paths: each member has its own argument list.
type PathArgs<P, S, B, O> = P extends unknown ? ArgList<P, WithSearch<P, S>, S, B, O> : never;

type UrlArgs<U> = U extends (...args: infer A) => string ? A : any;

/** The argument list of an endpoint with the options `O`. */
// The outer `infer` proves that the result is an array, even in a generic subclass.
export type RestArgs<O> = 0 extends 1 & O
  ? any
  : (
        'path' extends keyof O
          ? PathArgs<PathParams<O['path']>, OptionOf<O, 'searchParams'>, BodyOf<O>, O>
          : 'url' extends keyof O
            ? UrlArgs<O['url']>
            : any
      ) extends infer A extends any[]
    ? A
    : never;
