/** Names that are probably misspelled are reported in development, once, and never in production. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { load } from '../support/load.js';

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const notified = (wrong: string, meant: string) =>
  expect.stringContaining(`\`${wrong}\` is unknown. Did you mean \`${meant}\`?`);

describe('an option that is probably misspelled', () => {
  it.each([
    ['shcema', 'schema'],
    ['scema', 'schema'],
    ['schemas', 'schema'],
    ['schame', 'schema'],
    ['paginationfield', 'paginationField'],
    ['searchParam', 'searchParams'],
    ['pollFrequenzy', 'pollFrequency'],
    ['dataExpiryLenght', 'dataExpiryLength'],
    ['getHeader', 'getHeaders'],
    ['proces', 'process'],
    ['tiemout', 'timeout'],
    ['retyr', 'retry'],
    ['bdoy', 'body'],
    ['urlprefix', 'urlPrefix'],
  ])('%s is reported with the one that was meant: %s', async (wrong, meant) => {
    const { RestEndpoint } = await load('development');
    void new RestEndpoint({ path: '/users', [wrong]: undefined });
    expect(warnings).toEqual([notified(wrong, meant)]);
    expect(warnings[0]).toContain('/users');
  });

  it('is reported in `extend`, in a subclass, in `new Endpoint` and in a resource, each with its name', async () => {
    const { Endpoint, Entity, resource, RestEndpoint } = await load('development');
    class User extends Entity {
      id = '';
    }
    class Api extends RestEndpoint {}
    void new RestEndpoint({ path: '/a' }).extend({ name: 'b', validte: 1 });
    void new Api({ path: '/c', retri: 1 } as never);
    void new Endpoint(async function d() {}, { sideefect: true });
    void resource({ path: '/users/:id', schema: User, optimisitc: true });
    void resource({ path: '/posts/:id', schema: User, endpoint: Api });
    expect(warnings).toEqual([
      'b: `validte` is unknown. Did you mean `validate`?',
      '/c: `retri` is unknown. Did you mean `retry`?',
      'd: `sideefect` is unknown. Did you mean `sideEffect`?',
      'resource(/users/:id): `optimisitc` is unknown. Did you mean `optimistic`?',
      'resource(/posts/:id): `endpoint` is unknown. Did you mean `Endpoint`?',
    ]);
  });

  it('is reported once, however often the endpoint is made or sends', async () => {
    const { Controller, RestEndpoint } = await load('development');
    const make = () =>
      new RestEndpoint({ path: '/a', shcema: 1, send: async () => new Response('{}') });
    await new Controller().fetch(make());
    await make()();
    expect(warnings).toHaveLength(1);
  });

  it('is not every further member', async () => {
    const { resource, RestEndpoint, Entity } = await load('development');
    class User extends Entity {
      id = '';
    }
    class Api extends RestEndpoint {
      contents = 1;
      retries(): number {
        return 1;
      }
    }
    const further = { onPage: 1, tag: 1, note: 1, data: 1, mode: 1, kind: 1, page: 1, uri2: 1 };
    void new RestEndpoint({ path: '/a', ...further });
    void new Api({ path: '/b', retries: () => 2 } as never);
    void resource({
      path: '/users/:id',
      schema: User,
      Endpoint: Api,
      retries: () => 2,
      ...further,
    });
    expect(warnings).toEqual([]);
  });
});

describe('a method that is probably misspelled', () => {
  it.each([
    ['POTS', 'POST'],
    ['PACTH', 'PATCH'],
    ['DELET', 'DELETE'],
    ['PUTT', 'PUT'],
    ['GTE', 'GET'],
    ['patch', 'PATCH'],
    ['get', 'GET'],
  ])('%s is reported: %s', async (method, meant) => {
    const { RestEndpoint } = await load('development');
    void new RestEndpoint({ path: '/a', method: method as string });
    expect(warnings).toEqual([`/a: the method '${method}' is unknown. Did you mean '${meant}'?`]);
  });

  it('is none that HTTP or an extension knows', async () => {
    const { RestEndpoint } = await load('development');
    for (const method of ['GET', 'OPTIONS', 'PROPFIND', 'QUERY', 'PURGE', 'LINK', 'COPY']) {
      void new RestEndpoint({ path: '/a', method: method as string });
    }
    expect(warnings).toEqual([]);
  });
});

describe('a static member that is probably misspelled', () => {
  it.each([
    ['shcema', 'schema'],
    ['valdiate', 'validate'],
    ['shouldupdate', 'shouldUpdate'],
    ['proccess', 'process'],
  ])('%s is reported when the class is used first: %s', async (wrong, meant) => {
    const { Controller, Entity } = await load('development');
    class Base extends Entity {
      id = '';
      static {
        Object.assign(this, { [wrong]: {} });
      }
    }
    class User extends Base {
      static override key = 'User';
    }
    new Controller().get(User, { id: '1' });
    new Controller().get(User, { id: '1' });
    expect(warnings).toEqual([notified(wrong, meant)]);
  });

  it('is not every further one', async () => {
    const { Controller, Entity, EntityMixin } = await load('development');
    class User extends Entity {
      id = '';
      static override key = 'User';
      static table = 'users';
      static parse = (): void => {};
      static of(): void {}
    }
    class Mixed extends EntityMixin(
      class Plain {
        id = '';
        static find(): void {}
      },
    ) {}
    new Controller().get(User, { id: '1' });
    new Controller().get(Mixed, { id: '1' });
    expect(warnings).toEqual([]);
  });
});

describe('options of other constructors and functions', () => {
  it('are reported with the one that was meant', async () => {
    const { Collection, Controller, Entity, EntityMixin, hookifyResource, resource } =
      await load('development');
    class User extends Entity {
      id = '';
    }
    void new Controller({ maxEntites: 5 } as never);
    void new Controller({ sweep: { intervall: 5 } } as never);
    void new Collection([User], { nonFilterArgumentkeys: ['sort'] } as never);
    void EntityMixin(class {}, { scheam: {} } as never);
    const users = resource({ path: '/users/:id', schema: User });
    hookifyResource(users, () => ({ hedaers: {} }) as never).useGet();
    expect(warnings).toEqual([
      'Controller: `maxEntites` is unknown. Did you mean `maxEntities`?',
      'sweep: `intervall` is unknown. Did you mean `interval`?',
      'Collection: `nonFilterArgumentkeys` is unknown. Did you mean `nonFilterArgumentKeys`?',
      'EntityMixin: `scheam` is unknown. Did you mean `schema`?',
      'hookifyResource: `hedaers` is unknown. Did you mean `headers`?',
    ]);
  });

  it('are reported where `hookifyResource` ignores them', async () => {
    const { Entity, hookifyResource, resource } = await load('development');
    class User extends Entity {
      id = '';
    }
    const users = resource({ path: '/users/:id', schema: User });
    const init = { headers: {}, timeout: 5, getHeaders: () => ({}), onSend: () => {}, cf: {} };
    hookifyResource(users, () => init as never).useGet();
    expect(warnings).toEqual(
      ['timeout', 'getHeaders', 'onSend'].map(
        (name) =>
          `hookifyResource: \`${name}\` is ignored, because the hook returns the init of a request. Set it on the resource or its class.`,
      ),
    );
  });

  it('are reported for the `path` of a filter that is a URL', async () => {
    const { Controller, expireWhere, RestEndpoint } = await load('development');
    const controller = new Controller();
    const get = new RestEndpoint({
      path: '/channels/:name',
      process: () => 1,
      send: async () => Response.json(1),
    });
    await expireWhere(controller, { path: '/channels/general' });
    await controller.fetch(get, { name: 'general' });
    await expireWhere(controller, { path: '/channels' });
    await expireWhere(controller, { path: '/rooms' });
    expect(warnings).toEqual([]);
    await expireWhere(controller, { path: '/channels/general' });
    expect(warnings).toEqual([
      'expireWhere: no endpoint has a path template that starts with `/channels/general`. `path` selects by templates, such as `/users/:id`. To select one URL, use `endpoint` with `args`.',
    ]);
  });

  it('are reported for a reset, `retry`, and the script with state', async () => {
    const { Controller, RestEndpoint } = await load('development');
    const { serializeState } = await import('restitch/ssr');
    const controller = new Controller();
    controller.resetEntireStore({ refech: false } as object);
    void new RestEndpoint({ path: '/a', retry: { limit: 2, statuscodes: [503] } as never });
    void new RestEndpoint({ path: '/b', retry: 2 }).extend({ retry: { limits: 2 } as never });
    serializeState(controller, { nonec: 'abc' } as object);
    expect(warnings).toEqual([
      'resetEntireStore: `refech` is unknown. Did you mean `refetch`?',
      '/a: retry: `statuscodes` is unknown. Did you mean `statusCodes`?',
      'RestEndpoint: retry: `limits` is unknown. Did you mean `limit`?',
      'serializeState: `nonec` is unknown. Did you mean `nonce`?',
    ]);
  });

  it('are not every further one', async () => {
    const { Collection, Controller, Entity, hookifyResource, resource } = await load('development');
    class User extends Entity {
      id = '';
    }
    void new Controller({ tag: 1, sweep: false, environment: {} } as never);
    void new Collection([User], { name: 'users', label: 1 } as never);
    const users = resource({ path: '/users/:id', schema: User });
    hookifyResource(users, () => ({ headers: {}, scope: 'ada', tag: 1 }) as never).useGet();
    expect(warnings).toEqual([]);
  });
});

it('production reports no misspelled option', async () => {
  const { Collection, Controller, Entity, resource, RestEndpoint } = await load('production');
  class User extends Entity {
    id = '';
    static shcema = {};
  }
  void resource({ path: '/users/:id', schema: User, optimisitc: true });
  void new RestEndpoint({ path: '/a', shcema: 1, method: 'POTS' as string });
  const controller = new Controller({ maxEntites: 5 } as never);
  controller.get(User, { id: '1' });
  controller.resetEntireStore({ refech: false } as object);
  void new RestEndpoint({ path: '/b', retry: { limits: 2 } as never });
  void new Collection([User], { nestkey: 5 } as never);
  expect(warnings).toEqual([]);
});
