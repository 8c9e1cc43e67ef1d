/** Endpoints that send through an axios instance, in the cache: identity, policies of errors, cancellation, hooks of subclasses. */
import { Readable } from 'node:stream';
import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { Collection, Controller, Entity, resource, type RestGenerics } from 'restitch';
import { axiosEndpoint } from 'restitch/axios';
import { getState } from 'restitch/state';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Recorder, startRecorder } from './server.js';

class User extends Entity {
  id = '';
  name = '';
  role = '';
  static override key = 'User';
}

let server: Recorder;

beforeAll(async () => {
  server = await startRecorder();
});

afterEach(() => void server.take());

afterAll(() => server.close());

function openApi(path = '/api') {
  const instance = axios.create({ baseURL: `${server.origin}${path}` });
  class Api<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {}
  return { instance, Api };
}

const both = <T, R>(a: T, b: T, make: (value: T) => R): [R, R] => [make(a), make(b)];

const failureOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

describe('the base URL of an instance', () => {
  it('is in the key, before the path and the parameters as the instance writes them', () => {
    const { Api } = openApi();
    const getUsers = new Api({ path: '/users', searchParams: {} as { at: string } });
    expect(getUsers.key({ at: '10:00 h' })).toBe(`GET ${server.origin}/api/users?at=10:00+h`);
    expect(new Api({ path: 'users/:id' }).key({ id: 1 })).toBe(`GET ${server.origin}/api/users/1`);
  });

  it('is looked at when it is needed', () => {
    const { instance, Api } = openApi();
    const getUser = new Api({ path: '/users/:id' });
    instance.defaults.baseURL = '/later';
    expect(getUser.key({ id: 1 })).toBe('GET /later/users/1');
    expect(getUser.testKey('GET /later/users/2')).toBe(true);
  });

  it('gives its lists a home of their own', async () => {
    const controller = new Controller();
    const users = new Collection([User]);
    const one = new (openApi('/one').Api)({ path: '/list', schema: users });
    const two = new (openApi('/two').Api)({ path: '/list', schema: users });
    await Promise.all([controller.fetch(one), controller.fetch(two)]);
    await controller.fetch(one.push, { name: 'Ada' });
    const lists = [one, two].map((list) => controller.getResponse(list));
    expect(lists.map((list) => list?.length)).toEqual([1, 0]);
  });

  it('gives way to a service, which keeps instances of one server apart', async () => {
    const controller = new Controller();
    const { instance, Api } = openApi();
    class Admin<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
      override service = 'admin';
    }
    const [own, other] = [new Api({ path: '/list' }), new Admin({ path: '/list' })];
    expect(other.key()).toBe('GET "admin"/list');
    await Promise.all([controller.fetch(own), controller.fetch(other)]);
    expect(server.take().map(({ url }) => url)).toEqual(['/api/list', '/api/list']);
  });

  it('gives way to a prefix of the class', async () => {
    const { instance } = openApi();
    class Other<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
      override urlPrefix = `${server.origin}/other`;
    }
    await new Other({ path: '/users' })();
    expect(server.take()).toMatchObject([{ url: '/other/users' }]);
  });
});

