import { Endpoint, type EndpointFunction, Entity, RestEndpoint, type RestGenerics } from 'restitch';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
});

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  #token = 'secret';
  override urlPrefix: string = 'https://a.example';
  extra = 'from the class';
  readonly seen = (): string => `${this.urlPrefix}${this.path}`;

  token(): string {
    return this.#token;
  }
}

/** Fields written by assignment, as compilers do without `useDefineForClassFields`. */
class AssigningApi<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly extra: string;
  constructor(options: any) {
    super(options);
    // The compiler's output for `urlPrefix = '…'` and so on.
    const self = this as unknown as Record<string, unknown>;
    self['urlPrefix'] = 'https://a.example';
    self['extra'] = 'from the class';
    self['method'] = 'PUT';
    self['name'] = 'assigned';
    self['sideEffect'] = false;
  }
}

describe('an endpoint', () => {
  test('is a function and an instance of its class', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id' });
    expect(typeof endpoint).toBe('function');
    expect(endpoint).toBeInstanceOf(RestEndpoint);
    expect(endpoint).toBeInstanceOf(Endpoint);
    expect(endpoint).toBeInstanceOf(Function);
    const api = new Api({ path: '/users/:id' });
    expect(api).toBeInstanceOf(Api);
    expect(api.extend({ path: '/x' })).toBeInstanceOf(Api);
  });

  test('has call, apply and bind', async () => {
    const endpoint = new RestEndpoint({
      path: '/users/:id',
      fetch: async (params: unknown) => params,
    });
    expect(await Function.prototype.call.call(endpoint, undefined, { id: 1 })).toEqual({ id: 1 });
    expect(await Function.prototype.bind.call(endpoint, undefined, { id: 2 })()).toEqual({ id: 2 });
  });

  test('has what its class calls `length`', () => {
    class Measured extends RestEndpoint {
      override get length(): number {
        return 7;
      }
    }
    expect(new Measured({ path: '/a' })).toHaveLength(7);
  });

  test('runs what `fetch` is at the time of the call', async () => {
    const endpoint = new Api({ path: '/users/:id' });
    const spy = vi.spyOn(endpoint, 'fetch').mockResolvedValue('spied');
    expect(await endpoint({ id: 1 })).toBe('spied');
    expect(spy).toHaveBeenCalledWith({ id: 1 });
  });

  test('has read-only options', async () => {
    for (const endpoint of [
      new RestEndpoint({ path: '/a' }),
      new Api({ path: '/a' }).extend({ dataExpiryLength: 5 }),
      new RestEndpoint({ path: '/a' }).extend({ timeout: 1 }),
    ]) {
      expect(() => Object.assign(endpoint, { path: '/b' })).toThrow(TypeError);
      expect(endpoint.path).toBe('/a');
    }
    const named = new Endpoint(async function get() {}, { dataExpiryLength: 1 });
    expect(() => Object.assign(named, { dataExpiryLength: 2 })).toThrow(TypeError);
    const shielded = new Api({ path: '/a' });
    await Promise.resolve();
    expect(() => Object.assign(shielded, { path: '/b' })).toThrow(TypeError);
  });
});

describe('an option beats a class field', () => {
  for (const Class of [Api, AssigningApi]) {
    test(`in the constructor of ${Class.name}, also for reads by methods`, () => {
      const endpoint = new Class({
        path: '/u',
        urlPrefix: 'https://b.example',
        extra: 'from the option',
        name: 'given',
      });
      expect(endpoint.urlPrefix).toBe('https://b.example');
      expect(endpoint.extra).toBe('from the option');
      expect(endpoint.name).toBe('given');
      expect(endpoint.url()).toBe('https://b.example/u');
    });

    test(`in extend of ${Class.name}, and survives further ones`, async () => {
      const endpoint = new Class({ path: '/u' })
        .extend({ urlPrefix: 'https://b.example' })
        .extend({ path: '/v' });
      expect(endpoint.url()).toBe('https://b.example/v');
      await Promise.resolve();
      expect(endpoint.url()).toBe('https://b.example/v');
    });

    test(`without an option the field of ${Class.name} applies`, () => {
      const endpoint = new Class({ path: '/u' });
      expect(endpoint.url()).toBe('https://a.example/u');
      expect(endpoint.extra).toBe('from the class');
    });
  }

  test('fields may be written by assignment over computed members', () => {
    const endpoint = new AssigningApi({ path: '/u' });
    expect(endpoint.method).toBe('PUT');
    expect(endpoint.sideEffect).toBe(false);
    expect(endpoint.name).toBe('assigned');
    class Further extends AssigningApi {
      constructor(options: any) {
        super(options);
        Object.assign(this, { name: 'further', method: 'PATCH', sideEffect: true });
      }
    }
    const { name, method, sideEffect } = new Further({ path: '/u' });
    expect([name, method, sideEffect]).toEqual(['further', 'PATCH', true]);
  });

  test('an option that is undefined leaves methods and defaults alone, and removes plain fields', () => {
    const endpoint = new Api({
      path: '/u',
      process: undefined,
      method: undefined,
      name: undefined,
      urlPrefix: undefined,
    } as any);
    expect(endpoint.process(1)).toBe(1);
    expect(endpoint.method).toBe('GET');
    expect(endpoint.url()).toBe('/u');
    expect(endpoint.name).toBe('/u');
  });

  test('in a subclass of Endpoint too', () => {
    class Logged extends Endpoint {
      override dataExpiryLength: number = 5;
    }
    const get = async function get(): Promise<void> {};
    expect(new Logged(get).dataExpiryLength).toBe(5);
    expect(new Logged(get, { dataExpiryLength: 1 }).dataExpiryLength).toBe(1);
  });

  test('the shield is removed after the current job', async () => {
    const endpoint = new Api({ path: '/u' });
    await Promise.resolve();
    (endpoint as any).extra = 'later';
    expect(endpoint.extra).toBe('later');
  });

  test('after the first read of a property, which gives the option', () => {
    const endpoint = new Api({ path: '/u' });
    expect(Object.getOwnPropertyDescriptor(endpoint, 'path')).toEqual({
      value: '/u',
      writable: false,
      enumerable: true,
      configurable: true,
    });
    expect(() => Object.assign(endpoint, { path: '/b' })).toThrow(TypeError);
  });
});

