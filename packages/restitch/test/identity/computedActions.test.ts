/** Managers, listeners and filters compare endpoints: `endpoint === Prices.get`. */
import {
  Controller,
  countRequests,
  Entity,
  type EndpointInterface,
  expireWhere,
  type Filtered,
  logout,
  LogoutManager,
  type Manager,
  PollingManager,
  resource,
  RestEndpoint,
  type RestGenerics,
  StreamManager,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { computed, openTenants } from './tenants.js';

class Price extends Entity {
  id = '';
  amount = 0;
  static override key = 'ComputedPrice';
}

class Plain<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'http://one';

  override async send(input: string) {
    const price = { id: '1', amount: 1 };
    return Response.json(input.endsWith('/notes') ? [price] : price);
  }
}

function open(option: (typeof computed)[number] | 'no option') {
  const { Api, ...tenants } = openTenants(option === 'no option' ? 'urlPrefix' : option);
  const Prices = resource({
    path: '/notes/:id',
    schema: Price,
    Endpoint: option === 'no option' ? Plain : Api,
    pollFrequency: 1_000,
    optimistic: true,
  });
  return { ...tenants, Prices };
}

describe.each([...computed, 'no option'] as const)('with a getter for %s', (option) => {
  it('each action has the declared endpoint', async () => {
    const { Prices, quiet } = open(option);
    const { getList } = Prices;
    const update = Prices.partialUpdate.extend({
      getOptimisticResponse() {
        throw new Error('a mistake');
      },
    });
    const failing = Prices.get.extend({ process: () => Promise.reject(new Error('broken')) });
    const seen: string[] = [];
    const names = new Map<EndpointInterface, string>([
      [Prices.get, 'get'],
      [getList, 'getList'],
      [getList.push, 'push'],
      [Prices.delete, 'delete'],
      [update, 'update'],
      [failing, 'failing'],
    ]);
    const note = (what: string, endpoint: EndpointInterface) =>
      seen.push(`${what} ${names.get(endpoint) ?? 'another endpoint'}`);
    const noting: Manager = {
      middleware: () => (next) => (action) => {
        if ('endpoint' in action) note(action.type, action.endpoint);
        next(action);
      },
    };
    const controller = new Controller({
      managers: [noting],
      environment: { report: () => {} },
      onSuccess: (_, { endpoint }) => note('onSuccess', endpoint),
      onError: (_, { endpoint }) => note('onError', endpoint),
    });
    controller.watchErrors((_, { endpoint }) => note('watchErrors', endpoint));
    void controller.fetch(getList);
    void controller.fetch(Prices.get, { id: '1' });
    void controller.fetch(failing, { id: '1' });
    void controller.fetch(getList.push, { amount: 2 });
    void controller.fetch(update, { id: '1' }, { amount: 2 });
    void controller.fetch(Prices.delete, { id: '1' });
    controller.subscribe(Prices.get, { id: '1' });
    controller.unsubscribe(Prices.get, { id: '1' });
    void controller.invalidate(Prices.get, { id: '1' });
    const view = controller.observe(Prices.get, { id: '2' });
    void view.load();
    await quiet();
    expect(seen.filter((text) => text.includes('another'))).toEqual([]);
    const all =
      'fetch receive fail setError subscribe unsubscribe invalidate onSuccess onError watchErrors';
    expect(new Set(seen.map((text) => text.split(' ')[0]))).toEqual(new Set(all.split(' ')));
  });

  it('a poll has the declared endpoint', async () => {
    const { Prices, quiet } = open(option);
    const clock = new Clock();
    const seen: unknown[] = [];
    const controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
      onSuccess: (_, { endpoint }) => seen.push(endpoint),
    });
    controller.subscribe(Prices.get, { id: '1' });
    await quiet();
    await clock.pass(1_000);
    await quiet();
    expect(seen).toHaveLength(2);
    expect(seen.every((endpoint) => endpoint === Prices.get)).toBe(true);
    controller.unsubscribe(Prices.get, { id: '1' });
  });

  it('`match` of a filter receives the declared endpoint', async () => {
    const { Prices, quiet } = open(option);
    const controller = new Controller();
    const view = controller.observe(Prices.get, { id: '1' });
    const match = ({ endpoint }: Filtered) => endpoint === Prices.get;
    const loaded = view.load();
    expect(countRequests(controller, { match })).toBe(1);
    await quiet();
    await loaded;
    void expireWhere(controller, { match });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
  });

  it('`url` of a StreamManager receives the declared endpoint', async () => {
    const { Prices, current, quiet, sent } = open(option);
    const sources: EventTarget[] = [];
    class Source extends EventTarget {
      readyState = 0;
      constructor() {
        super();
        sources.push(this);
      }
      close(): void {
        this.readyState = 2;
      }
    }
    const streams = new StreamManager({
      EventSource: Source,
      url: ({ endpoint }) => (endpoint === Prices.get ? 'http://stream' : undefined),
      onMessage: () => {},
    });
    const clock = new Clock();
    const controller = new Controller({ managers: [streams], environment: clock.environment });
    controller.subscribe(Prices.get, { id: '1' });
    expect(sources).toHaveLength(1);
    sources[0]?.dispatchEvent(new Event('open'));
    Object.assign(sources[0] ?? {}, { readyState: 2 });
    current.tenant = 'two';
    sources[0]?.dispatchEvent(new Event('error'));
    await clock.pass(1_000);
    sources[1]?.dispatchEvent(new Event('open'));
    await quiet();
    // The refetch goes to the server that the subscription began with.
    expect(sent).toEqual(option === 'no option' ? [] : ['one']);
    current.tenant = 'one';
    controller.unsubscribe(Prices.get, { id: '1' });
    expect(sources[1]).toMatchObject({ readyState: 2 });
  });
});

it('the error of a session that ended stays with its tenant', async () => {
  const { Api, current, respond, as } = openTenants('urlPrefix');
  const handleLogout = (ended: Controller): void => {
    logout(ended);
    current.tenant = 'two';
  };
  const controller = new Controller({ managers: [new LogoutManager({ handleLogout })] });
  const getMe = new Api({ path: '/me' });
  const read = controller.fetch(getMe);
  await Promise.all([expect(read).rejects.toThrow(), respond(401)]);
  expect(controller.getError(getMe)).toBeUndefined();
  expect(as('one', () => controller.getError(getMe))).toMatchObject({ status: 401 });
});
