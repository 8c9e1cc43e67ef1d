/** One step talks to the network, and only its failures count as those of the connection. */
import {
  Controller,
  Entity,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
  uploadTransport,
} from 'restitch';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.seen.length = 0;
  server.respond((request) => request);
});

class User extends Entity {
  id = '';
  name = '';
  static override key = 'TransportUser';
}

const failureOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    (value) => expect.fail(`resolved to ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

/** The error of a mistake in a caller's code. */
const mistake = (): never => {
  const user: User | undefined = JSON.parse('[]')[0];
  // The cast is the mistake.
  throw new Error(`there is a ${(user as User).name}`);
};

const atOnce = { limit: 3, backoff: () => 0 };

describe('send', () => {
  it('is the step that an option replaces, given the URL, the finished init and the endpoint as `this`', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users/:id',
      tag: 'x',
      getHeaders: (headers) => ({ ...headers, 'x-own': 'yes' }),
      async send(url, init) {
        expect(this.tag).toBe('x');
        expect(url).toBe(`${server.origin}/users/7`);
        expect(init).toMatchObject({ method: 'GET', headers: { 'x-own': 'yes' } });
        return new Response('{"sent":true}', { headers: { 'content-type': 'application/json' } });
      },
    });
    expect(await get({ id: 7 })).toEqual({ sent: true });
    expect(server.seen).toHaveLength(0);
  });

  it('is called by every `fetchResponse` that calls its parent, as often as that does', async () => {
    const sent: string[] = [];
    class Twice<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
        await super.fetchResponse(input, { ...init, headers: { 'x-try': '1' } });
        return super.fetchResponse(input, { ...init, headers: { 'x-try': '2' } });
      }
      override send(input: RequestInfo, init: RequestInit): Promise<Response> {
        sent.push(new Headers(init.headers).get('x-try') ?? '');
        return super.send(input, init);
      }
    }
    await new Twice({ urlPrefix: server.origin, path: '/a' }).extend({ dataExpiryLength: 5 })();
    expect(sent).toEqual(['1', '2']);
    expect(server.seen.map(({ headers }) => headers['x-try'])).toEqual(['1', '2']);
  });

  it('leaves statuses to `fetchResponse`: one that is not ok is a NetworkError', async () => {
    const get = new RestEndpoint({
      path: '/a',
      send: async () => new Response('{"error":"no"}', { status: 409 }),
    });
    const error = await failureOf(get());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 409 });
  });

  it('may be a class field', async () => {
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override send = async () => Response.json({ by: 'field' });
    }
    expect(await new Api({ path: '/a' })()).toEqual({ by: 'field' });
  });

  it('that returns nothing is named in the error', async () => {
    const get = new RestEndpoint({
      path: '/a',
      name: 'getA',
      send: async () => undefined as never,
    });
    const error = await failureOf(get());
    expect(error).toMatchObject({ name: 'TypeError', code: 'nothing-returned' });
    expect(error.message).toBe('getA: `send` returned nothing.');
  });

  it('by uploadTransport sends by `fetch` where there is no XMLHttpRequest', async () => {
    const onProgress = vi.fn();
    const upload = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/files',
      body: {} as Blob | ReadableStream,
      send: uploadTransport,
      onProgress,
    });
    expect(await upload(new Blob(['text']))).toMatchObject({ method: 'POST', body: 'text' });
    expect(await upload(new Blob(['streamed']).stream())).toMatchObject({ body: 'streamed' });
    expect(onProgress).not.toHaveBeenCalled();
  });
});

describe('a failed connection', () => {
  it.each([
    ['TypeError', new TypeError('fetch failed')],
    ['error of another client', Object.assign(new Error('socket'), { code: 'ERR_NETWORK' })],
  ])(
    'is what send rejects with, here a %s: soft, tried again, and data stays',
    async (_, error) => {
      const down = vi.fn(async () => Promise.reject(error));
      const get = new RestEndpoint({
        urlPrefix: server.origin,
        path: '/users/:id',
        schema: User,
        retry: atOnce,
      });
      const failing = get.extend({ send: down });
      const controller = new Controller();
      server.respond(() => ({ id: '1', name: 'Ada' }));
      await controller.fetch(get, { id: '1' });
      expect(await failureOf(controller.fetch(failing, { id: '1' }))).toBe(error);
      expect(down).toHaveBeenCalledTimes(4);
      expect(failing.errorPolicy(error)).toBe('soft');
      expect(controller.observe(failing, { id: '1' }).getSnapshot().status).toBe('ready');
      expect(controller.getResponse(failing, { id: '1' })?.name).toBe('Ada');
    },
  );

  it.each([
    'Failed to fetch',
    'Failed to fetch (api.example.com)',
    'fetch failed',
    'terminated',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    'The network connection was lost.',
    'The Internet connection appears to be offline.',
    'The certificate for this server is invalid.',
    'Could not connect to the server.',
    'Network request failed',
    'error sending request for url (https://api.example.com/users)',
  ])('is what every platform says of it: %s', async (message) => {
    const send = vi.fn(async () => Promise.reject(new TypeError(message)));
    const get = new RestEndpoint({ path: '/a', send, retry: atOnce });
    expect(get.errorPolicy(await failureOf(get()))).toBe('soft');
    const own = new RestEndpoint({ path: '/a', fetchResponse: send });
    expect(own.errorPolicy(await failureOf(own()))).toBe('soft');
    expect(send).toHaveBeenCalledTimes(5);
  });

  it.each(['no rows', 'items.map is not a function', 'fetchUsers is not a function'])(
    'is no TypeError of the program in a transport of its own: %s',
    async (message) => {
      const send = vi.fn(async () => Promise.reject(new TypeError(message)));
      const bySend = new RestEndpoint({ path: '/a', retry: atOnce, send });
      const whole = new RestEndpoint({ path: '/a', retry: atOnce, fetchResponse: send });
      for (const get of [bySend, whole]) {
        expect(get.errorPolicy(await failureOf(get()))).toBe('hard');
      }
      expect(send).toHaveBeenCalledTimes(2);
    },
  );

  it('is also a body that breaks off', async () => {
    server.respond((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' });
      response.write('{', () => response.destroy());
    });
    for (const content of [undefined, 'text', 'blob'] as const) {
      const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a', content });
      expect(get.errorPolicy(await failureOf(get()))).toBe('soft');
    }
  });

  it('is what a `fetchResponse` rejects with that sends by itself', async () => {
    const fetchResponse = vi.fn(async () => fetch('http://127.0.0.1:1'));
    const get = new RestEndpoint({ path: '/a', retry: atOnce, fetchResponse });
    expect(get.errorPolicy(await failureOf(get()))).toBe('soft');
    expect(fetchResponse).toHaveBeenCalledTimes(4);
  });

  it('passes through the endpoint that asks another one', async () => {
    const token = new RestEndpoint({ path: '/token', send: () => fetch('http://127.0.0.1:1') });
    const get = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/a',
      async getHeaders(headers) {
        return { ...headers, authorization: await token() };
      },
    });
    expect(get.errorPolicy(await failureOf(get()))).toBe('soft');
  });

  it('is a time-out, and not an abort', async () => {
    server.respond(() => undefined);
    const controller = new AbortController();
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a', retry: atOnce });
    const call = failureOf(get.extend({ signal: controller.signal })());
    controller.abort(new TypeError('withdrawn'));
    expect(get.errorPolicy(await call)).toBe('hard');
    expect(get.errorPolicy(await failureOf(get.extend({ timeout: 20, retry: 0 })()))).toBe('soft');
    expect(server.seen.length).toBeLessThanOrEqual(2);
  });

  it('may be stood for by an error that no endpoint made, as in a fixture', () => {
    const get = new RestEndpoint({ path: '/a' });
    expect(get.errorPolicy(new TypeError('Failed to fetch'))).toBe('soft');
    expect(get.errorPolicy(new RangeError('no'))).toBe('hard');
  });
});

const getter = { enumerable: true, get: mistake };

type Step = readonly [step: string, sends: number, options: object];

describe('a TypeError of the program', () => {
  const steps: readonly Step[] = [
    ['url', 0, { url: mistake, key: () => 'GET /users/1', testKey: () => true }],
    [
      'searchToString',
      0,
      { searchToString: mistake, key: () => 'GET /users/1', testKey: () => true },
    ],
    ['getRequestInit', 0, { getRequestInit: mistake }],
    ['a getter of requestInit', 0, { requestInit: Object.defineProperty({}, 'mode', getter) }],
    ['getHeaders', 0, { getHeaders: mistake }],
    ['async getHeaders', 0, { getHeaders: async () => mistake() }],
    ['parseResponse', 1, { parseResponse: mistake }],
    ['async parseResponse', 1, { parseResponse: async () => mistake() }],
    ['process', 1, { process: mistake }],
    ['async process', 1, { process: async () => mistake() }],
    [
      'validate',
      1,
      { validate: { '~standard': { version: 1, vendor: 'own', validate: mistake } } },
    ],
    ['content, which is misspelled', 1, { content: 'jsn', schema: undefined }],
    ['send', 0, { send: mistake }],
    ['async send', 0, { send: async () => mistake() }],
    ['send, after it has sent', 1, { send: (url: string) => fetch(url).then(mistake) }],
    ['fetchResponse', 0, { fetchResponse: mistake }],
    ['async fetchResponse', 0, { fetchResponse: async () => mistake() }],
    [
      'fetchResponse, after its parent',
      1,
      {
        async fetchResponse(this: RestEndpoint, input: RequestInfo, init: RequestInit) {
          await RestEndpoint.prototype.fetchResponse.call(this, input, init);
          return mistake();
        },
      },
    ],
    ['getHeaders without a `return`', 0, { getHeaders: () => undefined }],
    ['getRequestInit without a `return`', 0, { getRequestInit: () => undefined }],
    ['fetchResponse without a `return`', 0, { fetchResponse: async () => undefined }],
  ];

  it.each(steps)(
    'in %s is hard: stored, thrown to readers, and never tried again',
    async (_, sends, own) => {
      server.respond(() => ({ id: '1', name: 'Ada' }));
      const get = new RestEndpoint({ urlPrefix: server.origin, path: '/users/1', schema: User });
      const controller = new Controller();
      await controller.fetch(get);
      server.seen.length = 0;
      const broken = get.extend({ retry: atOnce, ...own }) as typeof get;
      // It has data to keep, as a soft error would.
      const fetching = new Controller();
      fetching.set(User, { id: '1' }, { id: '1', name: 'Grace' });
      const error = await failureOf(fetching.fetch(broken));
      expect(error).toBeInstanceOf(TypeError);
      expect(broken.errorPolicy(error)).toBe('hard');
      expect(fetching.observe(broken).getSnapshot()).toMatchObject({ status: 'error', error });
      expect(server.seen).toHaveLength(sends);
    },
  );

  it('in signal is hard for every caller', async () => {
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a', retry: atOnce });
    const broken = get.extend({ signal: mistake });
    for (const call of [broken(), new Controller().fetch(broken)]) {
      const error = await failureOf(call);
      expect(error).toBeInstanceOf(TypeError);
      expect(broken.errorPolicy(error)).toBe('hard');
    }
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    ['toJSON', { toJSON: mistake }],
    ['a getter', Object.defineProperty({}, 'name', getter)],
    ['a number that JSON has no text for', { count: 1n }],
  ])('in a body, here %s, is hard, and nothing is sent', async (_, body) => {
    const create = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/users',
      body: {} as object,
      retry: { ...atOnce, methods: ['POST'] },
    });
    const error = await failureOf(create(body));
    expect(error).toBeInstanceOf(TypeError);
    expect(create.errorPolicy(error)).toBe('hard');
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    ['a URL without an origin, in Node', { urlPrefix: '' }],
    ['a GET with a body', { requestInit: { body: 'text' } }],
    ['a method that no request can have', { method: 'G ET', sideEffect: undefined }],
  ])('that the platform makes of a mistake, here %s, is hard', async (_, own: object) => {
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/users', retry: atOnce });
    const send = vi.fn((url: RequestInfo, init: RequestInit) => fetch(url, init));
    const broken = get.extend({ ...own, send }) as typeof get;
    const error = await failureOf(broken());
    expect(error).toBeInstanceOf(TypeError);
    expect(broken.errorPolicy(error)).toBe('hard');
    expect(send).toHaveBeenCalledTimes(1);
    expect(server.seen).toHaveLength(0);
  });
});
