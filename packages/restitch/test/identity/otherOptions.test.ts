/** Endpoints with one cache key share responses. Each reader fetches with the options of its own endpoint. */
import { Controller, Entity, resource, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { follow } from '../reading/cases.js';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
}

const getUser = new RestEndpoint({ urlPrefix: server.origin, path: '/users/:id', schema: User });
const id = { id: '1' };
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  server.respond(({ headers }, response) => {
    response.statusCode = headers.authorization ? 200 : 401;
    return { id: '1' };
  });
});

const tokens = (): unknown[] => server.seen.map(({ headers }) => headers.authorization);

const withToken = (token: string) =>
  getUser.extend({ requestInit: { headers: { authorization: token } } });

describe.each([
  ['without a token', getUser],
  ['with another token', withToken('other')],
])('a view %s, observed later', (_, other) => {
  it('does not decide with which token the first reader fetches', async () => {
    const view = controller.observe(withToken('own'), id);
    controller.observe(other, id);
    await view.load();
    await view.refetch();
    expect(tokens()).toEqual(['own', 'own']);
    expect(controller.observe(other, id).getSnapshot()).toMatchObject({ status: 'ready' });
  });
});

it('an endpoint that is made again for each call has one view, which fetches with the newest', async () => {
  let token = 'old';
  const made = () => {
    const current = token;
    return getUser.extend({ getHeaders: () => ({ authorization: current }) });
  };
  const view = controller.observe(made(), id);
  await view.load();
  token = 'new';
  expect(controller.observe(made(), id)).toBe(view);
  await view.refetch();
  expect(tokens()).toEqual(['old', 'new']);
});

it('each of two signals aborts only the request of its own reader', async () => {
  server.respond(() => undefined);
  const aborts = [new AbortController(), new AbortController()];
  const [first, second] = aborts.map(({ signal }) =>
    controller.observe(getUser.extend({ signal }), id),
  );
  const loading = first?.load();
  const other = second?.load();
  await expect.poll(() => server.seen.length).toBe(1);
  aborts[0]?.abort();
  expect(second?.fetchStatus).toBe('fetching');
  aborts[1]?.abort();
  await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  await expect(other).rejects.toMatchObject({ name: 'AbortError' });
});

describe('a reader with `invalidIfStale`', () => {
  class Price extends Entity {
    id = '';
    amount = 0;
  }
  const Prices = resource({ urlPrefix: server.origin, path: '/prices/:id', schema: Price });
  const strict = Prices.get.extend({ invalidIfStale: true });

  it.each([false, true])(
    'hides stale data, and other readers do not, observed first: %j',
    async (isFirst) => {
      server.respond(() => ({ id: '1', amount: 1 }));
      const endpoints = isFirst ? [strict, Prices.get] : [Prices.get, strict];
      const views = endpoints.map((endpoint) => controller.observe(endpoint, id));
      views.forEach((view) => view.subscribe(() => {}));
      await views[0]?.load();
      expect(views.map((view) => view.getSnapshot().status)).toEqual(['ready', 'ready']);
      controller.expireAll(Prices.get);
      const statuses = views.map((view) => view.getSnapshot().status);
      expect(statuses).toEqual(isFirst ? ['pending', 'ready'] : ['ready', 'pending']);
      controller.set(Price, id, { amount: 2 });
      const plain = controller.observe(Prices.get, id).getSnapshot();
      expect(plain).toMatchObject({ status: 'ready', data: { amount: 2 } });
    },
  );

  it.each([false, true])(
    'has the error of a failed refresh, other readers keep the data, observed first: %j',
    async (isFirst) => {
      server.respond(() => ({ id: '1', amount: 1 }));
      const endpoints = isFirst ? [strict, Prices.get] : [Prices.get, strict];
      const views = endpoints.map((endpoint) => controller.observe(endpoint, id));
      for (const view of views) follow(view);
      await expect
        .poll(() => views.map((view) => view.getSnapshot().status))
        .toEqual(['ready', 'ready']);
      server.respond((_, response) => {
        response.statusCode = 500;
        return {};
      });
      controller.expireAll(Prices.get);
      await expect.poll(() => controller.countFetching()).toBe(0);
      const statuses = views.map((view) => view.getSnapshot().status);
      expect(statuses).toEqual(isFirst ? ['error', 'ready'] : ['ready', 'error']);
      expect(server.seen).toHaveLength(2);
      server.respond(() => ({ id: '1', amount: 2 }));
      controller.expireAll(Prices.get);
      await expect
        .poll(() => views.map((view) => view.getSnapshot().status))
        .toEqual(['ready', 'ready']);
      expect(server.seen).toHaveLength(3);
    },
  );
});

describe('a pause of several views of one response', () => {
  it('ends for a reader that another view of the response precedes', async () => {
    server.respond(() => ({ id: '1' }));
    controller.observe(getUser, id).subscribe(() => {});
    const view = controller.observe(withToken('own'), id);
    follow(view);
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    controller.resetEntireStore({ refetch: false });
    expect(view.isPaused).toBe(true);
    controller.resetEntireStore();
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    expect(server.seen).toHaveLength(2);
  });

  it('ends for all of them', async () => {
    server.respond(() => ({ id: '1' }));
    const views = [getUser, withToken('own')].map((endpoint) => controller.observe(endpoint, id));
    const leave = views.map((view) => view.subscribe(() => {}));
    await views[0]?.load();
    controller.resetEntireStore({ refetch: false });
    const waiting = views.map((view) => view.load(undefined, true));
    leave.forEach((stop) => stop());
    await Promise.all(waiting);
    expect(server.seen).toHaveLength(1);
    expect(views.map((view) => view.isPaused)).toEqual([false, false]);
  });
});
