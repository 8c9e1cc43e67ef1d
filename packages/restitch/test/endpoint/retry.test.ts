import { RestEndpoint, type RetryOptions } from 'restitch';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.seen.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const make = (retry: number | RetryOptions | undefined, options: object = {}): RestEndpoint =>
  new RestEndpoint({ path: '/things', urlPrefix: server.origin, retry, ...options });

const atOnce = { backoff: () => 0 };

/** Responds with these statuses one after the other, then with what was asked. */
function respondWith(statuses: readonly number[], headers: Record<string, string> = {}): void {
  const left = [...statuses];
  server.respond((request, response) => {
    const status = left.shift();
    if (status === undefined) return request;
    response.writeHead(status, headers).end();
    return undefined;
  });
}

/** Lets the waits of half a second and more end at once, and reports how long they were meant to be. */
function skipTime(): number[] {
  const waits: number[] = [];
  const original = globalThis.setTimeout;
  const skipping = (run: () => void, ms = 0, ...args: unknown[]): unknown => {
    // The timers of Node's own `fetch` carry arguments; they have to stay as they are.
    if (ms < 500 || args.length > 0) return original(run, ms, ...(args as []));
    waits.push(ms);
    return original(run, 0);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(skipping as typeof setTimeout);
  return waits;
}

describe('retry', () => {
  test('is off by default', async () => {
    respondWith([503]);
    await expect(make(undefined)()).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(1);
  });

  test('a number sends a read again up to that often', async () => {
    const waits = skipTime();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    respondWith([500, 502, 503]);
    expect(await make(3)({ q: 1 })).toMatchObject({ url: '/things?q=1' });
    expect(server.seen).toHaveLength(4);
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  test('the last error is the one that is thrown', async () => {
    respondWith([500, 503, 500]);
    await expect(make({ limit: 1, ...atOnce })()).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(2);
  });

  test('each wait is random, with a ceiling that doubles up to 30 seconds', async () => {
    const waits = skipTime();
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    respondWith([500, 500, 500, 500, 500, 500, 500]);
    await make(7)();
    expect(waits).toEqual([999, 1_998, 3_996, 7_992, 15_984, 29_970, 29_970]);
  });

  test('`backoff` says how long to wait', async () => {
    const waits = skipTime();
    respondWith([500, 500]);
    await make({ limit: 2, backoff: (attempt) => attempt * 1_000 })();
    expect(waits).toEqual([1_000, 2_000]);
  });

  test('a failed connection is tried again', async () => {
    let calls = 0;
    const endpoint = make(
      { limit: 1, ...atOnce },
      {
        async fetchResponse(input: RequestInfo, init: RequestInit) {
          if (calls++ === 0) return fetch('http://127.0.0.1:1');
          return fetch(input, init);
        },
      },
    );
    expect(await endpoint()).toMatchObject({ url: '/things' });
  });

  test('a response that breaks off is tried again', async () => {
    let broken = false;
    server.respond((request, response) => {
      if (broken) return request;
      broken = true;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' });
      response.write('{', () => response.destroy());
      return undefined;
    });
    expect(await make({ limit: 1, ...atOnce })()).toMatchObject({ url: '/things' });
  });

  test('headers and signals are asked for once, also when it is sent several times', async () => {
    const getHeaders = vi.fn((headers: HeadersInit) => headers);
    const signal = vi.fn(() => new AbortController().signal);
    respondWith([500, 500]);
    await make({ limit: 2, ...atOnce }, { getHeaders, signal })();
    expect(server.seen).toHaveLength(3);
    expect(getHeaders).toHaveBeenCalledOnce();
    expect(signal).toHaveBeenCalledOnce();
  });

  test('`process` runs once, and its errors are not tried again', async () => {
    const process = vi.fn(() => {
      throw new TypeError('mistake');
    });
    server.respond((request) => request);
    await expect(make({ limit: 2, ...atOnce }, { process })()).rejects.toThrow('mistake');
    expect(server.seen).toHaveLength(1);
  });

  test('extend changes it, and `retry: 0` switches it off', async () => {
    respondWith([500]);
    const endpoint = make({ limit: 3, ...atOnce }).extend({ retry: 0 });
    await expect(endpoint()).rejects.toMatchObject({ status: 500 });
  });
});

describe('the policy of retries', () => {
  test.each([400, 401, 404, 429])('not the hard error %i', async (status) => {
    respondWith([status]);
    await expect(make({ limit: 2, ...atOnce })()).rejects.toMatchObject({ status });
    expect(server.seen).toHaveLength(1);
  });

  test('a hard error that is listed, and no status that is not', async () => {
    const endpoint = make({ limit: 2, statusCodes: [429], ...atOnce });
    respondWith([429]);
    await endpoint();
    expect(server.seen).toHaveLength(2);
    respondWith([503]);
    await expect(endpoint()).rejects.toMatchObject({ status: 503 });
  });

  test('a failed connection, whatever statuses are listed', async () => {
    const fetchResponse = vi
      .fn()
      .mockRejectedValueOnce(new TypeError('fetch failed'))
      .mockResolvedValue(new Response(null, { status: 204 }));
    expect(await make({ limit: 1, statusCodes: [429], ...atOnce }, { fetchResponse })()).toBe(null);
    expect(fetchResponse).toHaveBeenCalledTimes(2);
  });

  test('repeats each error that the errorPolicy of the endpoint calls soft', async () => {
    respondWith([404]);
    await make({ limit: 1, ...atOnce }, { errorPolicy: () => 'soft' })();
    expect(server.seen).toHaveLength(2);
  });

  test('does not repeat a read with a malformed response', async () => {
    server.raw(200, 'application/json', '{');
    await expect(make({ limit: 2, ...atOnce })()).rejects.toMatchObject({ status: 400 });
    expect(server.seen).toHaveLength(1);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'does not repeat %s, unless it is listed',
    async (method) => {
      respondWith([500]);
      await expect(make({ limit: 1, ...atOnce }, { method })()).rejects.toMatchObject({
        status: 500,
      });
      respondWith([500]);
      await make({ limit: 1, methods: [method], ...atOnce }, { method })();
      expect(server.seen.map((seen) => seen.method)).toEqual([method, method, method]);
    },
  );

  test('a POST that only reads, with its body', async () => {
    respondWith([500]);
    const endpoint = make({ limit: 1, ...atOnce }, { method: 'POST', sideEffect: false });
    expect(await endpoint({ query: 'x' })).toMatchObject({ body: '{"query":"x"}' });
    expect(server.seen).toHaveLength(2);
  });

  test('does not repeat a body that is a stream, which is used up after the first time', async () => {
    respondWith([500]);
    const endpoint = make({ limit: 2, methods: ['POST'], ...atOnce }, { method: 'POST' });
    await expect(endpoint(new Blob(['once']).stream())).rejects.toMatchObject({ status: 500 });
    expect(server.seen).toHaveLength(1);
  });

  test('does not repeat a read that threw something other than an error', async () => {
    const fetchResponse = vi.fn().mockRejectedValue(undefined);
    await expect(make({ limit: 2, ...atOnce }, { fetchResponse })()).rejects.toBe(undefined);
    expect(fetchResponse).toHaveBeenCalledOnce();
  });
});

describe('Retry-After', () => {
  test('in seconds is waited for, where it is longer than the backoff', async () => {
    const waits = skipTime();
    respondWith([503], { 'retry-after': '7' });
    await make({ limit: 1, ...atOnce })();
    respondWith([503], { 'retry-after': '7' });
    await make({ limit: 1, backoff: () => 9_000 })();
    expect(waits).toEqual([7_000, 9_000]);
  });

  test('as a date is waited for', async () => {
    const waits = skipTime();
    const now = Date.parse('2026-01-01T00:00:00Z');
    vi.spyOn(Date, 'now').mockReturnValue(now);
    respondWith([503], { 'retry-after': new Date(now + 12_000).toUTCString() });
    await make({ limit: 1, ...atOnce })();
    expect(waits).toEqual([12_000]);
  });

  test.each(['soon', '-1', new Date(0).toUTCString()])('%s does not delay', async (text) => {
    const waits = skipTime();
    respondWith([503], { 'retry-after': text });
    await make({ limit: 1, ...atOnce })();
    expect(waits).toEqual([]);
  });

  test('delays the retry up to a minute', async () => {
    const waits = skipTime();
    respondWith([503], { 'retry-after': '60' });
    await make({ limit: 1, ...atOnce })();
    expect(waits).toEqual([60_000]);
  });

  test('ends the retries when it is more than a minute: the error is visible', async () => {
    respondWith([503], { 'retry-after': '61' });
    await expect(make({ limit: 3, ...atOnce })()).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(1);
  });
});

describe('an abort', () => {
  const forever = { limit: 5, backoff: () => 1_000_000 };

  test('during the wait rejects at once, and nothing is sent', async () => {
    respondWith([500]);
    const controller = new AbortController();
    const stopped = vi.spyOn(globalThis, 'clearTimeout');
    const backoff = vi.fn(forever.backoff);
    const call = make({ ...forever, backoff }, { signal: controller.signal })();
    await expect.poll(() => backoff).toHaveBeenCalled();
    controller.abort(new Error('withdrawn'));
    await expect(call).rejects.toThrow('withdrawn');
    expect(server.seen).toHaveLength(1);
    expect(stopped).toHaveBeenCalled();
  });

  test('is listened for once, however often it is sent, and nothing is sent after it', async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const fetchResponse = vi.fn().mockRejectedValue(new TypeError('fetch failed'));
    const backoff = vi.fn((attempt: number) => (attempt < 3 ? 0 : forever.backoff()));
    const retry = { limit: 5, backoff };
    const call = make(retry, { signal: controller.signal, fetchResponse })();
    await expect.poll(() => backoff).toHaveBeenCalledTimes(3);
    expect(added).toHaveBeenCalledOnce();
    controller.abort(new Error('withdrawn'));
    await expect(call).rejects.toThrow('withdrawn');
    expect(fetchResponse).toHaveBeenCalledTimes(3);
  });

  test('by the signal of the init ends it too', async () => {
    respondWith([500]);
    const controller = new AbortController();
    const backoff = vi.fn(forever.backoff);
    const requestInit = { signal: controller.signal };
    const call = make(
      { ...forever, backoff },
      { requestInit, signal: new AbortController().signal },
    )();
    await expect.poll(() => backoff).toHaveBeenCalled();
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('while it is sent ends it, whatever the error', async () => {
    const controller = new AbortController();
    const fetchResponse = vi.fn(async () => {
      controller.abort();
      throw new TypeError('fetch failed');
    });
    const endpoint = make(
      { limit: 2, ...atOnce },
      { signal: controller.signal, fetchResponse, errorPolicy: () => 'soft' },
    );
    await expect(endpoint()).rejects.toThrow('fetch failed');
    expect(fetchResponse).toHaveBeenCalledOnce();
  });
});

test('the timeout is for each try: a read that ran out of time is sent again', async () => {
  server.respond(() => undefined);
  await expect(make({ limit: 2, ...atOnce }, { timeout: 100 })()).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(server.seen).toHaveLength(3);
});

test.each([
  ['a time-out that errorPolicy calls hard', { timeout: 100, errorPolicy: () => 'hard' }],
  ['a mutation that ran out of time', { timeout: 100, method: 'POST' }],
  ['the end of a signal of AbortSignal.timeout', { signal: () => AbortSignal.timeout(100) }],
])('%s is no reason to try again', async (_, options) => {
  server.respond(() => undefined);
  await expect(make({ limit: 2, ...atOnce }, options)()).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(server.seen).toHaveLength(1);
});