describe('the parameters of `axiosConfig`', () => {
  const url = ({ url: given }: { url: string }) => given;

  it('are in the key, whatever makes the URL', () => {
    const { Api } = openApi();
    const users = `GET ${server.origin}/api/users`;
    const getUsers = new Api({ path: '/users', searchParams: {} as { page?: number } });
    const byUrl = new Api({ url });
    const admins = { axiosConfig: { params: { role: 'admin' } } };
    expect(getUsers.extend(admins).key()).toBe(`${users}?role=admin`);
    expect(getUsers.extend(admins).key({ page: 2 })).toBe(`${users}?page=2&role=admin`);
    expect(byUrl.extend(admins).key({ url: '/users?at=1' })).toBe('GET /users?at=1&role=admin');
    const params = new URLSearchParams('tag=a&tag=b');
    expect(getUsers.extend({ axiosConfig: { params } }).key()).toBe(`${users}?tag=a&tag=b`);
  });

  it('are sent along with those of the call, which go over them', async () => {
    const { Api } = openApi();
    const getUsers = new Api({
      path: '/users',
      searchParams: {} as { page?: number; role?: string },
      axiosConfig: { params: { role: 'admin', size: 5 } },
    });
    await getUsers({ page: 2, role: 'guest' });
    await getUsers();
    const params = new URLSearchParams('tag=a&tag=b');
    await getUsers.extend({ axiosConfig: { params } })({ page: 2 });
    expect(server.take().map(({ url: asked }) => asked)).toEqual([
      '/api/users?role=guest&size=5&page=2',
      '/api/users?role=admin&size=5',
      '/api/users?tag=a&tag=b&page=2',
    ]);
  });

  it.each(['a path', 'a URL'] as const)('distinguish responses of %s', async (made) => {
    const { Api } = openApi();
    const controller = new Controller();
    const get = made === 'a path' ? new Api({ path: '/echo' }) : new Api({ url });
    const args: [any] | [] = made === 'a path' ? [] : [{ url: '/echo' }];
    const [one, two] = both(1, 2, (page) => get.extend({ axiosConfig: { params: { page } } }));
    await controller.fetch(one, ...args);
    expect(controller.getResponse(one, ...args)).toEqual({ url: '/api/echo?page=1' });
    expect(controller.getResponse(two, ...args)).toBeUndefined();
  });

  it('are arguments of lists, by which a create finds its list', async () => {
    const controller = new Controller();
    const { Api } = openApi();
    const get = new Api({ path: '/list', schema: new Collection([User]) });
    const [admins, guests] = both('admin', 'guest', (role) =>
      get.extend({ axiosConfig: { params: { role } } }),
    );
    await Promise.all([controller.fetch(admins), controller.fetch(guests)]);
    controller.set(get.schema.push, { role: 'guest' }, { id: '9', name: 'Eve', role: 'guest' });
    expect(controller.getResponse(admins)).toEqual([]);
    expect(controller.getResponse(guests)).toMatchObject([{ id: '9' }]);
  });

  it('distinguish lists by their home when the instance sets them', async () => {
    const controller = new Controller();
    const users = new Collection([User]);
    const [one, two] = both('1', '2', (tenant) => {
      const { instance, Api } = openApi();
      instance.defaults.params = { tenant };
      return new Api({ path: '/list', schema: users });
    });
    expect(one.key()).toBe(`GET ${server.origin}/api/list?tenant=1`);
    await Promise.all([controller.fetch(one), controller.fetch(two)]);
    await controller.fetch(one.push, { name: 'Ada' });
    expect([one, two].map((get) => controller.getResponse(get)?.length)).toEqual([1, 0]);
  });

  it('leave the endpoint what it is for a user of its own', () => {
    const { Api } = openApi();
    const get = new Api({ path: '/users/:id' });
    expect(get.testKey(get.extend({ axiosConfig: { params: { a: 1 } } }).key({ id: 1 }))).toBe(
      true,
    );
    expect(get.extend({ scope: 'ada' }).key({ id: 1 })).toMatch(/^"ada" GET /);
  });
});