describe('extend', () => {
  test('gives a new endpoint and leaves the original', () => {
    const base = new RestEndpoint({ path: '/a', tag: 'x' });
    const next = base.extend({ path: '/b' });
    expect(base.path).toBe('/a');
    expect(next.path).toBe('/b');
    expect(next.tag).toBe('x');
  });

  test('runs constructors, arrow-function fields and #private members again', () => {
    const endpoint = new Api({ path: '/a' })
      .extend({ path: '/b' })
      .extend({ urlPrefix: 'https://c.example' });
    expect((endpoint as unknown as Api).seen()).toBe('https://c.example/b');
    expect((endpoint as unknown as Api).token()).toBe('secret');
  });

  test('keeps what a constructor injects, and an option overrides it', () => {
    class User extends Entity {
      id = '';
    }
    class Other extends Entity {
      id = '';
    }
    class WithDefault<O extends RestGenerics = any> extends RestEndpoint<O> {
      constructor(options: any) {
        super({ schema: User, ...options });
      }
    }
    const endpoint = new WithDefault({ path: '/a' });
    expect(endpoint.schema).toBe(User);
    expect(endpoint.extend({ path: '/b' }).schema).toBe(User);
    expect(new WithDefault({ path: '/a', schema: Other }).schema).toBe(Other);
    expect(endpoint.extend({ schema: Other }).schema).toBe(Other);
    expect(endpoint.extend({ schema: undefined }).schema).toBe(undefined);
  });

  test('works where a constructor passes on known options only', () => {
    class Narrow extends RestEndpoint {
      override urlPrefix = 'https://a.example';
      constructor({ path, urlPrefix }: any) {
        super(urlPrefix ? { path, urlPrefix } : { path });
      }
    }
    const endpoint = new Narrow({ path: '/a' }).extend({ urlPrefix: 'https://b.example' });
    expect(endpoint.url()).toBe('https://b.example/a');
  });

  test('keeps overridden methods, whose `this` is the endpoint', () => {
    const endpoint = new RestEndpoint({
      path: '/a',
      tag: 'x',
      url() {
        return `/${this.tag}${this.path}`;
      },
    }).extend({ path: '/b' });
    expect(endpoint.url()).toBe('/x/b');
    expect(endpoint.extend({ tag: 'y' }).url()).toBe('/y/b');
  });

  test('lets an option call the version of the class', async () => {
    const endpoint = new RestEndpoint({
      path: '/a',
      getHeaders(headers) {
        return { ...headers, base: 'yes' };
      },
    });
    const next = endpoint.extend({
      getHeaders(headers) {
        return endpoint.getHeaders.call(this, { ...headers, next: 'yes' });
      },
    });
    expect((await next.getRequestInit()).headers).toEqual({ base: 'yes', next: 'yes' });
  });

  test('symbols and prototypes as options do no harm', () => {
    const symbol = Symbol('own');
    const options = JSON.parse('{ "path": "/a", "__proto__": { "polluted": true } }');
    const endpoint: any = new RestEndpoint({ ...options, [symbol]: 1 });
    expect(endpoint[symbol]).toBe(1);
    expect(endpoint.polluted).toBe(undefined);
    expect(endpoint).toBeInstanceOf(RestEndpoint);
    expect(endpoint.extend({ path: '/b' })[symbol]).toBe(1);
  });
});

