/** The body of a failed response is read once: for the error, and to free the connection. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isNetworkError, NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

const make = (options: object = {}): RestEndpoint =>
  new RestEndpoint({ urlPrefix: server.origin, path: '/users/1', ...options });

async function errorOf(call: Promise<unknown>): Promise<NetworkError<any>> {
  const error: unknown = await call.then(
    () => expect.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NetworkError)) throw error;
  return error;
}

const KB64 = 65_536;

describe('error.body', () => {
  it.each([
    ['application/json', '{"error":"no"}', { error: 'no' }],
    ['application/problem+json; charset=utf-8', '{"title":"no"}', { title: 'no' }],
    ['application/json', '{"error', '{"error'],
    ['application/json', 'null', null],
    ['text/plain', '{"error":"no"}', '{"error":"no"}'],
    ['text/html', '<h1>nö</h1>', '<h1>nö</h1>'],
    ['application/x-ndjson', '{}\n{}', '{}\n{}'],
    [undefined, 'plain', 'plain'],
    ['application/json', '', undefined],
    ['text/plain', '', undefined],
    ['image/png', 'bytes', undefined],
  ])('for %s %j is %j', async (type, text, body) => {
    server.raw(422, type, text);
    const error = await errorOf(make()());
    expect(error.body).toEqual(body);
    expect(error.status).toBe(422);
  });

  it('leaves the response readable, more than once', async () => {
    server.raw(422, 'application/json', '{"error":"no"}');
    const { response } = await errorOf(make()());
    expect(await response.clone().json()).toEqual({ error: 'no' });
    expect(await response.clone().text()).toBe('{"error":"no"}');
    expect(await response.json()).toEqual({ error: 'no' });
  });

  it('is there for every override that catches the error', async () => {
    server.raw(422, 'application/json', '{"message":"Title is empty"}');
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
        try {
          return await super.fetchResponse(input, init);
        } catch (error) {
          if (error instanceof NetworkError) error.message = error.body.message;
          throw error;
        }
      }
    }
    const error = await errorOf(new Api({ urlPrefix: server.origin, path: '/a' })());
    expect(error.message).toBe('Title is empty');
  });

  it('is read of an error that a `fetchResponse` of the program makes', async () => {
    server.raw(503, 'application/json', '{"error":"later"}');
    const error = await errorOf(
      make({
        async fetchResponse(input: RequestInfo, init: RequestInit) {
          throw new NetworkError(await fetch(input, init));
        },
      })(),
    );
    expect(error.body).toEqual({ error: 'later' });
  });

  it('is left alone where the program has read the response', async () => {
    server.raw(503, 'application/json', '{"error":"later"}');
    const error = await errorOf(
      make({
        async fetchResponse(input: RequestInfo, init: RequestInit) {
          const response = await fetch(input, init);
          await response.text();
          throw new NetworkError(response);
        },
      })(),
    );
    expect(error.body).toBeUndefined();
  });

  it('is also that of an ok response that cannot be used', async () => {
    server.raw(200, 'text/html', '<h1>Sign in</h1>');
    const error = await errorOf(make({ schema: {} })());
    expect(error).toMatchObject({ code: 'response-not-json', body: '<h1>Sign in</h1>' });
    expect(await error.response.text()).toBe('<h1>Sign in</h1>');
  });

  it('is read up to 64 kB, and a longer one is released, with a response that is empty', async () => {
    server.raw(500, 'text/plain', 'x'.repeat(KB64));
    expect((await errorOf(make()())).body).toHaveLength(KB64);
    server.raw(500, 'text/plain', 'x'.repeat(KB64 + 1));
    const error = await errorOf(make()());
    const { response } = error;
    expect(error.body).toBeUndefined();
    expect(error.status).toBe(500);
    expect(response).toMatchObject({ status: 500, url: `${server.origin}/users/1` });
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await response.clone().text()).toBe('');
    expect(await response.text()).toBe('');
  });

  it('that never ends is released as soon as it is too long', async () => {
    let isClosed: Promise<void> | undefined;
    server.respond((_, response) => {
      isClosed = new Promise((resolve) => response.on('close', resolve));
      response.writeHead(500);
      response.write('x'.repeat(2 * KB64));
    });
    expect((await errorOf(make()())).status).toBe(500);
    await isClosed;
  });

  it('that breaks off leaves an error without one', async () => {
    server.respond((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain', 'content-length': '9' });
      response.write('x', () => response.destroy());
    });
    const error = await errorOf(make()());
    expect([error.status, error.body]).toEqual([500, undefined]);
  });

  it('that is awaited ends with the time-out, and with an abort', async () => {
    const stall = (): void =>
      server.respond((_, response) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.write('x');
      });
    stall();
    await expect(make({ timeout: 50 })()).rejects.toMatchObject({ name: 'TimeoutError' });
    const controller = new AbortController();
    const reached = new Promise<void>((resolve) => {
      server.respond((_, response) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.write('x', () => resolve());
      });
    });
    const call = make({ signal: controller.signal })();
    await reached;
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not fail where the response is not of the platform', async () => {
    const error = await errorOf(
      make({ send: async () => ({ ok: false, status: 500, headers: new Headers() }) })(),
    );
    expect([error.status, error.body]).toEqual([500, undefined]);
  });
});

describe('a thousand failing requests', { tags: 'scale' }, () => {
  /** A server that responds to each request with 500, and how many connections it has seen. */
  async function startFailing(body: string) {
    let opened = 0;
    const failing: Server = createServer((request, response) => {
      request.resume();
      response.writeHead(500, { 'content-type': 'text/plain' }).end(body);
    });
    failing.on('connection', () => (opened += 1));
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      failing.closeAllConnections();
      await new Promise((resolve) => failing.close(resolve));
    });
    // A server on a port, so the address is not a string.
    const { port } = failing.address() as AddressInfo;
    const held = (): Promise<number> =>
      new Promise((resolve) => failing.getConnections((_, count) => resolve(count)));
    return { origin: `http://127.0.0.1:${port}`, opened: () => opened, held };
  }

  it('ten at a time use a few connections again and again', async () => {
    const failing = await startFailing('no'.repeat(100));
    const get = make({ urlPrefix: failing.origin });
    const errors: NetworkError[] = [];
    const work = async (): Promise<void> => {
      for (let count = 0; count < 100; count += 1) errors.push(await errorOf(get()));
    };
    await Promise.all(Array.from({ length: 10 }, work));
    expect(errors).toHaveLength(1_000);
    // Each of the thousand held one of its own.
    expect(failing.opened()).toBeLessThanOrEqual(50);
  });

  it('hold no connection after they failed, be their bodies too long to be read', async () => {
    const failing = await startFailing('x'.repeat(10 * KB64));
    const get = make({ urlPrefix: failing.origin });
    const errors: NetworkError[] = [];
    for (let count = 0; count < 50; count += 1) errors.push(await errorOf(get()));
    expect(errors).toHaveLength(50);
    expect(await failing.held()).toBeLessThanOrEqual(5);
  });

  it('that are refused for their content hold none either', async () => {
    const failing = await startFailing('x');
    const get = make({
      urlPrefix: failing.origin,
      async fetchResponse(input: RequestInfo, init: RequestInit) {
        return fetch(input, init);
      },
      content: 'json',
      schema: {},
      parseResponse(response: Response) {
        throw new NetworkError(response, { status: 400 });
      },
    });
    for (let count = 0; count < 100; count += 1) await errorOf(get());
    expect(failing.opened()).toBeLessThanOrEqual(5);
  });
});

