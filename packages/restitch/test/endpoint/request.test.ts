import { runInNewContext } from 'node:vm';
import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Seen, serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.respond((request) => request);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const make = (options: object): RestEndpoint =>
  new RestEndpoint({
    path: '/things',
    urlPrefix: server.origin,
    ...options,
  }) as unknown as RestEndpoint;
const send = (options: object, ...args: unknown[]): Promise<Seen> => make(options)(...args);

describe('body', () => {
  class Point {
    x = 1;
    get y(): number {
      return 2;
    }
  }
  test.each([
    ['a plain object', { a: 1 }, '{"a":1}'],
    ['an array', [1, 2], '[1,2]'],
    ['a class instance', new Point(), '{"x":1}'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['a number', 5, '5'],
    ['a boolean', false, 'false'],
    ['null', null, 'null'],
  ])('%s is sent as JSON', async (_, body, text) => {
    const seen = await send({ method: 'POST' }, body);
    expect(seen.body).toBe(text);
    expect(seen.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['text', () => 'plain', 'plain', 'text/plain;charset=UTF-8'],
    [
      'URLSearchParams',
      () => new URLSearchParams({ a: '1' }),
      'a=1',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['a Blob', () => new Blob(['b'], { type: 'image/png' }), 'b', 'image/png'],
    ['an ArrayBuffer', () => new TextEncoder().encode('buf').buffer, 'buf', undefined],
    ['a view', () => new TextEncoder().encode('view'), 'view', undefined],
    ['a stream', () => new Blob(['streamed']).stream(), 'streamed', undefined],
  ])('%s passes through', async (_, body, text, type) => {
    const seen = await send({ method: 'POST' }, body());
    expect(seen.body).toBe(text);
    expect(seen.headers['content-type']).toBe(type);
  });

  test('a body of another window passes through, and so does one that hides its kind', async () => {
    const bytes: ArrayBuffer = runInNewContext('new Uint8Array([104, 105]).buffer');
    expect(bytes).not.toBeInstanceOf(ArrayBuffer);
    expect((await send({ method: 'POST' }, bytes)).body).toBe('hi');
    class Search extends URLSearchParams {
      get [Symbol.toStringTag](): string {
        return 'Object';
      }
    }
    expect((await send({ method: 'POST' }, new Search({ a: '1' }))).body).toBe('a=1');
  });

  test('is JSON also on a host that lacks some kinds of body', async () => {
    vi.stubGlobal('ReadableStream', undefined);
    try {
      const { body } = await make({ method: 'POST' }).getRequestInit({ a: 1 });
      expect(body).toBe('{"a":1}');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('a form passes through with its boundary', async () => {
    const form = new FormData();
    form.set('a', '1');
    const seen = await send({ method: 'POST' }, form);
    expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen.body).toContain('name="a"');
  });

  test('without one nothing is sent, no content-type either', async () => {
    for (const options of [{}, { method: 'POST' }, { method: 'DELETE' }]) {
      const seen = await send(options);
      expect(seen.body).toBe('');
      expect(seen.headers['content-type']).toBe(undefined);
    }
  });

  test('a marker on DELETE is sent', async () => {
    const seen = await send(
      { path: '/things/:id', method: 'DELETE', body: {} },
      { id: 1 },
      { reason: 'x' },
    );
    expect([seen.method, seen.url, seen.body]).toEqual(['DELETE', '/things/1', '{"reason":"x"}']);
  });

  test('`body: undefined` sends none', async () => {
    const seen = await send(
      { path: '/things/:id', method: 'POST', body: undefined },
      { id: 1 },
      { a: 1 },
    );
    expect([seen.url, seen.body]).toEqual(['/things/1', '']);
  });
});

describe('the argument that is the body', () => {
  test.each([
    ['/things', [{ a: 1 }], '/things', '{"a":1}'],
    ['/things', [{ q: 1 }, { a: 1 }], '/things?q=1', '{"a":1}'],
    ['/things{/:id}', [{ a: 1 }], '/things', '{"a":1}'],
    ['/things{/:id}', [{ id: 1 }, { a: 1 }], '/things/1', '{"a":1}'],
    ['/things/:id', [{ id: 1 }], '/things/1', ''],
    ['/things/:id', [{ id: 1 }, { a: 1 }], '/things/1', '{"a":1}'],
    ['/files/*path', [{ path: ['a'] }, { a: 1 }], '/files/a', '{"a":1}'],
    ['/files/*path', [{ path: ['a'] }], '/files/a', ''],
    ['/things', [], '/things', ''],
  ])('POST %s with %j', async (path, args, url, body) => {
    const seen = await send({ path, method: 'POST' }, ...args);
    expect([seen.url, seen.body]).toEqual([url, body]);
    expect(make({ path, method: 'POST' }).key(...args)).toBe(`POST ${server.origin}${url}`);
  });

  test('without a path, one argument is the body', async () => {
    const url = (): string => `${server.origin}/own`;
    const { body } = await send({ path: undefined, method: 'POST', url }, { a: 1 });
    expect(body).toBe('{"a":1}');
  });

  test('GET with a marker takes it too', () => {
    expect(make({ method: 'GET', body: {} }).url({ a: 1 })).toBe(`${server.origin}/things`);
  });
});

describe('headers', () => {
  test('getHeaders gets a plain object with lower-case names and says what is sent', async () => {
    const given: unknown[] = [];
    const seen = await send(
      {
        method: 'POST',
        requestInit: { headers: new Headers({ 'X-Base': 'b' }) },
        getHeaders(headers: Record<string, string>) {
          given.push(headers);
          const { 'content-type': _, ...others } = headers;
          return { ...others, 'X-Own': 'o' };
        },
      },
      'text',
    );
    expect(given).toEqual([{ 'x-base': 'b' }]);
    expect(seen.headers).toMatchObject({ 'x-base': 'b', 'x-own': 'o' });
  });

  test('getHeaders may be async, may return Headers, and runs once for each call', async () => {
    const getHeaders = vi.fn(async (headers: Record<string, string>) => {
      const result = new Headers(headers);
      result.set('Content-Type', 'application/vnd.api+json');
      return result;
    });
    const seen = await send({ method: 'POST', getHeaders }, { a: 1 });
    expect(seen.headers['content-type']).toBe('application/vnd.api+json');
    expect(getHeaders).toHaveBeenCalledOnce();
  });

  test.each(['Content-Type', 'content-type', 'CONTENT-TYPE'])(
    'a %s given by the user is the only one',
    async (name) => {
      const type = 'application/merge-patch+json';
      const fromGetHeaders = await send(
        {
          method: 'POST',
          getHeaders: (headers: object) =>
            Object.assign({ [name]: type }, headers, { [name]: type }),
        },
        { a: 1 },
      );
      expect(fromGetHeaders.headers['content-type']).toBe(type);
      const fromInit = await send(
        { method: 'POST', requestInit: { headers: { [name]: type } } },
        { a: 1 },
      );
      expect(fromInit.headers['content-type']).toBe(type);
    },
  );

  test('a header that getHeaders sets replaces one of requestInit in another spelling', async () => {
    const seen = await send({
      requestInit: { headers: { authorization: 'Bearer old' } },
      getHeaders: (headers: object) => ({ ...headers, Authorization: 'Bearer new' }),
    });
    expect(seen.headers.authorization).toBe('Bearer new');
  });

  test('a header that getHeaders sets in a spelling of its own wins, whatever the order', async () => {
    const seen = await send({
      requestInit: { headers: { authorization: 'Bearer old' } },
      getHeaders: (headers: object) => ({ Authorization: 'Bearer new', ...headers }),
    });
    expect(seen.headers.authorization).toBe('Bearer new');
  });

  test('a content-type that getHeaders removes is not put back', async () => {
    const seen = await send({ method: 'POST', getHeaders: () => ({}) }, { a: 1 });
    expect(seen.headers['content-type']).not.toBe('application/json');
  });

  test('a header with a line break is refused before anything is sent', async () => {
    server.seen.length = 0;
    const getHeaders = (): HeadersInit => ({ 'x-own': 'a\r\nx-evil: 1' });
    await expect(make({ getHeaders })()).rejects.toThrow(/header/);
    expect(server.seen).toEqual([]);
  });

  test('no path value becomes a header', async () => {
    const seen = await make({ path: '/things/:id' })({ id: 'x\r\nX-Evil: 1' });
    expect(seen.url).toBe('/things/x%0D%0AX-Evil%3A%201');
    expect(seen.headers['x-evil']).toBe(undefined);
  });
});

describe('the pipeline', () => {
  test('requestInit is spread into every request', async () => {
    const fetchResponse = vi.fn(
      async (_: RequestInfo, __: RequestInit) => new Response(null, { status: 204 }),
    );
    await make({ requestInit: { credentials: 'include', cache: 'no-store' }, fetchResponse })();
    expect(fetchResponse).toHaveBeenCalledWith(
      `${server.origin}/things`,
      expect.objectContaining({ credentials: 'include', cache: 'no-store', method: 'GET' }),
    );
  });

  test('a subclass overrides each step and calls its parent', async () => {
    const steps: string[] = [];
    class Traced<O extends RestGenerics = any> extends RestEndpoint<O> {
      override async getRequestInit(body: any): Promise<RequestInit> {
        steps.push('init');
        return super.getRequestInit(body && { wrapped: body });
      }
      override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
        steps.push('headers');
        return { ...(await super.getHeaders(headers)), authorization: 'Bearer t' };
      }
      override async fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
        steps.push('fetch');
        return super.fetchResponse(input, init);
      }
      override async parseResponse(response: Response): Promise<any> {
        steps.push('parse');
        return super.parseResponse(response);
      }
      override process(value: any, ...args: any): any {
        steps.push('process');
        return { ...value, args };
      }
    }
    const endpoint = new Traced({ path: '/t/:id', urlPrefix: server.origin, method: 'PUT' });
    const result = await endpoint({ id: 1 }, { a: 1 });
    expect(steps).toEqual(['init', 'headers', 'fetch', 'parse', 'process']);
    expect(result).toMatchObject({ body: '{"wrapped":{"a":1}}', args: [{ id: 1 }, { a: 1 }] });
    expect(result.headers.authorization).toBe('Bearer t');
  });

  test('fetchResponse decides which statuses are errors', async () => {
    server.raw(404, 'application/json', '{"found":false}');
    const lenient = make({
      async fetchResponse(input: RequestInfo, init: RequestInit) {
        const response = await fetch(input, init);
        if (response.status >= 500) throw new NetworkError(response);
        return response;
      },
    });
    expect(await lenient()).toEqual({ found: false });
    await expect(make({})()).rejects.toMatchObject({ status: 404 });
  });

  test('options may replace `fetch`, with `this` as the endpoint', async () => {
    const endpoint = make({
      tag: 'x',
      async fetch(this: any, ...args: unknown[]) {
        return [this.tag, args];
      },
    });
    expect(await endpoint({ a: 1 })).toEqual(['x', [{ a: 1 }]]);
  });

  test('process may be async and gets the call’s arguments', async () => {
    const endpoint = new RestEndpoint({
      path: '/things/:id',
      urlPrefix: server.origin,
      async process(value: Seen, { id }) {
        return `${value.url} for ${id}`;
      },
    });
    expect(await endpoint({ id: 3 })).toBe('/things/3 for 3');
  });
});

describe('signals', () => {
  const never = (): void => server.respond(() => undefined);

  test('an abort rejects with AbortError', async () => {
    never();
    const controller = new AbortController();
    const call = make({ signal: controller.signal })();
    await expect.poll(() => server.seen.length).toBeGreaterThan(0);
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a function is asked once for each request, with the endpoint as `this`', async () => {
    const signal = vi.fn(function (this: any) {
      expect(this.path).toBe('/things');
      return new AbortController().signal;
    });
    const endpoint = make({ signal });
    await endpoint();
    await endpoint();
    expect(signal).toHaveBeenCalledTimes(2);
  });

  test('a signal given to a derived endpoint serves a borrowed fetch', async () => {
    never();
    const controller = new AbortController();
    const endpoint = make({});
    const request = endpoint.extend({ signal: () => controller.signal });
    const call = endpoint.fetch.apply(request, []);
    controller.abort(new Error('withdrawn'));
    await expect(call).rejects.toThrow('withdrawn');
  });

  test('the timeout runs for each request and rejects with TimeoutError', async () => {
    never();
    const endpoint = make({ timeout: 200, name: 'Slow' });
    await expect(endpoint()).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringMatching(/Slow.*200 ms/),
    });
    const error: unknown = await endpoint().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DOMException);
    server.respond((request) => request);
    expect(await endpoint()).toMatchObject({ url: '/things' });
  });

  test('the timeout also ends a body that does not', async () => {
    server.respond((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    await expect(make({ timeout: 50 })()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('it rejects with TimeoutError where fetchResponse reports any abort as AbortError', async () => {
    const endpoint = make({
      timeout: 5,
      fetchResponse: (_: RequestInfo, init: RequestInit) =>
        new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () =>
            reject(new DOMException('aborted', 'AbortError')),
          );
        }),
    });
    await expect(endpoint()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('timeout, signal and the init’s signal are joined', async () => {
    never();
    for (const where of ['signal', 'init']) {
      const controller = new AbortController();
      const options =
        where === 'signal'
          ? { signal: controller.signal }
          : { requestInit: { signal: controller.signal } };
      const call = make({ timeout: 10_000, signal: new AbortController().signal, ...options })();
      controller.abort();
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    }
    await expect(make({ timeout: 10_000, signal: AbortSignal.abort() })()).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('signal and the init’s signal are joined without a timeout too', async () => {
    never();
    for (const which of ['signal', 'init'] as const) {
      const pair = { signal: new AbortController(), init: new AbortController() };
      const requestInit = { signal: pair.init.signal };
      const call = make({ requestInit, signal: pair.signal.signal })();
      pair[which].abort(new Error('withdrawn'));
      await expect(call).rejects.toThrow('withdrawn');
    }
  });

  test('one listener at most is left, and no timer is left running, after the response', async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const started = vi.spyOn(globalThis, 'setTimeout');
    const stopped = vi.spyOn(globalThis, 'clearTimeout');
    const endpoint = make({ timeout: 987_654, signal: controller.signal });
    await endpoint();
    await endpoint();
    expect(added.mock.calls.length).toBeLessThanOrEqual(1);
    const index = started.mock.calls.findIndex(([, ms]) => ms === 987_654);
    expect(stopped.mock.calls.map(([timer]) => timer)).toContain(
      started.mock.results[index]?.value,
    );
  });
});
