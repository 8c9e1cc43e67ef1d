/** Endpoint classes whose `urlPrefix`, `service` or `scope` is a getter: its value can change while requests are in flight. */
import {
  batched,
  byCursor,
  Collection,
  Controller,
  Endpoint,
  type EndpointFunction,
  type EndpointShape,
  infinite,
  PollingManager,
  type ReadEndpoint,
  RecoveryManager,
  resource,
  RestEndpoint,
  type RestGenerics,
  serial,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { computed, Note, openTenants } from './tenants.js';

type Kind = 'a list' | 'a record' | 'an object with a list' | 'a response without a schema';
const kinds: readonly Kind[] = [
  'a list',
  'a record',
  'an object with a list',
  'a response without a schema',
];

const retry = { limit: 1, backoff: () => 0 };

function open(option: (typeof computed)[number]) {
  const tenants = openTenants(option);
  const { Api, as } = tenants;
  const controller = new Controller();
  const Notes = resource({ path: '/notes/:id', schema: Note, Endpoint: Api });
  const reads: Record<Kind, ReadEndpoint> = {
    'a list': Notes.getList,
    'a record': new Api({ path: '/me', schema: Note }),
    'an object with a list': new Api({
      path: '/all',
      schema: { results: new Collection([Note]), total: 0 },
    }),
    'a response without a schema': new Api({ path: '/raw' }),
  };
  /** The result that is stored for a tenant, as text. */
  const storedFor = (tenant: string, endpoint: ReadEndpoint): string | undefined =>
    as(tenant, () => JSON.stringify(controller.getResponse(endpoint)));
  return { ...tenants, controller, Notes, reads, storedFor };
}

const ofOne = expect.stringContaining('"text":"one"') as string;
const ofTwo = expect.stringContaining('"text":"two"') as string;

describe.each(computed)('an endpoint class whose %s is a getter', (option) => {
  it.each(kinds)('stores %s that arrives after a change under the earlier value', async (kind) => {
    const { controller, reads, current, quiet, storedFor, sent } = open(option);
    const get = reads[kind];
    const read = controller.fetch(get);
    current.tenant = 'two';
    await quiet();
    expect(JSON.stringify(await read)).toEqual(ofOne);
    expect([storedFor('one', get), storedFor('two', get)]).toEqual([ofOne, undefined]);
    const next = controller.fetchIfStale(get);
    await quiet();
    expect(JSON.stringify(await next)).toEqual(ofTwo);
    expect([storedFor('one', get), storedFor('two', get)]).toEqual([ofOne, ofTwo]);
    expect(sent).toEqual(['one', 'two']);
  });

  it('fills the list of the earlier value for reads of the list alone', async () => {
    const { controller, Notes, current, quiet, as } = open(option);
    void controller.fetch(Notes.getList);
    current.tenant = 'two';
    await quiet();
    const listFor = (tenant: string) => as(tenant, () => controller.get(Notes.getList.schema));
    expect(listFor('one')).toMatchObject([{ id: 'one' }]);
    expect(listFor('two')).toBeUndefined();
  });

  it('adds a row that was created before a change to the list of the earlier value', async () => {
    const { controller, Notes, current, quiet, storedFor } = open(option);
    for (const tenant of ['two', 'one']) {
      current.tenant = tenant;
      void controller.fetch(Notes.getList);
      await quiet();
    }
    void controller.fetch(Notes.getList.push, { text: 'private' });
    current.tenant = 'two';
    await quiet();
    expect(storedFor('one', Notes.getList)).toContain('private');
    expect(storedFor('two', Notes.getList)).not.toContain('private');
  });

  it('sends a create that waited in a queue with the earlier value', async () => {
    const { controller, Notes, current, quiet, sent } = open(option);
    const create = serial(Notes.getList.push);
    const creates = ['a', 'b'].map((text) => controller.fetch(create, { text }));
    current.tenant = 'two';
    await quiet();
    await Promise.all(creates);
    expect(sent).toEqual(['one', 'one']);
  });

  it.each(kinds)(
    'reloads %s of a reader from the server that the reader began with',
    async (kind) => {
      const { controller, reads, current, quiet, storedFor, sent } = open(option);
      const view = controller.observe(reads[kind]);
      const stop = view.subscribe(() => {});
      void view.load();
      await quiet();
      current.tenant = 'two';
      let hasSettled = false;
      void view.load().then(() => (hasSettled = true));
      await quiet();
      expect(hasSettled).toBe(true);
      expect(JSON.stringify(view.getSnapshot())).toEqual(ofOne);
      expect([storedFor('one', reads[kind]), storedFor('two', reads[kind])]).toEqual([
        ofOne,
        undefined,
      ]);
      expect(sent).toEqual(['one', 'one']);
      stop();
    },
  );

  it.each(['expireAll', 'resetEntireStore'] as const)(
    '%s after a change ends in at most one request for a reader',
    async (method) => {
      for (const kind of kinds) {
        const { controller, reads, current, quiet, storedFor, sent } = open(option);
        const view = controller.observe(reads[kind]);
        const update = (isMounted: boolean): void => {
          if (view.needsLoad(isMounted)) void view.load();
        };
        const stop = view.subscribe(() => update(true));
        update(false);
        await quiet();
        current.tenant = 'two';
        if (method === 'expireAll') controller.expireAll(reads[kind]);
        else controller.resetEntireStore();
        await quiet();
        expect(sent.length).toBeLessThanOrEqual(2);
        expect(JSON.stringify(view.getSnapshot())).toEqual(ofOne);
        expect([storedFor('one', reads[kind]), storedFor('two', reads[kind])]).toEqual([
          ofOne,
          undefined,
        ]);
        stop();
      }
    },
  );

  it.each([
    ['`retry` of the endpoint', { retry }, () => []],
    ['a RecoveryManager', {}, () => [new RecoveryManager({ retry })]],
  ])('sends a request that is retried by %s with the earlier value', async (_, own, managers) => {
    const { Api, current, held, respond, sent, as } = open(option);
    const controller = new Controller({ managers: managers() });
    const getMe = new Api({ path: '/me', ...own });
    const read = controller.fetch(getMe);
    await respond(503);
    current.tenant = 'two';
    await expect.poll(() => held.length).toBe(1);
    await respond();
    expect(await read).toMatchObject({ text: 'one' });
    expect(sent).toEqual(['one', 'one']);
    expect(controller.getResponse(getMe)).toBeUndefined();
    expect(as('one', () => controller.getResponse(getMe))).toMatchObject({ text: 'one' });
  });

  it('polls with the value that the subscription began with', async () => {
    const { Api, current, quiet, sent, as } = open(option);
    const clock = new Clock();
    const controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
    });
    const getMe = new Api({ path: '/me', pollFrequency: 1_000 });
    controller.subscribe(getMe);
    await quiet();
    current.tenant = 'two';
    await clock.pass(1_000);
    await quiet();
    expect(sent).toEqual(['one', 'one']);
    expect(controller.getResponse(getMe)).toBeUndefined();
    as('one', () => controller.unsubscribe(getMe));
    await clock.pass(5_000);
    expect([clock.timers, clock.reported, sent.length]).toEqual([0, [], 2]);
  });

  it('loads the next page of an infinite list with the value that the list began with', async () => {
    const { Api, controller, current, quiet, sent } = open(option);
    const getPages = new Api({
      path: '/pages',
      searchParams: {},
      schema: { results: new Collection([Note]), next: null },
      pagination: byCursor({ param: 'cursor', next: 'next' }),
    });
    const view = infinite(controller, getPages, {});
    const stop = view.subscribe(() => {});
    void view.load();
    await quiet();
    current.tenant = 'two';
    void view.loadNext();
    await quiet();
    void view.refresh('loaded');
    await quiet();
    expect(view.getSnapshot()).toMatchObject({
      data: { items: [{ id: 'one first' }, { id: 'one second' }], hasNext: false },
    });
    expect(new Set(sent)).toEqual(new Set(['one']));
    stop();
  });

  it('uses the option of the constructor instead of the getter', async () => {
    const { Api, controller, current, quiet, sent } = open(option);
    const fixed = option === 'urlPrefix' ? 'http://fixed' : 'fixed';
    const getMe = new Api({ path: '/me', ...({ [option]: fixed } as object) });
    const read = controller.fetch(getMe);
    current.tenant = 'two';
    await quiet();
    expect(await read).toMatchObject({ text: 'fixed' });
    expect(controller.getResponse(getMe)).toMatchObject({ text: 'fixed' });
    expect(sent).toEqual(['fixed']);
  });
});

