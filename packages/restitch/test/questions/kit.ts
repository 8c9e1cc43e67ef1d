/**
 * Everything that a program is made of, as the library gives it. Its requests go to the server in memory. `planted.ts` replaces parts of
 * it, as a mistake in the library would look from outside.
 */
import {
  Collection,
  Endpoint,
  FocusManager,
  logout,
  LogoutManager,
  hookifyResource,
  RestEndpoint,
  resource,
  type CollectionOptions,
  type CollectionSchema,
  type Controller,
  type Entity,
  type EntityClass,
  type Manager,
} from 'restitch';
import type { Flights } from './flights.js';
import type { ClassSpec, SignOut } from './program.js';
import type { AnyEndpoint } from './questions.js';

export type Options = Readonly<Record<string, unknown>>;
export type Run = (...args: readonly unknown[]) => Promise<unknown>;

export interface Endpoints extends Readonly<
  Record<'get' | 'getList' | 'partialUpdate' | 'delete', AnyEndpoint>
> {
  extend(options: Options): Endpoints;
}

/** What a step of a response's way makes of it; in the order in which it passes them. */
export const STAGES = ['fetchResponse', 'parseResponse', 'validate', 'process'] as const;
export type Stage = (typeof STAGES)[number];

export interface Kit {
  /** Finishes a class. */
  finish(entity: EntityClass<Entity>, spec: ClassSpec): void;
  rest(options: Options, type?: typeof Api): AnyEndpoint;
  resource(options: Options, type?: typeof Api): Endpoints;
  /** An endpoint made of a function. */
  call(run: Run, options: Options): AnyEndpoint;
  /** The endpoints of a resource as a user's. */
  scoped(of: Partial<Endpoints>, user: string): Endpoints;
  /** `address`: where the list is read. */
  collection(schema: CollectionSchema, options: CollectionOptions, address: string): Collection;
  /** The schema of a create at a path of its own. */
  importSchema(list: AnyEndpoint): unknown;
  /** Gives an endpoint something of its own to do with responses. */
  tagging(endpoint: AnyEndpoint, stage: Stage, tag: string): AnyEndpoint;
  bind(endpoint: AnyEndpoint, args: readonly unknown[]): AnyEndpoint;
  /** Asks for a further page. */
  page(controller: Controller, list: AnyEndpoint, params: Options): Promise<unknown>;
  signOut(controller: Controller, how: SignOut): void;
  readonly managers: () => readonly Manager[];
}

export class Api extends RestEndpoint {
  declare readonly flights: Flights;
  declare readonly variant: string;

  override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const url = decodeURIComponent(input instanceof Request ? input.url : `${input}`);
    const { method = 'GET', body } = init;
    const auth = new Headers(init.headers).get('authorization') ?? '';
    const wire = { method, url, body: typeof body === 'string' ? body : '', auth };
    // The cast: what `parseResponse` below takes for a response, of which there always is one.
    return ((await this.flights.send(wire, this.variant)) ?? EMPTY) as Response;
  }

  override parseResponse(response: unknown): Promise<unknown> {
    return Promise.resolve(response === EMPTY ? null : response);
  }
}

/** Stands for the response without a body. */
const EMPTY = {};

// The casts of this file: programs are made at random, so nothing is known of their endpoints at compile time.
export const restOf = (type: unknown, options: Options): AnyEndpoint =>
  new (type as new (options: Options) => AnyEndpoint)(options);

export const LIBRARY: Kit = {
  finish: () => {},
  rest: (options, type = Api) => restOf(type, options),
  resource: (options, type = Api) =>
    resource({ ...options, Endpoint: type } as never) as unknown as Endpoints,
  call: (run, options) => new Endpoint(run, options) as unknown as AnyEndpoint,
  scoped(of, user) {
    const init = { headers: { authorization: user }, scope: user };
    const hooks = hookifyResource(of, () => init) as unknown as Readonly<
      Record<string, () => AnyEndpoint>
    >;
    const made = Object.entries(hooks).map(([name, useEndpoint]) => [
      name.charAt(3).toLowerCase() + name.slice(4),
      useEndpoint(),
    ]);
    return Object.fromEntries(made) as Endpoints;
  },
  collection: (schema, options) => new Collection(schema, options),
  importSchema: (list) => list.push?.schema,
  tagging: (endpoint, stage, tag) => endpoint.extend(taggingOptions(stage, tag)) as AnyEndpoint,
  // The cast: a bound endpoint is an endpoint (identity 3.2).
  bind: (endpoint, args) => endpoint.bind(undefined, ...args) as AnyEndpoint,
  page: (controller, list, params) =>
    list.getPage ? controller.fetch(list.getPage, params) : Promise.resolve(),
  signOut(controller, how) {
    if (how === 'logout') logout(controller);
    else controller.resetEntireStore();
  },
  managers: () => [new FocusManager(), new LogoutManager()],
};

/** Adds a tag to a plain value. */
export function tagged(value: unknown, tag: string): unknown {
  const { tags = [], ...rest }: { readonly tags?: readonly string[] } = Object(value);
  return { ...rest, tags: [...tags, tag] };
}

function taggingOptions(stage: Stage, tag: string): Options {
  const tagIt = (value: unknown): unknown => tagged(value, tag);
  switch (stage) {
    case 'process':
    case 'parseResponse':
      return { [stage]: tagIt };
    case 'validate':
      return {
        validate: {
          '~standard': {
            version: 1,
            vendor: 'model',
            validate: (value: unknown) => ({ value: tagIt(value) }),
          },
        },
      };
    case 'fetchResponse':
      return {
        async fetchResponse(this: Api, input: RequestInfo, init: RequestInit) {
          return tagIt(await Api.prototype.fetchResponse.call(this, input, init));
        },
      };
  }
}
