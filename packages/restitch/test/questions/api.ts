/** The endpoint class of all programs: its requests go to the server in memory. */
import { Endpoint, hookifyResource, RestEndpoint, resource } from 'restitch';
import type { Flights } from './flights.js';
import type { AnyEndpoint } from './questions.js';

type Options = Readonly<Record<string, unknown>>;

export class Api extends RestEndpoint {
  declare readonly flights: Flights;
  declare readonly variant: string;

  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const url = decodeURIComponent(String(input));
    const { method = 'GET', body } = init;
    const auth = new Headers(init.headers).get('authorization') ?? '';
    const wire = { method, url, body: typeof body === 'string' ? body : '', auth };
    // The cast: what `parseResponse` below takes for a response.
    return this.flights.send(wire, this.variant) as Promise<Response>;
  }

  override parseResponse(response: unknown): Promise<unknown> {
    return Promise.resolve(response);
  }
}

// The casts of this file: programs are made at random, so nothing is known of their endpoints at compile time.
export const rest = (options: Options): AnyEndpoint =>
  new (Api as unknown as new (options: Options) => AnyEndpoint)(options);

export interface Endpoints extends Readonly<
  Record<'get' | 'getList' | 'partialUpdate' | 'delete', AnyEndpoint>
> {
  extend(options: Options): Endpoints;
}

export const resourceOf = (options: Options): Endpoints =>
  resource({ ...options, Endpoint: Api } as never) as unknown as Endpoints;

export const call = (
  run: (...args: readonly unknown[]) => Promise<unknown>,
  options: Options,
): AnyEndpoint => new Endpoint(run, options) as unknown as AnyEndpoint;

/** The endpoints of a resource as `hookifyResource` gives them to a user. */
export function scoped(of: Endpoints, user: string): Endpoints {
  const init = { headers: { authorization: user }, scope: user };
  const hooks = hookifyResource(of, () => init) as unknown as Readonly<
    Record<string, () => AnyEndpoint>
  >;
  const made = Object.entries(hooks).map(([name, useEndpoint]) => [
    name.charAt(3).toLowerCase() + name.slice(4),
    useEndpoint(),
  ]);
  return Object.fromEntries(made) as Endpoints;
}
