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
  /** Options of axios for every request, such as progress callbacks or an adapter. */
  readonly axiosConfig?: AxiosRequestConfig | undefined;
  /**
   * True: a call resolves to the whole response, with status and headers, instead of its `data`.
   * Default: false.
   *
   * @remarks Readers receive the response unchanged, and exports of the store omit it. The option
   * cannot be combined with a `schema`: the store would contain the headers of requests, for
   * example tokens. `extend` types the result as `any`.
   */
  readonly wholeResponse?: boolean | undefined;
}

type AxiosResultOf<O, R = ResultOf<O>> = 0 extends 1 & O
  ? any
  : OptionOf<O, 'wholeResponse'> extends true
    ? OptionOf<O, 'process' | 'validate'> extends undefined
      ? AxiosResponse
      : R
    : R;

/** The compiler prints the property name as the error message. */
type WholeGuard<O> =
  OptionOf<O, 'wholeResponse'> extends true
    ? [OptionOf<O, 'schema'>] extends [null | undefined]
      ? unknown
      : { readonly 'a schema cannot be combined with wholeResponse: remove one of them': never }
    : unknown;

/** The constructor of endpoints over an axios instance. */
export interface AxiosEndpointConstructor {
  // `RestEndpointConstructor` explains the two signatures.
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
  /** The signature for `class Api<O extends RestGenerics> extends axiosEndpoint(instance)<O>`. */
  new <O extends RestGenerics = any>(
    options: AxiosEndpointOptions & RestEndpointOptions<O> & WholeGuard<O>,
  ): RestEndpoint<O, AxiosResultOf<O>>;
  readonly prototype: RestEndpoint;
}