describe('method, side effect and name', () => {
  const of = (options: object): RestEndpoint =>
    new RestEndpoint({ path: '/a', ...options }) as unknown as RestEndpoint;

  test.each([
    [{}, 'GET', undefined],
    [{ method: 'POST' }, 'POST', true],
    [{ method: 'DELETE' }, 'DELETE', true],
    [{ body: {} }, 'POST', true],
    [{ body: undefined }, 'GET', undefined],
    [{ sideEffect: true }, 'POST', true],
    [{ sideEffect: false }, 'GET', false],
    [{ method: 'POST', sideEffect: undefined }, 'POST', undefined],
    [{ method: 'POST', sideEffect: false }, 'POST', false],
    [{ method: 'GET', sideEffect: true }, 'GET', true],
    [{ method: 'GET', body: {} }, 'GET', undefined],
  ])('%j is %s with side effect %s, also after extend', (options, method, sideEffect) => {
    for (const endpoint of [
      of(options),
      of({}).extend(options as object),
      of(options).extend({ dataExpiryLength: 1 }),
    ]) {
      expect(endpoint.method).toBe(method);
      expect(endpoint.sideEffect).toBe(sideEffect);
    }
  });

  test('without options there is no prefix, no polling and no other lifetime', () => {
    const { urlPrefix, pollFrequency, invalidIfStale, dataExpiryLength } = of({});
    expect({ urlPrefix, pollFrequency, invalidIfStale, dataExpiryLength }).toEqual({
      urlPrefix: '',
    });
    expect(of({ urlPrefix: undefined }).urlPrefix).toBe('');
  });

  test('the name is prefix and path, unless it is given', () => {
    const endpoint = of({ urlPrefix: 'https://a.example' });
    expect(endpoint.name).toBe('https://a.example/a');
    expect(endpoint.extend({ path: '/b' }).name).toBe('https://a.example/b');
    expect(endpoint.extend({ name: 'B' }).extend({ path: '/c' }).name).toBe('B');
    expect(new RestEndpoint({ url: () => '/x' }).name).toBe('');
  });
});

describe('Endpoint', () => {
  test('is made from a function, with `this` as the endpoint', async () => {
    const endpoint = new Endpoint(
      async function greet(name: string) {
        return `${this.greeting} ${name}`;
      },
      { greeting: 'hello' },
    );
    expect(endpoint).toBeInstanceOf(Endpoint);
    expect(endpoint.name).toBe('greet');
    expect(await endpoint('Ada')).toBe('hello Ada');
    expect(await endpoint.extend({ greeting: 'bye' })('Ada')).toBe('bye Ada');
  });

  test('has keys made of the name it is given and the arguments, in whatever order their members are', () => {
    const endpoint = new Endpoint(async (filter: object, limit: number) => [filter, limit], {
      name: 'find',
    });
    expect(endpoint.key({ a: 1, b: { c: 2, d: 3 } }, 5)).toBe(
      endpoint.key({ b: { d: 3, c: 2 }, a: 1 }, 5),
    );
    expect(endpoint.key({ b: 1, a: null } as object, 5)).toBe('find [{"a":null,"b":1},5]');
    expect(endpoint.key({ a: 1 }, 5)).not.toBe(endpoint.key({ a: 1 }, 6));
    expect(endpoint.testKey(endpoint.key({}, 1))).toBe(true);
    expect(endpoint.testKey('finder []')).toBe(false);
  });

  test('a name that is undefined leaves that of the function', () => {
    const endpoint = new Endpoint(async function find() {}, { name: undefined });
    expect(endpoint.name).toBe('find');
    expect(endpoint.extend({ dataExpiryLength: 1 }).name).toBe('find');
  });

  test('without a name is identified by itself, and so are those that extend makes of it', () => {
    const make = () => new Endpoint(async (_: { id: string }) => 1);
    const [one, other] = [make(), make()];
    const args = { id: '1' };
    expect(one.key(args)).toBe(one.key({ ...args }));
    expect(one.key(args)).not.toBe(one.key({ id: '2' }));
    expect(one.key(args)).toBe(one.extend({ dataExpiryLength: 1 }).key(args));
    expect(one.key(args)).not.toBe(other.key(args));
    expect([one.testKey(one.key(args)), one.testKey(other.key(args))]).toEqual([true, false]);
  });

  test('takes a function without a name, and prints nothing about it', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const anonymous = () => async () => 1;
    const endpoint = new Endpoint(anonymous());
    expect(endpoint.name).toBe('');
    expect(await endpoint()).toBe(1);
    expect([log.mock.calls, warn.mock.calls]).toEqual([[], []]);
  });

  test('can be subclassed', async () => {
    const calls: unknown[] = [];
    class Logged<F extends EndpointFunction> extends Endpoint<F> {
      prefix = 'log';
      override fetch(...args: Parameters<F>): ReturnType<F> {
        calls.push([this.prefix, ...args]);
        return super.fetch(...args);
      }
    }
    const endpoint = new Logged(async function double(value: number) {
      return value * 2;
    });
    expect(await endpoint(4)).toBe(8);
    const longer = endpoint.extend({ dataExpiryLength: 1, prefix: 'longer' });
    expect(await longer(5)).toBe(10);
    expect(longer).toBeInstanceOf(Logged);
    expect(calls).toEqual([
      ['log', 4],
      ['longer', 5],
    ]);
  });
});
