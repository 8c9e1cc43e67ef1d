/** Identity 3: the cache key of a response. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  PollingManager,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  server.respond(({ url, body }) => ({ id: '1', url, body }));
});

class User extends Entity {
  id = '';
}

describe('identity 3.1: a read with a body', () => {
  const search = () =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as object | string | FormData,
    });

  it('has the same key exactly for bodies that are the same JSON', () => {
    const endpoint = search();
    const keyOf = (v: unknown) => endpoint.key({ v });
    const date = new Date(0);
    const wrapped = [new Number(1), new String('a'), new Boolean(true), date, new Map([[1, 2]])];
    const plain = [1, 'a', true, date.toJSON(), {}];
    expect(wrapped.map(keyOf)).toEqual(plain.map(keyOf));
    expect(new Set(plain.map(keyOf)).size).toBe(plain.length);
  });

  it('has its body in the key, in whatever order it is written', async () => {
    const endpoint = search();
    await controller.fetch(endpoint, { q: 'a', page: { from: 1, to: 2 } });
    await controller.fetch(endpoint, { q: 'b' });
    const again = { page: { to: 2, from: 1 }, q: 'a' };
    expect(controller.getResponse(endpoint, again)).toMatchObject({ body: /"a"/ as never });
    expect(endpoint.key({ q: 'a' })).not.toBe(endpoint.key({ q: 'b' }));
    expect(endpoint.testKey(endpoint.key({ q: '?x=1&y' }))).toBe(true);
    expect(server.seen).toHaveLength(2);
  });

  it('that JSON cannot hold needs a key of its own, and says so', async () => {
    await expect(controller.fetch(search(), new FormData())).rejects.toMatchObject({
      code: 'body-without-key',
      message: /FormData.*`key`/ as never,
    });
    const keyed = search().extend({ key: () => 'form' });
    await expect(controller.fetch(keyed, new FormData())).resolves.toBeDefined();
  });

  it('leaves the keys of mutations as they are', () => {
    const create = new RestEndpoint({ path: '/users', method: 'POST', body: {} as object });
    expect(create.key({ any: 1 })).toBe('POST /users');
  });
});

describe('identity 3.2: an endpoint of a function', () => {
  const same = (response: string) => new Endpoint(async (..._args: unknown[]) => response);

  it('is itself, whatever its function is called', async () => {
    const [one, other] = [same('one'), same('other')];
    await controller.fetch(one, 1);
    expect(controller.observe(other, 1).needsLoad()).toBe(true);
    expect(await controller.fetchIfStale(other, 1)).toBe('other');
    expect(controller.getResponse(one, 1)).toBe('one');
  });

  it('is itself, though another one was given the same name', async () => {
    const both = ['one', 'other'].map((response) => same(response).extend({ name: 'same' }));
    for (const each of both) await controller.fetch(each, 1);
    expect(both.map((each) => controller.getResponse(each, 1))).toEqual(['one', 'other']);
  });

  it('has a name only for messages, and prints nothing without one', () => {
    const endpoint = new Endpoint(
      (
        () => async () =>
          1
      )(),
    );
    expect(endpoint.key()).toBe(endpoint.extend({ dataExpiryLength: 1 }).key());
    expect(endpoint.testKey(endpoint.key())).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['maps', new Map([['a', 1]]), new Map([['a', 2]])],
    ['sets', new Set([1]), new Set([2])],
    ['a date and its text', new Date(0), new Date(0).toISOString()],
    ['NaN and null', NaN, null],
    ['-0 and 0', -0, 0],
    ['bigints', 1n, 2n],
    ['a bigint and a number', 1n, 1],
    ['infinities', Infinity, -Infinity],
    ['a map and an object', new Map(), {}],
    ['bytes', new Uint8Array([1]), new Uint8Array([2])],
    ['search parameters', new URLSearchParams('a=1'), new URLSearchParams('a=2')],
    ['undefined and nothing', { a: undefined }, {}],
  ])('distinguishes %s', async (_, one, other) => {
    const endpoint = new Endpoint(async (value: unknown) => ({ value }));
    await controller.fetch(endpoint, { in: one });
    expect(controller.observe(endpoint, { in: other }).needsLoad()).toBe(true);
    expect(controller.observe(endpoint, { in: one }).needsLoad()).toBe(false);
  });

  it.each([
    ['functions', () => {}],
    ['symbols', Symbol('a')],
    ['promises', Promise.resolve()],
    ['expressions', /a/],
    ['circles', Object.assign([], { 0: 0 })],
  ])('refuses %s as arguments, with a clear error', async (name, value) => {
    const endpoint = new Endpoint(async (_value: unknown) => 1);
    if (Array.isArray(value)) (value as unknown[]).push(value);
    await expect(controller.fetch(endpoint, value as unknown), name).rejects.toMatchObject({
      code: 'argument-without-text',
    });
  });

  it('with side effects takes any arguments', async () => {
    const endpoint = new Endpoint(async (done: () => number) => done(), { sideEffect: true });
    expect(await controller.fetch(endpoint, () => 5)).toBe(5);
  });

  it('may look at its own members: what extends it with others is another question', async () => {
    const read = new Endpoint(
      async function (this: { zone: string }) {
        return this.zone;
      },
      { zone: 'a' },
    );
    const other = read.extend({ zone: 'b' });
    expect(await controller.fetch(read as Endpoint)).toBe('a');
    expect(await controller.fetchIfStale(other as Endpoint)).toBe('b');
  });

  it('bound to arguments is an endpoint that has them in its key', async () => {
    const pair = new Endpoint(async (one: string, other: string) => ({ id: one + other }), {
      schema: User,
    });
    const a = pair.bind(undefined, 'a');
    expect(await a('1')).toEqual({ id: 'a1' });
    expect(await controller.fetch(a, '1')).toMatchObject({ id: 'a1' });
    expect(await controller.fetch(pair.bind(undefined, 'b', '1'))).toMatchObject({ id: 'b1' });
    expect(controller.getResponse(pair, 'a', '1')).toMatchObject({ id: 'a1' });
    expect(controller.getResponse(pair.bind(undefined, 'a'), '1')).toMatchObject({ id: 'a1' });
  });
});

describe('identity 3.3: endpoints that make something else of a response', () => {
  const base = () => new RestEndpoint({ urlPrefix: server.origin, path: '/users/:id' });

  it.each([
    ['process', { process: (value: { id: string }) => ({ name: value.id }) }],
    ['parseResponse', { parseResponse: async () => 'parsed' }],
    ['fetchResponse', { fetchResponse: async () => new Response('"fetched"', JSON_TYPE) }],
    ['content', { content: 'text' as const }],
    ['validate', { validate: validator() }],
    ['schema', { schema: { id: (id: string) => `${id}!` } }],
  ])('by %s never share a result', async (_, options) => {
    const plain = base();
    const other = plain.extend(options as object) as RestEndpoint;
    await controller.fetch(plain, { id: '1' });
    const before = controller.getResponse(plain, { id: '1' }) as unknown;
    expect(controller.observe(other, { id: '1' }).needsLoad()).toBe(true);
    await controller.fetch(other, { id: '1' });
    expect(controller.getResponse(plain, { id: '1' })).toBe(before);
    expect(controller.getResponse(other, { id: '1' })).not.toEqual(before);
  });

  it('by functions in a schema that see other values never share a result', async () => {
    const money = (currency: string) =>
      base().extend({ schema: { id: (amount: string) => amount + currency } });
    const [euro, dollar] = [money('€'), money('$')];
    await controller.fetch(euro, { id: '1' });
    await controller.fetch(dollar, { id: '1' });
    expect([euro, dollar].map((each) => controller.getResponse(each, { id: '1' })?.id)).toEqual([
      '1€',
      '1$',
    ]);
  });

  it('share it when they are of one class, whose fields are functions too', async () => {
    class Api extends RestEndpoint {
      override urlPrefix = server.origin;
      override process = (value: { id: string }) => ({ ...value, seen: true });
    }
    await controller.fetch(new Api({ path: '/users/:id' }) as RestEndpoint, { id: '1' });
    const again: RestEndpoint = new Api({ path: '/users/:id' });
    expect(controller.observe(again, { id: '1' }).needsLoad()).toBe(false);
  });

  it('made anew without end are an error, rather than a loop', () => {
    const read = () => controller.observe(base().extend({ process: () => 1 }), { id: '1' });
    expect(() => {
      for (let render = 0; render < 100; render += 1) read();
    }).toThrow(expect.objectContaining({ code: 'too-many-endpoints' }));
  });

  it('differ in a member that `process` reads, of the class or of the endpoint', async () => {
    const path = '/users/:id';
    class Api extends RestEndpoint {
      readonly lang: string = 'de';
      override process(value: unknown): unknown {
        return { value, lang: this.lang };
      }
    }
    const ofClass = new Api({ urlPrefix: server.origin, path }) as RestEndpoint;
    const ofEndpoint = new RestEndpoint({
      urlPrefix: server.origin,
      path,
      lang: 'de',
      process(this: { lang: string }, value: unknown) {
        return { value, lang: this.lang };
      },
    }) as RestEndpoint;
    for (const german of [ofClass, ofEndpoint]) {
      const english = german.extend({ lang: 'en' } as object) as RestEndpoint;
      const read = (endpoint: RestEndpoint) => controller.fetchIfStale(endpoint, { id: '1' });
      expect(await read(german)).toMatchObject({ lang: 'de' });
      expect(await read(english)).toMatchObject({ lang: 'en' });
      server.seen.length = 0;
      await read(english.extend({ dataExpiryLength: 5, lang: 'en' } as object) as RestEndpoint);
      expect(server.seen).toHaveLength(0);
      controller.resetEntireStore();
    }
  });

  it('differ in the class or in a helper function that `process` can use', async () => {
    const path = '/users/:id';
    class Api extends RestEndpoint {
      readonly lang: string = 'de';
      override process(value: unknown): unknown {
        return { value, lang: this.lang, text: this.format('x') };
      }
      format(text: string): string {
        return text;
      }
    }
    class EnglishApi extends Api {
      override readonly lang = 'en';
    }
    const german = new Api({ urlPrefix: server.origin, path }) as RestEndpoint;
    const english = new EnglishApi({ urlPrefix: server.origin, path }) as RestEndpoint;
    const loud = german.extend({ format: () => 'X' } as object) as RestEndpoint;
    const read = (endpoint: RestEndpoint) => controller.fetchIfStale(endpoint, { id: '1' });
    const all = await Promise.all([german, english, loud].map(read));
    expect(all).toMatchObject([
      { lang: 'de', text: 'x' },
      { lang: 'en', text: 'x' },
      { lang: 'de', text: 'X' },
    ]);
  });

  it('share a result if only members differ that no function of the response reads', async () => {
    const marked = base().extend({ mark: 1 } as object) as RestEndpoint;
    await controller.fetch(base(), { id: '1' });
    expect(controller.observe(marked, { id: '1' }).needsLoad()).toBe(false);
  });

  it('are requested apart (3.4)', async () => {
    const plain = base();
    const other = plain.extend({ process: () => 'other' });
    const both = [controller.fetch(plain, { id: '1' }), controller.fetch(other, { id: '1' })];
    expect(await Promise.all(both)).toMatchObject([{ id: '1' }, 'other']);
    expect(server.seen).toHaveLength(2);
  });
});

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

function validator() {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) => ({ value: { checked: value } }),
    },
  };
}

describe('identity 3.4: endpoints of one key, with a default or with an argument in the query', () => {
  const options = {
    urlPrefix: server.origin,
    path: '/users',
    schema: new Collection([User]),
  } as const;
  const getUsers = new RestEndpoint({ ...options, searchParams: {} as { active?: string } });
  const getActive = new RestEndpoint({
    ...options,
    searchParams: { active: 'yes' } as { active?: string },
  });

  it.each([false, true])('each send their own URL, the default last: %j', async (isLast) => {
    server.respond(({ url }) => [{ id: url }]);
    const observe = [
      () => controller.observe(getActive),
      () => controller.observe(getUsers, { active: 'yes' }),
    ];
    const [first, second] = (isLast ? observe.toReversed() : observe).map((open) => open());
    await first?.load();
    controller.expireAll(getUsers);
    controller.expireAll(getActive);
    await second?.load();
    expect(server.seen.map(({ url }) => url)).toEqual(Array(2).fill('/users?active=yes'));
    expect(second?.getSnapshot()).toMatchObject({ data: [{ id: '/users?active=yes' }] });
  });
});

describe('identity 3.6: an endpoint with an own url()', () => {
  it('remembers no keys, and invalidateAll finds its results', async () => {
    const endpoint: RestEndpoint = new RestEndpoint({
      url: (id: string) => `${server.origin}/x/${id}`,
    });
    for (const id of ['1', '2']) await controller.fetch(endpoint, id);
    expect(endpoint.testKey(endpoint.key('1'))).toBe(false);
    void controller.invalidateAll(endpoint);
    expect(controller.getResponse(endpoint, '1')).toBeUndefined();
    controller.dispose();
  });
});

describe('identity 3.7: a service', () => {
  it('stands for the prefix in keys and homes', async () => {
    const inside = new RestEndpoint({
      urlPrefix: server.origin,
      service: 'api',
      path: '/users/:id',
    });
    const outside = inside.extend({ urlPrefix: '/api' });
    await controller.fetch(inside, { id: '1' });
    expect(outside.key({ id: '1' })).toBe(inside.key({ id: '1' }));
    expect(controller.getResponse(outside, { id: '1' })).toMatchObject({ url: '/users/1' });
    expect(inside.testKey(outside.key({ id: '2' }))).toBe(true);
    expect(new RestEndpoint({ path: '/users/:id' }).testKey(inside.key({ id: '2' }))).toBe(false);
  });

  it('makes one list from two addresses when a class or a resource names it', async () => {
    class ApiEndpoint extends RestEndpoint {
      override service = 'api';
    }
    const at = (urlPrefix: string, own: object) =>
      resource({ urlPrefix, path: '/users/:id', schema: User, ...own }).getList;
    const lists: [string, (urlPrefix: string) => ReturnType<typeof at>][] = [
      ['class', (urlPrefix) => at(urlPrefix, { Endpoint: ApiEndpoint })],
      ['resource', (urlPrefix) => at(urlPrefix, { service: 'api' })],
    ];
    for (const [whose, listAt] of lists) {
      const own = new Controller();
      const [inside, outside] = [listAt(server.origin), listAt('/api')];
      own.setResponse(outside, [{ id: '0' }]);
      await own.fetch(inside.push, { id: '2' });
      expect(own.getResponse(outside), whose).toHaveLength(2);
      expect(own.get(inside.schema), whose).toHaveLength(2);
      expect(own.get(at(server.origin, {}).schema), whose).toBeUndefined();
    }
  });
});

describe('identity 3.4: subscriptions', () => {
  it('to endpoints with one key that make different things of a response are polled apart', async () => {
    const clock = new Clock();
    const polling = new Controller({
      environment: clock.environment,
      managers: [new PollingManager()],
    });
    const sent: unknown[] = [];
    const fetchResponse = async (url: RequestInfo): Promise<Response> => {
      sent.push(url);
      return Response.json({ id: String(sent.length) });
    };
    const plain = new RestEndpoint({ path: '/users/:id', pollFrequency: 1_000, fetchResponse });
    const other = plain.extend({ process: ({ id }: { id: string }) => `user ${id}` });
    for (const endpoint of [plain, other]) polling.subscribe(endpoint, { id: '1' });
    await clock.pass(1_500);
    expect(sent).toHaveLength(4);
    expect(polling.getResponse(plain, { id: '1' })).toEqual({ id: '3' });
    expect(polling.getResponse(other, { id: '1' })).toBe('user 4');
    for (const endpoint of [other, plain]) polling.unsubscribe(endpoint, { id: '1' });
    expect(clock.timers).toBe(0);
  });
});
