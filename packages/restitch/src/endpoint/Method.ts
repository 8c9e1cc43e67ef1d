import type { OptionOf } from './RestArgs.js';

/** The methods of HTTP. */
export type HttpMethod =
  | 'GET'
  | 'HEAD'
  | 'POST'
  | 'PUT'
  | 'PATCH'
  | 'DELETE'
  | 'OPTIONS'
  | 'TRACE'
  | 'CONNECT';

// Whether `A` is `B` with at most one letter missing, added, changed or swapped with its neighbor.
type IsNear<A extends string, B extends string> = A extends `${infer X}${infer RestA}`
  ? B extends `${infer Y}${infer RestB}`
    ? X extends Y
      ? IsNear<RestA, RestB>
      : RestA extends RestB | B
        ? true
        : A extends RestB
          ? true
          : [RestA, RestB] extends [`${Y}${infer TailA}`, `${X}${infer TailB}`]
            ? [TailA] extends [TailB]
              ? true
              : false
            : false
    : RestA extends ''
      ? true
      : false
  : B extends '' | `${infer _}${''}`
    ? true
    : false;

/** Refuses a method that is a misspelt one of HTTP. Asked by `new` only: in each `extend` it would cost too much. */
export type MethodGuard<O> =
  OptionOf<O, 'method'> extends infer M extends string
    ? M extends HttpMethod
      ? unknown
      : string extends M
        ? unknown
        : true extends { [K in HttpMethod]: IsNear<M, K> }[HttpMethod]
          ? { readonly method: HttpMethod }
          : unknown
    : unknown;