describe('further request options of `axiosConfig`', () => {
  it('distinguishes responses: another server, and a body', () => {
    const { Api } = openApi();
    const get = new Api({ path: '/users' });
    const other = get.extend({ axiosConfig: { baseURL: 'https://other.example.com/' } });
    expect(other.key()).toBe('GET https://other.example.com/users');
    const search = new Api({ path: '/users', method: 'POST', sideEffect: undefined });
    const keys = ['a', 'b'].map((q) => search.extend({ axiosConfig: { data: { q } } }).key());
    expect(new Set(keys).size).toBe(2);
  });

  it('goes to the server that is named there', async () => {
    const { Api } = openApi();
    const baseURL = `${server.origin}/other`;
    await new Api({ path: '/users' }).extend({ axiosConfig: { baseURL } })();
    expect(server.take()).toMatchObject([{ url: '/other/users' }]);
  });

  it.each<object>([{ wholeResponse: true }, { axiosConfig: { responseType: 'text' } }])(
    'keeps a result of its own with %o',
    async (options) => {
      const { Api } = openApi();
      const controller = new Controller();
      const get = new Api({ path: '/users' });
      const other = get.extend(options);
      await controller.fetch(get);
      expect(controller.getResponse(get)).toHaveProperty('name', 'Ada');
      expect(controller.getResponse(other)).toBeUndefined();
      await controller.fetch(other);
      expect(controller.getResponse(get)).toHaveProperty('name', 'Ada');
      expect(controller.getResponse(new Api({ path: '/users' }))).toHaveProperty('name', 'Ada');
    },
  );
});

describe('an error of the instance', () => {
  it.each([
    ['/status/500', 'soft'],
    ['/broken', 'soft'],
    ['/status/404', 'hard'],
  ])('by %s is %s', async (path, policy) => {
    const { Api } = openApi();
    const get = new Api({ path });
    const error = await failureOf(get());
    expect(axios.isAxiosError(error)).toBe(true);
    expect(get.errorPolicy(error)).toBe(policy);
  });

  it.each([
    ['/status/500', 'soft'],
    ['/broken', 'soft'],
    ['/status/404', 'hard'],
  ])('after %s is %s where an interceptor put another one in its place', async (path, policy) => {
    const { instance, Api } = openApi();
    instance.interceptors.response.use(undefined, (cause: unknown) => {
      throw new Error('mapped', { cause });
    });
    const get = new Api({ path });
    const error = await failureOf(get());
    expect(error.message).toBe('mapped');
    expect(get.errorPolicy(error)).toBe(policy);
  });

  it('that an interceptor throws by mistake is hard', async () => {
    const { instance, Api } = openApi();
    instance.interceptors.request.use(() => {
      throw new TypeError('a mistake');
    });
    const get = new Api({ path: '/users' });
    expect(get.errorPolicy(await failureOf(get()))).toBe('hard');
  });

  it('that reports wrong arguments is hard, though it is a TypeError', async () => {
    const { Api } = openApi();
    const get = new Api({});
    const error = await failureOf(get());
    expect(error).toBeInstanceOf(TypeError);
    expect(get.errorPolicy(error)).toBe('hard');
  });

  it('is given to readers as the same object, with its status', async () => {
    const { Api } = openApi();
    const controller = new Controller();
    const get = new Api({ path: '/status/422' });
    const error = await failureOf(controller.fetch(get));
    expect(error.status).toBe(422);
    expect(error.response.data).toEqual({ reason: 'status 422' });
    expect(controller.getError(get)).toBe(error);
  });

  it('is tried again by its status, and by the policy', async () => {
    const { Api } = openApi();
    const retry = { limit: 2, backoff: () => 1 };
    await failureOf(new Api({ path: '/status/503', retry })());
    await failureOf(new Api({ path: '/status/404', retry })());
    await failureOf(new Api({ path: '/status/422', retry: { ...retry, statusCodes: [422] } })());
    const paths = server.take().map(({ url }) => url);
    expect(paths).toEqual([
      ...Array.from({ length: 3 }, () => '/api/status/503'),
      '/api/status/404',
      ...Array.from({ length: 3 }, () => '/api/status/422'),
    ]);
  });

  it('is not tried again where the body was a stream', async () => {
    const { Api } = openApi();
    const retry = { limit: 2, methods: ['POST'], backoff: () => 1 };
    const send = new Api({ path: '/status/500', method: 'POST', retry, body: {} });
    await failureOf(send(Readable.from(['a', 'b'])));
    expect(server.take()).toMatchObject([{ body: 'ab' }]);
    await failureOf(send({ a: 1 }));
    expect(server.take()).toHaveLength(3);
  });

  it('is asked for no header where it is not tried again', async () => {
    const { instance, Api } = openApi();
    let asked = 0;
    const headers = { get: () => void (asked += 1) };
    instance.interceptors.response.use(undefined, () => {
      throw Object.assign(new Error('mapped'), { response: { status: 500, headers } });
    });
    await failureOf(new Api({ path: '/status/500' })());
    expect(asked).toBe(0);
    await failureOf(new Api({ path: '/status/500', retry: { limit: 1, backoff: () => 1 } })());
    expect(asked).toBe(1);
  });

  it('is tried again although its response has no headers', async () => {
    const { instance, Api } = openApi();
    instance.interceptors.response.use(undefined, ({ response: { status } }) => {
      throw Object.assign(new Error('mapped'), { response: { status } });
    });
    const get = new Api({ path: '/status/500', retry: { limit: 1, backoff: () => 1 } });
    expect((await failureOf(get())).message).toBe('mapped');
    expect(server.take()).toHaveLength(2);
  });
});

