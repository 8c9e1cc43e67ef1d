import { inject } from 'vitest';

declare module 'vitest' {
  // Filled by browserServer.ts.
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** The response of the server to one method and path. */
export interface Reply {
  /** 200 when left out. */
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as HTML, anything else as JSON, `undefined` as no body. */
  body?: unknown;
  /** Waits for `world.release(key)`; a request is listed as seen before that. */
  held?: boolean;
  /** Closes the connection without a response, as a network that is down does. */
  drop?: boolean;
}

/** A request as the server saw it, in order of arrival. */
export interface SeenRequest {
  method: string;
  /** With the query, without the world's prefix. */
  path: string;
  body: string | undefined;
}

/** A part of the server that belongs to one test. */
export interface World {
  /** Prefix for the paths of the code under test, for example as `urlPrefix`. */
  readonly url: string;
  /** Adds or replaces replies by method and path with query: `{ 'GET /users/1': { body: user } }`. */
  reply(replies: Record<string, Reply>): Promise<void>;
  /** Releases every held request of `key` (`'GET /users/1'`), or the next one if none has arrived. */
  release(key: string): Promise<void>;
  /** Every request so far. */
  requests(): Promise<SeenRequest[]>;
  /** Every request that the browser sent by itself, to ask whether a cross-origin request may be sent. */
  preflights(): Promise<SeenRequest[]>;
}

/** Opens an empty world on the real server of the `browser` project. */
export async function openWorld(replies: Record<string, Reply> = {}): Promise<World> {
  const name = crypto.randomUUID();
  const server = inject('serverUrl');
  const control = async (method: string, body?: unknown, list = ''): Promise<SeenRequest[]> => {
    const response = await fetch(`${server}/control/${name}${list}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return response.json() as Promise<SeenRequest[]>;
  };
  const world: World = {
    url: `${server}/${name}`,
    reply: async (more) => void (await control('PUT', more)),
    release: async (key) => void (await control('POST', key)),
    requests: () => control('GET'),
    preflights: () => control('GET', undefined, '/preflights'),
  };
  await world.reply(replies);
  return world;
}
