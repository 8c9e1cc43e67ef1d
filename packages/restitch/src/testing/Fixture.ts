import type { ArgsOf, EndpointInterface } from '../index.js';

/** What calls of an endpoint resolve to; where its type says nothing, anything but a function. */
export type FixtureValue<E> = E extends (...args: any) => Promise<infer R>
  ? 0 extends 1 & R
    ? object | string | number | bigint | boolean | null | undefined
    : R
  : never;

/** An answer. */
export interface ResponseFixture<E extends EndpointInterface = EndpointInterface> {
  readonly endpoint: E;
  /** The arguments that are answered. Left out: every call of the endpoint. */
  readonly args?: ArgsOf<E> | undefined;
  /**
   * What the call resolves to, `process` and `validate` included; or a function of the arguments that gives it, called once
   * for each request. What it throws is what the request fails with.
   */
  readonly response:
    | FixtureValue<E>
    | ((...args: ArgsOf<E>) => FixtureValue<E> | Promise<FixtureValue<E>>);
  readonly error?: undefined;
  /**
   * Milliseconds until the answer arrives, on the timers of the controller's `environment`; `Infinity` for never. Default: it
   * is there already.
   */
  readonly delay?: number | undefined;
}

/** A failure. */
export interface ErrorFixture<E extends EndpointInterface = EndpointInterface> {
  readonly endpoint: E;
  /** The arguments that fail. Left out: every call of the endpoint. */
  readonly args?: ArgsOf<E> | undefined;
  readonly response?: undefined;
  /** What the call rejects with. */
  readonly error: Error;
  /** Milliseconds until the failure arrives; `Infinity` for never. Default: it is there already. */
  readonly delay?: number | undefined;
}

/**
 * What a server would answer to one call of an endpoint, or to every call of it.
 *
 * @example
 * ```ts
 * import { Entity, NetworkError, resource } from 'restitch';
 * import type { Fixture } from 'restitch/testing';
 *
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 * const Users = resource({ path: '/users/:id', schema: User });
 *
 * export const found: Fixture<typeof Users.get> = {
 *   endpoint: Users.get,
 *   args: [{ id: '1' }],
 *   response: { id: '1', name: 'Ada' },
 * };
 * export const missing: Fixture<typeof Users.get> = {
 *   endpoint: Users.get,
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

/** Throws for what the compiler cannot have seen. */
export function checkFixtures(fixtures: readonly Fixture[]): void {
  for (const [index, fixture] of fixtures.entries()) {
    const at = `fixtures[${index}]`;
    const { endpoint, args, error, delay } = fixture;
    // The cast: callers without types may hand over anything.
    if (typeof (endpoint as Partial<EndpointInterface> | undefined)?.testKey !== 'function') {
      throw new TypeError(`${at}: \`endpoint\` must be an endpoint, such as \`Users.get\`.`);
    }
    if (args !== undefined && !Array.isArray(args)) {
      throw new TypeError(`${at}: \`args\` must be the list of the call's arguments: [{ id: 1 }].`);
    }
    if (error ? fixture.response !== undefined : !('response' in fixture)) {
      throw new TypeError(`${at}: give it either a \`response\` or an \`error\`.`);
    }
    if (delay !== undefined && !(delay >= 0)) {
      throw new RangeError(`${at}: \`delay\` must be zero or more milliseconds.`);
    }
  }
}
