import { Collection, Entity, NetworkError, RestEndpoint, RestitchError } from 'restitch';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serverOfFile, startServer } from '../support/server.js';

const server = await serverOfFile();
afterEach(() => {
  vi.restoreAllMocks();
});

class User extends Entity {
  id = '';
}

const make = (options: object = {}): RestEndpoint =>
  new RestEndpoint({
    path: '/users/1',
    urlPrefix: server.origin,
    name: 'User.get',
    ...options,
  }) as unknown as RestEndpoint;
const failure = (call: Promise<unknown>): Promise<any> =>
  call.then(
    (value) => expect.fail(`resolved to ${String(value)}`),
    (error: unknown) => error,
  );

describe('a response without content', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/problem+json',
    'text/json',
  ])('%s is parsed', async (type) => {
    server.raw(200, type, '{"a":[1]}');
    expect(await make()()).toEqual({ a: [1] });
  });

  test.each([
    'application/x-amz-json-1.1',
    'application/vnd.brand-json',
    'application/json-patch+json',
    'application/vnd.jsonlogic+json',
  ])('%s is parsed too', async (type) => {
    server.raw(200, type, '{"a":[1]}');
    expect(await make()()).toEqual({ a: [1] });
  });

  test.each([
    'application/x-ndjson',
    'application/ndjson; charset=utf-8',
    'application/jsonl',
    'application/x-jsonlines',
    'application/json-lines',
    'application/json-seq',
    'application/stream+json',
  ])('%s holds many documents: it is text, with the first look of JSON or not', async (type) => {
    for (const text of ['{"a":1}\n{"a":2}\n', '{"a":1}']) {
      server.raw(200, type, text);
      expect(await make()()).toBe(text);
    }
  });

  test.each([
    'text/plain',
    'text/html',
    'text/csv',
    'application/xml',
    'application/rss+xml',
    'application/javascript',
    undefined,
  ])('%s is text', async (type) => {
    server.raw(200, type, '<a/>');
    expect(await make()()).toBe('<a/>');
  });

  test.each([
    'image/png',
    'image/svg+xml',
    'application/octet-stream',
    'application/pdf',
    'audio/mpeg',
    'video/mp4',
    'font/woff2',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])('%s is a Blob', async (type) => {
    server.raw(200, type, 'abc');
    const blob: unknown = await make()();
    expect(blob).toBeInstanceOf(Blob);
    expect((blob as Blob).size).toBe(3);
  });

  test.each([
    [204, undefined],
    [205, undefined],
    [200, 'application/json'],
    [200, 'text/plain'],
    [200, 'image/png'],
    [200, undefined],
  ])('a response %s %s without a body is null, with and without a schema', async (status, type) => {
    server.raw(status, type, '');
    expect(await make()()).toBe(null);
    expect(await make({ schema: User })()).toBe(null);
  });
});

describe('a response with content', () => {
  test.each([
    ['text', 'application/json', '{"a":1}', (value: any) => value === '{"a":1}'],
    ['json', 'text/plain', '{"a":1}', (value: any) => value.a === 1],
    ['blob', 'application/json', '{}', (value: any) => value instanceof Blob && value.size === 2],
    [
      'arrayBuffer',
      'text/plain',
      'abc',
      (value: any) => value instanceof ArrayBuffer && value.byteLength === 3,
    ],
    ['stream', 'text/plain', 'abc', (value: any) => value instanceof ReadableStream],
  ])('%s reads %s', async (content, type, body, check) => {
    server.raw(200, type, body);
    for (const endpoint of [make({ content }), make().extend({ content: content as 'text' })]) {
      expect(check(await endpoint())).toBe(true);
    }
    class WithField extends RestEndpoint {
      override content = content as 'text';
    }
    expect(check(await new WithField({ path: '/', urlPrefix: server.origin })())).toBe(true);
  });

  test.each([204, 205])('status %i is null whatever it is', async (status) => {
    vi.spyOn(console, 'error').mockReturnValue();
    server.raw(status, undefined, '');
    for (const content of ['json', 'text', 'blob', 'arrayBuffer', 'stream']) {
      expect(await make({ content })()).toBe(null);
      expect(await make({ content, schema: User })()).toBe(null);
    }
  });

  test('a stream can still be cancelled after the call, timeout or not', async () => {
    server.respond((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('first');
    });
    const controller = new AbortController();
    const stream: ReadableStream<Uint8Array> = await make({
      content: 'stream',
      timeout: 60_000,
      signal: controller.signal,
    })();
    const reader = stream.getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a schema with binary or text is reported at construction and rejects with status 400', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const endpoint = make({ content: 'blob', schema: User });
    expect(log).toHaveBeenCalledOnce();
    server.raw(200, 'image/png', 'abc');
    const error = await failure(endpoint());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 400, code: 'content-with-schema' });
    expect(error.message).toMatch(/incompatible with a schema \(User\)/);
  });

  test('json and a schema go together', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    server.raw(200, 'text/plain', '{"id":"1"}');
    expect(await make({ content: 'json', schema: User })()).toEqual({ id: '1' });
    expect(log).not.toHaveBeenCalled();
  });
});

