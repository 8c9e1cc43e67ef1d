/** Programs written twice: with axios, and with endpoints that send through the same instance. */
import axios, {
  type AxiosInstance,
  type AxiosRequestConfig,
  type CreateAxiosDefaults,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { RestEndpoint } from 'restitch';

type Make = (options: object) => RestEndpoint;

/** What a program does, and what its interceptors saw. */
export interface Program {
  readonly name: string;
  /** The settings of the instance; the base URL is the server's. */
  readonly defaults?: CreateAxiosDefaults;
  /** What the application sets up; `log` is compared too. */
  readonly setUp?: (api: AxiosInstance, log: (line: unknown) => void) => void;
  readonly axios: (api: AxiosInstance, log: (line: unknown) => void) => Promise<unknown>;
  readonly bridge: (make: Make, log: (line: unknown) => void) => Promise<unknown>;
}

const data = (call: Promise<{ data: unknown }>): Promise<unknown> => call.then((r) => r.data);

/** An error of the application's own. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number | undefined;
  constructor(message: string, status: number | undefined, cause: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

const token = (api: AxiosInstance): void => {
  api.interceptors.request.use((config) => {
    config.headers.set('Authorization', 'Bearer old');
    return config;
  });
};

const logging = (api: AxiosInstance, log: (line: unknown) => void): void => {
  api.interceptors.request.use((config) => {
    const { url, method, baseURL, params, data: body } = config;
    log({
      url,
      method,
      hasBase: baseURL !== undefined,
      params: params as unknown,
      body: body as unknown,
    });
    return config;
  });
  api.interceptors.response.use((response) => {
    log([response.status, response.config.url]);
    return response;
  });
};

const refreshing = (api: AxiosInstance): void => {
  token(api);
  api.interceptors.response.use(undefined, async (error: unknown) => {
    const { config, response } = error as {
      config: InternalAxiosRequestConfig & { again?: boolean };
      response?: { status: number };
    };
    if (response?.status !== 401 || config.again) throw error;
    const { data: session } = await axios.post<{ id: string }>(`${api.defaults.baseURL}/login`);
    return axios.request({
      ...config,
      again: true,
      headers: { ...config.headers, Authorization: session.id ? 'Bearer new' : '' },
    } as AxiosRequestConfig);
  });
};

const unwrapping = (api: AxiosInstance): void => {
  api.interceptors.response.use((response) => response.data as never);
};

const mapping = (api: AxiosInstance): void => {
  api.interceptors.response.use(undefined, (error: { response?: { status: number } }) => {
    throw new ApiError('mapped', error.response?.status, error);
  });
};

const user = { path: '/users/:id' };
const create = { path: '/users', method: 'POST', body: {} };

export const PROGRAMS: readonly Program[] = [
  {
    name: 'a read',
    setUp: logging,
    axios: (api) => data(api.get('/users/5')),
    bridge: (make) => make(user)({ id: 5 }),
  },
  {
    name: 'parameters, nested and repeated',
    setUp: logging,
    axios: (api) =>
      data(
        api.get('/users', {
          params: { q: 'a b&c', tags: ['x', 'y'], filter: { min: 1 }, none: null },
        }),
      ),
    bridge: (make) =>
      make({ path: '/users' })({ q: 'a b&c', tags: ['x', 'y'], filter: { min: 1 }, none: null }),
  },
  {
    name: 'a serializer of parameters',
    defaults: { paramsSerializer: { indexes: null } },
    axios: (api) => data(api.get('/users', { params: { tags: ['x', 'y'], q: 'ü' } })),
    bridge: (make) => make({ path: '/users' })({ tags: ['x', 'y'], q: 'ü' }),
  },
  {
    name: 'a serializer that is a function',
    defaults: {
      paramsSerializer: { serialize: (params) => `all=${Object.keys(params).join('+')}` },
    },
    setUp: logging,
    axios: (api) => data(api.get('/users', { params: { a: 1, b: 2 } })),
    bridge: (make) => make({ path: '/users' })({ a: 1, b: 2 }),
  },
  {
    name: 'a path without a slash',
    axios: (api) => data(api.get('users/5')),
    bridge: (make) => make({ path: 'users/:id' })({ id: 5 }),
  },
  {
    name: 'a create',
    setUp: logging,
    axios: (api) => data(api.post('/users', { name: 'Ada' })),
    bridge: (make) => make(create)({ name: 'Ada' }),
  },
  {
    name: 'a change with headers',
    axios: (api) => data(api.patch('/users/5', { name: 'ü' }, { headers: { 'If-Match': '"1"' } })),
    bridge: (make) =>
      make({ ...user, method: 'PATCH', requestInit: { headers: { 'If-Match': '"1"' } } })(
        { id: 5 },
        { name: 'ü' },
      ),
  },
  {
    name: 'a delete',
    axios: (api) => data(api.delete('/empty')),
    bridge: (make) => make({ path: '/empty', method: 'DELETE' })(),
  },
  {
    name: 'a form',
    axios: (api) => data(api.post('/users', new URLSearchParams({ name: 'A b' }))),
    bridge: (make) => make(create)(new URLSearchParams({ name: 'A b' })),
  },
  {
    name: 'a form that axios makes',
    axios: (api) =>
      data(
        api.post(
          '/users',
          { a: { b: 1 } },
          { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        ),
      ),
    bridge: (make) =>
      make({
        ...create,
        requestInit: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      })({ a: { b: 1 } }),
  },
  {
    name: 'a token in a header',
    setUp: token,
    axios: (api) => data(api.get('/users/5')),
    bridge: (make) => make(user)({ id: 5 }),
  },
  {
    name: 'a token that is renewed after a 401',
    setUp: refreshing,
    axios: (api) => data(api.get('/secret', { params: { a: [1] } })),
    bridge: (make) => make({ path: '/secret' })({ a: [1] }),
  },
  {
    name: 'an interceptor that unwraps data',
    setUp: unwrapping,
    axios: (api) => api.get('/users/5'),
    bridge: (make) => make(user)({ id: 5 }),
  },
  {
    name: 'an interceptor that unwraps an empty response',
    setUp: unwrapping,
    axios: (api) => api.delete('/empty'),
    bridge: (make) => make({ path: '/empty', method: 'DELETE' })(),
  },
  {
    name: 'an interceptor that unwraps an envelope',
    setUp: (api) =>
      void api.interceptors.response.use(
        ({ data: body }) => (body as { data: unknown }).data as never,
      ),
    axios: (api) => api.get('/envelope'),
    bridge: (make) => make({ path: '/envelope' })(),
  },
  {
    name: 'an interceptor that adds parameters and headers',
    setUp: (api) =>
      void api.interceptors.request.use((config) => {
        config.params = { ...(config.params as object), locale: 'de' };
        config.headers.set('X-Trace', '1');
        return config;
      }),
    axios: (api) => data(api.get('/users', { params: { a: 1 } })),
    bridge: (make) => make({ path: '/users' })({ a: 1 }),
  },
  {
    name: 'an option of the application that an interceptor reads',
    setUp: (api) =>
      void api.interceptors.request.use((config) => {
        if (!(config as { skipAuth?: boolean }).skipAuth) config.headers.set('Authorization', 'x');
        return config;
      }),
    axios: (api) => data(api.get('/users', { skipAuth: true } as AxiosRequestConfig)),
    bridge: (make) => make({ path: '/users', axiosConfig: { skipAuth: true } })(),
  },
  {
    name: 'transformRequest and transformResponse',
    defaults: {
      transformRequest: [
        (body: object, headers) => {
          headers.set('content-type', 'application/vnd.api+json');
          return JSON.stringify({ data: body });
        },
      ],
      transformResponse: [
        (body: string) => ({ ...(JSON.parse(body) as object), date: new Date(0) }),
      ],
    },
    axios: (api) => data(api.post('/users', { name: 'Ada' })),
    bridge: (make) => make(create)({ name: 'Ada' }),
  },
  {
    name: 'basic authentication and default headers',
    defaults: { auth: { username: 'a', password: 'b' }, headers: { common: { 'X-App': 'web' } } },
    axios: (api) => data(api.get('/users/5')),
    bridge: (make) => make(user)({ id: 5 }),
  },
  {
    name: 'an adapter',
    defaults: {
      adapter: async (config) => ({
        data: JSON.stringify({ from: 'adapter', url: config.url }),
        status: 200,
        statusText: 'OK',
        headers: { 'x-from': 'adapter' },
        config,
      }),
    },
    axios: (api) => data(api.get('/users/5')),
    bridge: (make) => make(user)({ id: 5 }),
  },
  {
    // The oldest versions have none, and say so.
    name: 'the adapter that uses fetch',
    defaults: { adapter: 'fetch' },
    axios: (api) => data(api.post('/users', { name: 'Ada' }, { params: { a: [1, 2] } })),
    bridge: (make) =>
      make({ path: '/users', method: 'POST', searchParams: { a: [1, 2] }, body: {} })({
        name: 'Ada',
      }),
  },
  {
    name: 'a text',
    axios: (api) => data(api.get('/text')),
    bridge: (make) => make({ path: '/text' })(),
  },
  {
    name: 'bytes',
    axios: (api) => data(api.get('/text', { responseType: 'arraybuffer' })),
    bridge: (make) => make({ path: '/text', content: 'arrayBuffer' })(),
  },
  {
    name: 'progress',
    axios: (api, log) =>
      data(api.post('/users', { name: 'Ada' }, { onUploadProgress: ({ loaded }) => log(loaded) })),
    bridge: (make, log) =>
      make({
        ...create,
        axiosConfig: { onUploadProgress: ({ loaded }: { loaded: number }) => log(loaded) },
      })({ name: 'Ada' }),
  },
  ...[400, 404, 422, 500].map((status): Program => ({
    name: `the status ${status}`,
    axios: (api) => data(api.get(`/status/${status}`)),
    bridge: (make) => make({ path: '/status/:status' })({ status }),
  })),
  {
    name: 'a status that validateStatus accepts',
    defaults: { validateStatus: () => true },
    axios: (api) => data(api.get('/status/404')),
    bridge: (make) => make({ path: '/status/404' })(),
  },
  {
    name: 'an error that an interceptor maps',
    setUp: mapping,
    axios: (api) => data(api.get('/status/422')),
    bridge: (make) => make({ path: '/status/422' })(),
  },
  {
    name: 'an interceptor that rejects with the body',
    setUp: (api) =>
      void api.interceptors.response.use(undefined, (error: { response: { data: unknown } }) =>
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what is found in applications
        Promise.reject(error.response.data),
      ),
    axios: (api) => data(api.get('/status/422')),
    bridge: (make) => make({ path: '/status/422' })(),
  },
  {
    name: 'an interceptor that makes a value of an error',
    setUp: (api) =>
      void api.interceptors.response.use(undefined, () => ({ data: 'none' }) as never),
    axios: (api) => data(api.get('/status/404')),
    bridge: async (make) => ((await make({ path: '/status/404' })()) as { data: unknown }).data,
  },
  {
    name: 'a connection that breaks',
    axios: (api) => data(api.get('/broken')),
    bridge: (make) => make({ path: '/broken' })(),
  },
  {
    name: 'the timeout of the instance',
    // Long enough for the request to arrive.
    defaults: { timeout: 500 },
    axios: (api) => data(api.get('/never')),
    bridge: (make) => make({ path: '/never' })(),
  },
];
