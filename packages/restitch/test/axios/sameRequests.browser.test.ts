/** What axios does in a browser alone, with axios and over the bridge: the XSRF header, XMLHttpRequest, progress, cancellation. */
import axios, { type AxiosInstance } from 'axios';
import type { RestEndpoint } from 'restitch';
import { axiosEndpoint } from 'restitch/axios';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openWorld, type World } from '../support/browserWorld.js';

let said: unknown[] = [];
let world: World;

beforeEach(async () => {
  world = await openWorld({
    'POST /users': { status: 201, body: { id: '1' } },
    'GET /slow': { held: true, body: {} },
    'GET /gone': { drop: true },
  });
  document.cookie = 'XSRF-TOKEN=a-token';
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its request
  const { open, setRequestHeader, abort } = XMLHttpRequest.prototype;
  vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(function (
    this: XMLHttpRequest,
    ...args: [string, string | URL, boolean?]
  ) {
    said.push(['open', args[0], String(args[1])]);
    open.apply(this, [args[0], args[1], true]);
  });
  vi.spyOn(XMLHttpRequest.prototype, 'setRequestHeader').mockImplementation(function (
    this: XMLHttpRequest,
    name,
    value,
  ) {
    said.push(['header', name.toLowerCase(), value]);
    setRequestHeader.call(this, name, value);
  });
  vi.spyOn(XMLHttpRequest.prototype, 'abort').mockImplementation(function (this: XMLHttpRequest) {
    said.push(['abort']);
    abort.call(this);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  document.cookie = 'XSRF-TOKEN=; max-age=0';
});

type Make = (options: object) => RestEndpoint;

/** What a program sends, resolves to or rejects with, and says. */
async function run(program: () => Promise<unknown>): Promise<unknown> {
  said = [];
  const outcome = await program().then(
    (value) => ({ value }),
    (error: Error & { code?: unknown }) => ({
      message: error.message,
      code: error.code,
      isCancel: axios.isCancel(error),
      isAxiosError: axios.isAxiosError(error),
    }),
  );
  return {
    outcome,
    said: said.map((line) => JSON.stringify(line)).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

/** Fails unless both programs come to the same; returns what that is. */
async function compare(
  makeInstance: () => AxiosInstance,
  program: (api: AxiosInstance) => Promise<unknown>,
  bridged: (make: Make) => Promise<unknown>,
): Promise<unknown> {
  const expected = await run(() => program(makeInstance()));
  const Api = axiosEndpoint(makeInstance());
  expect(await run(() => bridged((options) => new Api(options) as RestEndpoint))).toEqual(expected);
  return expected;
}

const atServer = (): AxiosInstance => axios.create({ baseURL: world.url });

it('sends the XSRF token of a cookie', async () => {
  const same = await compare(
    () => axios.create({ baseURL: location.origin, validateStatus: () => true }),
    (api) => api.post('/no-such-page', { a: 1 }).then(({ data }) => data as unknown),
    (make) => make({ path: '/no-such-page', method: 'POST', body: {} })({ a: 1 }),
  );
  expect(same).toMatchObject({
    said: expect.arrayContaining(['["header","x-xsrf-token","a-token"]']) as unknown,
  });
});

it('reports how much of a body is sent', async () => {
  const axiosConfig = {
    onUploadProgress: ({ loaded, total }: { loaded: number; total?: number }) =>
      said.push(['progress', loaded, total]),
  };
  const same = await compare(
    atServer,
    (api) => api.post('/users', { a: 1 }, axiosConfig).then(({ data }) => data as unknown),
    (make) => make({ path: '/users', method: 'POST', body: {}, axiosConfig })({ a: 1 }),
  );
  expect(same).toMatchObject({ said: expect.arrayContaining(['["progress",7,7]']) as unknown });
});

it('aborts a request under way', async () => {
  const abortWhenSent = (): AbortSignal => {
    const controller = new AbortController();
    void expect
      .poll(() => said.length)
      .toBeGreaterThan(0)
      .then(() => controller.abort());
    return controller.signal;
  };
  const same = await compare(
    atServer,
    (api) => api.get('/slow', { signal: abortWhenSent() }),
    (make) => make({ path: '/slow', signal: abortWhenSent() })(),
  );
  expect(same).toMatchObject({
    outcome: { isCancel: true },
    said: expect.arrayContaining(['["abort"]']) as unknown,
  });
});

it('rejects with the error of the instance where the connection fails', async () => {
  const same = await compare(
    atServer,
    (api) => api.get('/gone'),
    (make) => make({ path: '/gone' })(),
  );
  expect(same).toMatchObject({ outcome: { isAxiosError: true, code: 'ERR_NETWORK' } });
});