describe('a response that does not fit the endpoint', () => {
  test.each([
    ['text/html', '<!doctype html><title>Login</title>', /web page/],
    ['text/html', 'Not found', /web page/],
    ['text/plain', '<HTML>', /web page/],
    ['text/plain', '\n\n<!DOCTYPE html>', /web page/],
    ['text/plain', 'about <html>', /to get the text/],
    ['text/plain', '{"id":1}', /looks like JSON/],
    ['text/plain', '  [1]', /looks like JSON/],
    ['text/plain', 'hello {"id":1}', /to get the text/],
    ['application/pdf', '%PDF', /content: 'blob'/],
    ['application/x-ndjson', '{"id":1}', /split it in `parseResponse`/],
    [undefined, 'hello', /to get the text/],
  ])('%s %s under a schema is a NetworkError that says what to do', async (type, body, fix) => {
    server.raw(200, type, body);
    const error = await failure(make({ schema: User })());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 400, code: 'response-not-json' });
    expect(error.message).toMatch(fix);
    expect(error.message).toContain('User.get');
    expect(error.message).toContain('schema User');
    expect(error.message).toContain('status 200');
    expect(error.message).toContain(`content-type ${type ?? '(none)'}`);
    expect(error.message).toContain(JSON.stringify(body).slice(0, 10));
    expect(await error.response.text()).toBe(body);
  });

  test.each([
    ['a'.repeat(80), 'a'.repeat(80)],
    [`${'a'.repeat(80)}b`, `${'a'.repeat(80)}…`],
  ])('is quoted as far as eighty characters: %s', async (body, quoted) => {
    server.raw(200, 'text/plain', body);
    expect((await failure(make({ schema: User })())).message).toContain(`"${quoted}"`);
  });

  test.each([
    [[User], '[User]'],
    [new Collection([User]), '[User]'],
    [{ results: [User], next: '' }, '{ results, next }'],
  ])('names the schema %#', async (schema, name) => {
    server.raw(200, 'text/plain', 'x');
    expect((await failure(make({ schema })())).message).toContain(`schema ${name} needs`);
  });

  test.each(['{"a":', '<html>no</html>'])(
    '%s under a JSON header is a parse error with status 400',
    async (body) => {
      server.raw(200, 'application/json', body);
      const error = await failure(make()());
      expect(error).toBeInstanceOf(SyntaxError);
      expect(error).toMatchObject({ status: 400, code: 'response-not-json' });
      expect(error.message).toContain('User.get');
      expect(error.message).toContain(`${server.origin}/users/1`);
      expect(error.message).toContain(JSON.stringify(body));
    },
  );
});

describe('errors', () => {
  test('a status that is not ok is a NetworkError with an unread response', async () => {
    server.respond((_, response) => {
      response.writeHead(418, 'Teapot', { 'content-type': 'application/json' });
      response.end('{"error":"short and stout"}');
    });
    const error = await failure(make()());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toBeInstanceOf(RestitchError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('NetworkError');
    expect(error.code).toBe('network-status');
    expect(error.status).toBe(418);
    expect(error.message).toBe(`${server.origin}/users/1: 418 Teapot`);
    expect(String(error)).toBe(`NetworkError: ${server.origin}/users/1: 418 Teapot`);
    expect(await error.response.clone().json()).toEqual({ error: 'short and stout' });
    error.message = 'short and stout';
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'NetworkError',
      status: 418,
      message: 'short and stout',
      url: `${server.origin}/users/1`,
    });
  });

  test('the message has the status alone when the status text is empty', () => {
    expect(new NetworkError(new Response(null, { status: 500 })).message).toBe('500');
  });

  test('a failed connection rejects with the platform’s TypeError', async () => {
    const closed = await startServer();
    await closed.close();
    const endpoint = make({ urlPrefix: closed.origin });
    const error = await failure(endpoint());
    expect(error).toBeInstanceOf(TypeError);
    expect(endpoint.errorPolicy(error)).toBe('soft');
  });

  test('errorPolicy is soft for server errors, failed connections and time-outs, hard otherwise', async () => {
    const endpoint = make();
    const withStatus = (status: number): Error => new NetworkError(new Response(null, { status }));
    expect(endpoint.errorPolicy(withStatus(500))).toBe('soft');
    expect(endpoint.errorPolicy(withStatus(503))).toBe('soft');
    expect(endpoint.errorPolicy(withStatus(404))).toBe('hard');
    expect(endpoint.errorPolicy(new TypeError('Failed to fetch'))).toBe('soft');
    expect(endpoint.errorPolicy(new DOMException('', 'TimeoutError'))).toBe('soft');
    expect(endpoint.errorPolicy(new SyntaxError('x'))).toBe('hard');
    const usage = await failure(make({ path: '/users/:id' })({}));
    expect(usage).toBeInstanceOf(TypeError);
    expect(endpoint.errorPolicy(usage)).toBe('hard');
  });
});