describe('a request over the bridge', () => {
  it.each(['endpoint', 'config', 'instance'] as const)(
    'ends when the signal of the %s aborts',
    async (owner) => {
      const { instance, Api } = openApi();
      const abort = new AbortController();
      const other = new AbortController();
      const { signal } = abort;
      if (owner === 'instance') instance.defaults.signal = signal;
      const get = new Api({
        path: '/never',
        signal: owner === 'endpoint' ? signal : other.signal,
        axiosConfig: owner === 'config' ? { signal } : {},
      });
      const failure = failureOf(get());
      await expect.poll(() => server.take()).toHaveLength(1);
      abort.abort();
      const error = await failure;
      expect(axios.isCancel(error)).toBe(true);
      expect(error.name).toBe('AbortError');
    },
  );

  it('runs out of the time that the endpoint sets', async () => {
    const { Api } = openApi();
    const failure = failureOf(new Api({ path: '/never', timeout: 300 })());
    await expect.poll(() => server.take()).toHaveLength(1);
    const error = await failure;
    expect(error.name).toBe('TimeoutError');
  });

  it('sends the headers of its class, and reads those of the response', async () => {
    const { instance } = openApi();
    class Api<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
      override getHeaders(headers: Record<string, string>) {
        return { ...headers, 'x-app': 'web' };
      }
      override async parseResponse(response: Response) {
        const value: object = await super.parseResponse(response);
        return { ...value, total: response.headers.get('x-total'), status: response.status };
      }
    }
    expect(await new Api({ path: '/users/1' })()).toMatchObject({
      name: 'Ada',
      total: '7',
      status: 200,
    });
    expect(server.take()[0]?.headers).toContain('x-app');
  });

  it('goes to a double of an instance, which has no more than a request', async () => {
    const asked: unknown[] = [];
    const request = async ({ url, params }: AxiosRequestConfig) => {
      asked.push([url, params]);
      return { data: 'a double', status: 200, headers: {}, config: {} };
    };
    // The cast: as tests make them.
    class Api<O extends RestGenerics = any> extends axiosEndpoint({
      request,
    } as AxiosInstance)<O> {}
    const get = new Api({ path: '/users', searchParams: {} as { page: number } });
    expect(await get({ page: 1 })).toBe('a double');
    expect(asked).toEqual([['/users', { page: 1 }]]);
  });

  it('goes where its class sends it', async () => {
    const { instance } = openApi();
    class Api<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
      override fetchResponse(input: RequestInfo, init: RequestInit) {
        return super.fetchResponse(`${input as string}/details`, init);
      }
    }
    await new Api({ path: '/users/1' })();
    expect(server.take()).toMatchObject([{ url: '/api/users/1/details' }]);
  });

  it('has its own parameters, apart from others with the same URL', async () => {
    const { instance, Api } = openApi();
    const seen: unknown[] = [];
    instance.interceptors.request.use((config) => {
      seen.push(config.params);
      return config;
    });
    const get = new Api({ path: '/users', searchParams: {} as { page: number } });
    await Promise.all([get({ page: 1 }), get({ page: 1 }), get({ page: 2 })]);
    expect(seen).toEqual([{ page: 1 }, { page: 1 }, { page: 2 }]);
  });

  it('reads no body as null where it has a schema', async () => {
    const { Api } = openApi();
    const controller = new Controller();
    controller.set(User, { id: '1' }, { id: '1', name: 'Ada' });
    const options = { path: '/empty', method: 'PATCH', schema: User, body: {} } as const;
    const rename = new Api({
      ...options,
      getOptimisticResponse: (_: unknown, body: object) => ({ id: '1', ...body }),
    });
    await controller.fetch(rename, { name: 'Eve' });
    expect(controller.get(User, { id: '1' })?.name).toBe('Eve');
  });

  it('is what the instance resolves to with `wholeResponse`', async () => {
    const { instance, Api } = openApi();
    const get = new Api({ path: '/users', wholeResponse: true });
    expect(await get()).toMatchObject({ status: 200, data: expect.anything(), config: {} });
    instance.interceptors.response.use((response) =>
      response.status === 200 ? response : response.data,
    );
    expect(await get()).toHaveProperty('headers');
    const post = new Api({ path: '/status/201', method: 'POST', body: {}, wholeResponse: true });
    expect(await post({})).not.toHaveProperty('headers');
  });

  it('hands a whole response to its readers, and to no export', async () => {
    const { instance, Api } = openApi();
    instance.interceptors.request.use((config) => {
      config.headers.set('Authorization', 'Bearer the-token');
      return config;
    });
    const controller = new Controller();
    const get = new Api({ path: '/users', wholeResponse: true });
    const getCopy = new Api({
      path: '/users/2',
      wholeResponse: true,
      process: ({ data, headers, config }: AxiosResponse) => ({
        data,
        headers: { ...headers },
        config: { ...config, headers: { ...config.headers } },
      }),
    });
    const response = await controller.fetch(get);
    await controller.fetch(getCopy);
    expect(response.config.headers.Authorization).toBe('Bearer the-token');
    expect(controller.getResponse(get)).toBe(response);
    const state = getState(controller);
    expect(state.results).toEqual([]);
    expect(JSON.stringify(state)).not.toContain('the-token');
  });

  it.each(['an option', 'a member of the class', 'a field'] as const)(
    'refuses a schema together with `wholeResponse` as %s',
    async (kind) => {
      const { instance } = openApi();
      class Plain<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {}
      class Member<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
        get wholeResponse() {
          return true;
        }
      }
      class Field<O extends RestGenerics = any> extends axiosEndpoint(instance)<O> {
        wholeResponse = true;
      }
      const refused =
        /: `wholeResponse` cannot be combined with a `schema`, which would store headers and tokens/;
      const options = { path: '/users/:id', schema: User } as const;
      if (kind === 'an option') {
        // @ts-expect-error -- its types say so, too
        expect(() => new Plain({ ...options, wholeResponse: true })).toThrow(refused);
        expect(() => new Plain(options).extend({ wholeResponse: true })).toThrow(refused);
      } else if (kind === 'a member of the class') {
        expect(() => new Member(options)).toThrow(refused);
        expect(() => resource({ ...options, Endpoint: Member }).get).toThrow(refused);
      } else {
        // Fields are set after the constructor has run.
        await expect(new Field(options)({ id: 1 })).rejects.toThrow(refused);
      }
      expect(server.take()).toEqual([]);
    },
  );

  it('is that of a resource', async () => {
    const { Api } = openApi();
    const UserResource = resource({ path: '/users/:id', schema: User, Endpoint: Api });
    const controller = new Controller();
    const user = await controller.fetch(UserResource.get, { id: '1' });
    expect(user).toBeInstanceOf(User);
    expect(server.take()).toMatchObject([{ method: 'GET', url: '/api/users/1' }]);
  });
});