describe('isNetworkError', () => {
  const Problem = z.object({ errors: z.record(z.string(), z.string()) });
  const failing = async (body: string): Promise<unknown> => {
    server.raw(422, 'application/json', body);
    return errorOf(make()());
  };

  it('distinguishes a NetworkError from any other error', async () => {
    expect(isNetworkError(await failing('{}'))).toBe(true);
    expect(isNetworkError(new TypeError('fetch failed'))).toBe(false);
    expect(isNetworkError(undefined)).toBe(false);
  });

  it('with a validator gives the body its type, without a cast', async () => {
    const error = await failing('{"errors":{"title":"is empty"}}');
    const title: string | undefined = isNetworkError(error, Problem)
      ? error.body.errors['title']
      : 'another error';
    expect(title).toBe('is empty');
  });

  it('with a validator is false for a body that does not pass', async () => {
    expect(isNetworkError(await failing('{"errors":"many"}'), Problem)).toBe(false);
    expect(isNetworkError(await failing(''), Problem)).toBe(false);
    expect(isNetworkError(new TypeError('fetch failed'), Problem)).toBe(false);
  });

  it('leaves the body as it was sent, whatever the validator makes of it', async () => {
    const error = await failing('{"at":"2026-01-01T00:00:00Z"}');
    const At = z.object({ at: z.string().transform((text) => new Date(text)) });
    expect(isNetworkError(error, At)).toBe(true);
    expect(isNetworkError(error, At) && error.body.at).toBe('2026-01-01T00:00:00Z');
  });

  it('refuses a validator that is async', async () => {
    const error = await failing('{}');
    const Async = z.object({}).refine(async () => true);
    expect(() => isNetworkError(error, Async)).toThrow(/must not be async/);
  });
});
