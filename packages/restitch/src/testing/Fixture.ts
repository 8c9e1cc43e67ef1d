import type { ArgsOf, EndpointInterface } from '../index.js';

/** The value that calls of an endpoint resolve to: for `any`, a plain value or an object. */
export type FixtureValue<E> = E extends (...args: any) => Promise<infer R>
  ? 0 extends 1 & R
    ? object | string | number | bigint | boolean | null | undefined
    : R
  : never;

/** A fixture of a successful call. */
export interface ResponseFixture<E extends EndpointInterface = EndpointInterface> {
  readonly endpoint: E;
  /** The arguments of the calls that get this response. Default: every call of the endpoint. */
  readonly args?: ArgsOf<E> | undefined;
  /**
   * The value that the call resolves to, or a function of the arguments that returns this value.
   * `process` and `validate` of the endpoint do not run.
   *
   * @remarks The function is called once for each request. If the function throws, the request
   * fails with that error.
   */
  readonly response:
    | FixtureValue<E>
    | ((...args: ArgsOf<E>) => FixtureValue<E> | Promise<FixtureValue<E>>);
  readonly error?: undefined;
  /**
   * Milliseconds until the response arrives; `Infinity` for never. Default: the response arrives at
   * once. `mockFixtures` describes which responses are in the store from the start.
   *
   * @remarks The timers of the controller's `environment` measure the delay.
   */
  readonly delay?: number | undefined;
}

/** A fixture of a failed call. */
export interface ErrorFixture<E extends EndpointInterface = EndpointInterface> {
  readonly endpoint: E;
  /** The arguments of the calls that fail. Default: every call of the endpoint. */
  readonly args?: ArgsOf<E> | undefined;
  readonly response?: undefined;
  /** The error that the call rejects with. */
  readonly error: Error;
  /**
   * Milliseconds until the error arrives; `Infinity` for never. Default: the error arrives at once.
   * For a read with `args` and no `delay`, the error is in the store from the start.
   */
  readonly delay?: number | undefined;
}

/**
 * The mocked response or error for one call of an endpoint, or for all its calls.
 *
 * @example
 * ```ts
 * import { NetworkError, RestEndpoint } from 'restitch';
 * import type { Fixture } from 'restitch/testing';
 *
 * const getUser = new RestEndpoint({ path: '/users/:id' });
 *
 * export const missing: Fixture<typeof getUser> = {
 *   endpoint: getUser,
 *   args: [{ id: '2' }],
 *   error: new NetworkError(new Response(null, { status: 404 })),
 *   delay: 300,
 * };
 * ```
 */
export type Fixture<E extends EndpointInterface = EndpointInterface> =
  | ResponseFixture<E>
  | ErrorFixture<E>;

/** A list of fixtures, each checked against its own endpoint. */
export type Fixtures<Endpoints extends readonly EndpointInterface[]> = {
  readonly [I in keyof Endpoints]: Fixture<Endpoints[I]>;
};

export function checkFixtures(fixtures: readonly Fixture[]): void {
  for (const [index, fixture] of fixtures.entries()) {
    const at = `fixtures[${index}]`;
    const { endpoint, args, error, delay } = fixture;
    // The cast: callers without types may pass any value.
    if (typeof (endpoint as Partial<EndpointInterface> | undefined)?.testKey !== 'function') {
      throw new TypeError(`${at}: \`endpoint\` must be an endpoint, such as \`Users.get\`.`);
    }
    if (args !== undefined && !Array.isArray(args)) {
      throw new TypeError(`${at}: \`args\` must be the list of the call's arguments: [{ id: 1 }].`);
    }
    if (error ? fixture.response !== undefined : !('response' in fixture)) {
      throw new TypeError(`${at}: set either \`response\` or \`error\`.`);
    }
    if (delay !== undefined && !(delay >= 0)) {
      throw new RangeError(`${at}: \`delay\` must be zero or more milliseconds.`);
    }
  }
}
