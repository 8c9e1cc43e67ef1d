import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { MethodGuard } from '../endpoint/Method.js';
import type { OptionOf, RestArgs } from '../endpoint/RestArgs.js';
import type { ExtraMembers, RestEndpoint, RestEndpointOptions } from '../endpoint/RestEndpoint.js';
import type {
  ContentGuard,
  LooseOptions,
  NextResult,
  PathGuard,
  RestCallbacks,
  RestGenerics,
  ResultOf,
  Validated,
} from '../endpoint/RestOptions.js';

/** The options that only endpoints over an axios instance have. */
export interface AxiosEndpointOptions {
  /** What only axios knows: progress callbacks, an adapter, options of your own. It goes into the config of every request. */
  readonly axiosConfig?: AxiosRequestConfig | undefined;
  /**
   * Whether a call resolves to what the instance resolves to, with status and headers, instead of its `data`. Default: false.
   *
   * @remarks Readers get it as it is, and exports of the store leave it out. Beside a `schema` it is an error: a store of records
   * would hold the headers and the config of requests, tokens included. `extend` types the result as `any`.
   */
  readonly wholeResponse?: boolean | undefined;
}

/** What a call resolves to, read from the options. */
type AxiosResultOf<O, R = ResultOf<O>> = 0 extends 1 & O
  ? any
  : OptionOf<O, 'wholeResponse'> extends true
    ? OptionOf<O, 'process' | 'validate'> extends undefined
      ? AxiosResponse
      : R
    : R;

/** Refuses a schema beside `wholeResponse`, by asking for a property whose name says what to do. */
type WholeGuard<O> =
  OptionOf<O, 'wholeResponse'> extends true
    ? [OptionOf<O, 'schema'>] extends [null | undefined]
      ? unknown
      : { readonly 'a schema has no place beside wholeResponse: take one of them away': never }
    : unknown;

/** A class of endpoints over an axios instance, as a value. */
export interface AxiosEndpointConstructor {
  // Two signatures, for the reasons that `RestEndpointConstructor` has.
  new <O extends LooseOptions, _Direct, V = NextResult<O, any>>(
    options: AxiosEndpointOptions &
      RestCallbacks<O> & {
        process?(value: Validated<O>, ...args: RestArgs<O>): V;
      } & Readonly<O> &
      PathGuard<O> &
      MethodGuard<O> &
      ContentGuard<O> &
      WholeGuard<O> &
      ThisType<RestEndpoint<O, any> & ExtraMembers<O>>,
  ): RestEndpoint<O, AxiosResultOf<O, Awaited<V>>> & ExtraMembers<O>;
  /** For `class Api<O extends RestGenerics = any> extends axiosEndpoint(instance)<O>`. */
  new <O extends RestGenerics = any>(
    options: AxiosEndpointOptions & RestEndpointOptions<O> & WholeGuard<O>,
  ): RestEndpoint<O, AxiosResultOf<O>>;
  readonly prototype: RestEndpoint;
}