describe('a class of function endpoints whose scope is a getter', () => {
  it('stores a response that arrives after a change under the earlier value', async () => {
    let user = 'ann';
    class OwnEndpoint<F extends EndpointFunction, O extends EndpointShape = any> extends Endpoint<
      F,
      O
    > {
      get scope(): string {
        return user;
      }
    }
    const ends: ((rows: { id: string }[]) => void)[] = [];
    const getNotes = new OwnEndpoint(
      () => new Promise<{ id: string }[]>((resolve) => ends.push(resolve)),
      { name: 'getNotes', schema: new Collection([Note]) },
    );
    const controller = new Controller();
    const ids = () => controller.getResponse(getNotes)?.map(({ id }) => id);
    const read = controller.fetch(getNotes);
    user = 'bob';
    ends[0]?.([{ id: 'of ann' }]);
    await read;
    expect(ids()).toBeUndefined();
    const other = controller.fetchIfStale(getNotes);
    ends[1]?.([{ id: 'of bob' }]);
    await other;
    expect(ids()).toEqual(['of bob']);
    user = 'ann';
    expect(ids()).toEqual(['of ann']);
  });
});

it('a batch of an endpoint class whose urlPrefix is a getter is one request, with the values of its calls', async () => {
  let tenant = 'one';
  const asked: string[] = [];
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override get urlPrefix(): string {
      return `http://${tenant}`;
    }

    override async send(input: string) {
      asked.push(input);
      const { host, searchParams } = new URL(input);
      return Response.json(searchParams.getAll('ids').map((id) => ({ id, text: host })));
    }
  }
  const many = new Api({ path: '/many', searchParams: {} as { ids: string[] }, schema: [Note] });
  const get = batched(new Api({ path: '/notes/:id', schema: Note }), { many, param: 'ids' });
  const controller = new Controller();
  const calls = ['1', '2'].map((id) => controller.fetch(get, { id }));
  tenant = 'two';
  const other = ['1', '2'].map((id) => controller.fetch(get, { id }));
  await Promise.all([...calls, ...other]);
  expect(asked).toEqual(['http://one/many?ids=1&ids=2', 'http://two/many?ids=1&ids=2']);
});

describe('the endpoint in the action of a response', () => {
  const { Api } = openTenants('urlPrefix');
  const send = async () => Response.json({ id: '1' });
  const shared = { path: '/me', urlPrefix: 'http://fixed', schema: Note, send };
  class Plain extends RestEndpoint {}
  it.each([
    ['a RestEndpoint', new RestEndpoint(shared)],
    ['a class without getters', new Plain(shared)],
    ['a class whose getter an option replaces', new Api(shared)],
    ['a function', new Endpoint(async () => ({ id: '1' }), { name: 'getMe', schema: Note })],
  ])('is the declared object for %s', async (_, endpoint) => {
    const used: unknown[] = [];
    const controller = new Controller({ onSuccess: (__, action) => used.push(action.endpoint) });
    await controller.fetch(endpoint as ReadEndpoint);
    expect(used).toHaveLength(1);
    expect(used[0]).toBe(endpoint);
  });
});
