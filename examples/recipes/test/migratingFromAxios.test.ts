import axios, { type AxiosInstance } from 'axios';
import qs from 'qs';
import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { describe, expect, it } from 'vitest';
import { failureOf, type Reply, type Seen, startServer } from './support/server.js';

type Send = (origin: string) => Promise<unknown>;

/** The two calls as the server receives them, without the headers that an HTTP client sends for itself. */
async function requestsOf(before: Send, after: Send) {
  const server = await startServer(() => ({ body: {} }));
  await before(server.origin);
  await after(server.origin);
  const [old, now] = server.seen;
  if (!old || !now) throw new Error('Two requests were expected');
  return [comparable(old), comparable(now)] as const;
}

function comparable({ method, url, headers, body }: Seen) {
  const { authorization, 'content-type': type, 'x-client': client } = headers;
  return { method, url, body, authorization, type, client };
}

describe('the same request', () => {
  it.each<[string, Send, Send]>([
    [
      'base URL',
      (baseURL) => axios.create({ baseURL }).get('/users/1'),
      (urlPrefix) => new RestEndpoint({ urlPrefix, path: '/users/:id' })({ id: 1 }),
    ],
    [
      'default headers',
      (baseURL) => axios.create({ baseURL, headers: { 'X-Client': 'web' } }).get('/'),
      (urlPrefix) =>
        new RestEndpoint({
          urlPrefix,
          path: '/',
          getHeaders: (headers) => ({ ...headers, 'x-client': 'web' }),
        })(),
    ],
    [
      'a request interceptor',
      (baseURL) => withToken(axios.create({ baseURL })).post('/users', { name: 'Ada' }),
      (urlPrefix) =>
        new RestEndpoint({
          urlPrefix,
          path: '/users',
          body: {} as object,
          getHeaders: async (headers) => ({ ...headers, authorization: 'Bearer t' }),
        })({ name: 'Ada' }),
    ],
    [
      'query parameters with a serializer',
      (baseURL) =>
        axios.get('/issues', {
          baseURL,
          params: { assignee: { team: 'web' }, sort: 'newest' },
          paramsSerializer: { serialize: (params) => qs.stringify(params) },
        }),
      (urlPrefix) =>
        new RestEndpoint({
          urlPrefix,
          path: '/issues',
          searchParams: { sort: 'newest' } as { sort?: string; assignee?: { team: string } },
          searchToString: (params) => qs.stringify(params, { sort: (a, b) => (a < b ? -1 : 1) }),
        })({ assignee: { team: 'web' } }),
    ],
    [
      'basic authentication',
      (baseURL) => axios.get('/', { baseURL, auth: { username: 'ada', password: 'secret' } }),
      (urlPrefix) =>
        new RestEndpoint({
          urlPrefix,
          path: '/',
          getHeaders: (headers) => ({ ...headers, authorization: `Basic ${btoa('ada:secret')}` }),
        })(),
    ],
    [
      'changed bodies',
      (baseURL) =>
        axios.put(
          '/users/1',
          { name: 'Ada' },
          { baseURL, transformRequest: [(data) => ({ ...data, client: 'web' }), ...transformers] },
        ),
      (urlPrefix) =>
        new ClientEndpoint({ urlPrefix, path: '/users/:id', method: 'PUT' })(
          { id: 1 },
          { name: 'Ada' },
        ),
    ],
  ])('%s', async (_, before, after) => {
    const [old, now] = await requestsOf(before, after);
    expect(now).toEqual(old);
  });
});

class ClientEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body: object | undefined): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(body && { ...body, client: 'web' });
  }
}

const transformers = [axios.defaults.transformRequest ?? []].flat();

function withToken(instance: AxiosInstance): AxiosInstance {
  instance.interceptors.request.use(async (config) => {
    config.headers.set('Authorization', 'Bearer t');
    return config;
  });
  return instance;
}

describe('requests that differ by nature', () => {
  const serve = (reply: Reply) => startServer(() => reply);

  it('is that values of a path are encoded whole', async () => {
    const [old, now] = await requestsOf(
      (baseURL) => axios.get(`/users/${'a/b?c'}`, { baseURL }),
      (urlPrefix) => new RestEndpoint({ urlPrefix, path: '/users/:id' })({ id: 'a/b?c' }),
    );
    expect([old.url, now.url]).toEqual(['/users/a/b?c', '/users/a%2Fb%3Fc']);
  });

  it('is that an array repeats its key, and keys are sorted', async () => {
    const params = { tag: ['a', 'b'], page: 1, none: undefined, nil: null };
    const [old, now] = await requestsOf(
      (baseURL) => axios.get('/', { baseURL, params }),
      (urlPrefix) =>
        new RestEndpoint({ urlPrefix, path: '/', searchParams: {} as typeof params })(params),
    );
    expect([old.url, now.url].map(decodeURIComponent)).toEqual([
      '/?tag[]=a&tag[]=b&page=1',
      '/?page=1&tag=a&tag=b',
    ]);
  });

  it('is that the body of a failed response is `error.body`', async () => {
    const { origin } = await serve({ status: 422, body: { error: 'no name' } });
    const old = await failureOf(axios.get(origin));
    if (!axios.isAxiosError(old)) throw old;
    expect(old.response?.data).toEqual({ error: 'no name' });
    const now = await failureOf(new RestEndpoint({ urlPrefix: origin, path: '/' })());
    if (!(now instanceof NetworkError)) throw now;
    expect([now.status, now.body]).toEqual([422, { error: 'no name' }]);
    expect(await now.response.clone().json()).toEqual({ error: 'no name' });
  });

  it('is that the content-type decides how a body is read', async () => {
    const { origin } = await serve({ headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect((await axios.get(origin)).data).toEqual({});
    expect(await new RestEndpoint({ urlPrefix: origin, path: '/' })()).toBe('{}');
  });

  it('is that no content is null', async () => {
    const { origin } = await serve({ status: 204 });
    expect((await axios.get(origin)).data).toBe('');
    expect(await new RestEndpoint({ urlPrefix: origin, path: '/' })()).toBeNull();
  });
});

describe('the end of a request', () => {
  const silent = () => startServer(() => new Promise<never>(() => {}));

  it.each<[string, { signal?: () => AbortSignal; timeout?: number }]>([
    ['a signal of its own', { signal: () => AbortSignal.timeout(20) }],
    ['the option', { timeout: 20 }],
  ])('comes with a TimeoutError by %s', async (_, options) => {
    const { origin } = await silent();
    const error = await failureOf(
      new RestEndpoint({ urlPrefix: origin, path: '/' }).extend(options)(),
    );
    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });

  it('comes with an AbortError by the signal of a controller', async () => {
    const { origin } = await silent();
    const controller = new AbortController();
    const { signal } = controller;
    const call = failureOf(new RestEndpoint({ urlPrefix: origin, path: '/', signal })());
    controller.abort();
    const error = await call;
    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: 'AbortError' });
  });

  it('by a failed connection comes with a TypeError', async () => {
    const get = new RestEndpoint({ urlPrefix: 'http://127.0.0.1:1', path: '/' });
    expect(await failureOf(get())).toBeInstanceOf(TypeError);
  });
});
