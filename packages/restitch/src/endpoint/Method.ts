import type { OptionOf } from './RestArgs.js';

/** The HTTP methods that editors suggest. Endpoints accept any other method, too. */
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

// True for at most one missing, added, changed or swapped letter.
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

/** Rejects a misspelled HTTP method in `new`. In `extend`, this would slow down type checking. */
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
