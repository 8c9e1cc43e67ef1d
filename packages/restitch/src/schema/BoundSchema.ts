import type { Collection } from './Collection.js';
import type { CustomSchema } from './CustomSchema.js';

/** The schema `S` of an endpoint or query with the arguments `Args`. Exists only in types. */
export interface AskedWith<S, Args> {
  readonly '~args': Args;
  readonly '~unbound': S;
}

type AnyFunction = ((...args: any) => unknown) | (abstract new (...args: any) => unknown);

type Unbound<S> = S extends AskedWith<infer U, unknown> ? U : S;

/**
 * The schema `S` of an endpoint, whose lists and custom schemas take the arguments `Args` of the
 * endpoint. A plain `Collection` takes them as its type argument, any other schema by `AskedWith`.
 */
export type BoundSchema<S, Args extends readonly unknown[]> = S extends
  | AnyFunction
  | readonly unknown[]
  ? S
  : S extends Collection<infer M, infer _Declared>
    ? Collection<M, Args> extends S
      ? Collection<M, Args>
      : Unbound<S> & AskedWith<Unbound<S>, Args>
    : S extends CustomSchema
      ? Unbound<S> & AskedWith<Unbound<S>, Args>
      : S extends { readonly '~value': unknown }
        ? S
        : S extends object
          ? { readonly [K in keyof S]: BoundSchema<S[K], Args> }
          : S;
