/** Records that become incomplete after readers have shown them: by another state or another class. */
import {
  byOffset,
  Collection,
  Controller,
  Endpoint,
  Entity,
  infinite,
  resource,
  type StoreState,
  windowed,
} from 'restitch';
import { stateSource } from 'restitch/ssr';
import { getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';
import { ignore, listen, manual } from '../support/world.js';

class Site extends Entity {
  id = '';
  name = '';
  rating = 5;
  static override key = 'LaterSite';
}
class Page extends Entity {
  id = '';
  site: any = undefined;
  sites: any = [];
  static override key = 'LaterPage';
  static override schema = { site: Site, sites: new Collection([Site]) } as Record<string, any>;
}
const getSite = manual('getSite', Site);
const getSites = manual('getSites', new Collection([Site]));
const getPair = manual('getPair', [Site]);
const getPage = manual('getPage', Page);

const whole = { id: '1', name: 'One', rating: 5 };
const lossy = { id: '1', name: 'One', rating: NaN };

type Change = (server: Controller) => void;
function stateAfter(...changes: Change[]): StoreState {
  const server = new Controller();
  changes.forEach((change) => change(server));
  return JSON.parse(JSON.stringify(getState(server)));
}
const put =
  ({ endpoint }: { readonly endpoint: any }, args: object, response: unknown): Change =>
  (server) =>
    server.setResponse(endpoint, args, response);

const readers: [name: string, endpoint: any, args: object, before: unknown, after: unknown][] = [
  ['a detail', getSite, { id: '1' }, whole, lossy],
  ['a list', getSites, {}, [whole], [lossy]],
  ['a list with a new record', getSites, {}, [{ id: '2' }], [{ id: '2' }, lossy]],
  ['an array', getPair, {}, [whole], [lossy]],
  ['an array with a new record', getPair, {}, [{ id: '2' }], [{ id: '2' }, lossy]],
  ['a relation', getPage, { id: 'p' }, { id: 'p', site: whole }, { id: 'p', site: lossy }],
  ['a nested list', getPage, { id: 'p' }, { id: 'p', sites: [whole] }, { id: 'p', sites: [lossy] }],
];

describe('a later part of a page with a value that JSON cannot carry', () => {
  it.each(readers)('makes readers fetch: %s', (_, { endpoint }, args, before, after) => {
    for (const isRead of [false, true]) {
      const controller = new Controller();
      const view = controller.observe<any>(endpoint, args);
      const stream = openStream(controller);
      stream.hydrate(stateAfter(put({ endpoint }, args, before)));
      if (isRead) expect(view.needsLoad()).toBe(false);
      stream.hydrate(stateAfter(put({ endpoint }, args, after)));
      expect(view.needsLoad()).toBe(true);
    }
  });

  it('makes readers fetch whose own result the part lacks', () => {
    const controller = new Controller();
    const stream = openStream(controller);
    stream.hydrate(
      stateAfter(put(getSites, {}, [whole]), put(getPage, {}, { id: 'p', site: '1' })),
    );
    const views = [
      controller.observe<any>(getSites.endpoint, {}),
      controller.observe<any>(getPage.endpoint, {}),
      controller.observe<any>(getSite.endpoint, { id: '1' }),
    ];
    const heard = views.map((view) => listen(view));
    for (const view of views) expect(view.needsLoad()).toBe(false);
    stream.hydrate(stateAfter((server) => server.set(Site, { id: '1' }, lossy)));
    for (const view of views) expect(view.needsLoad()).toBe(true);
    // Mounted readers hear of it, and fetch too.
    for (const view of views.slice(0, 2)) expect(view.needsLoad(true)).toBe(true);
    expect(heard.slice(0, 2).map(({ count }) => count)).toEqual([1, 1]);
  });

  it('does not outdate a response of this program, or one in flight', async () => {
    const controller = new Controller();
    const stream = openStream(controller);
    stream.hydrate(stateAfter(put(getSites, {}, [whole])));
    const view = controller.observe<any>(getSites.endpoint, {});
    expect(view.needsLoad()).toBe(false);
    ignore(view.load());
    for (let part = 0; part < 3; part += 1) {
      stream.hydrate(stateAfter(put(getSites, {}, [lossy])));
      if (part === 0) await getSites.respond([lossy]);
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [{ rating: NaN }] });
      expect(view.needsLoad()).toBe(false);
    }
  });
});

describe('a later part from a store that invalidated a result', () => {
  const cases: [name: string, endpoint: any, args: object, response: unknown][] = [
    ['a detail', getSite, { id: '1' }, whole],
    ['a list', getSites, {}, [whole]],
  ];
  const invalidations: [name: string, invalidate: (origin: Controller, endpoint: any) => void][] = [
    ['invalidate', (origin, endpoint) => void origin.invalidate(endpoint, { id: '1' })],
    ['invalidateAll', (origin, endpoint) => void origin.invalidateAll(endpoint)],
    ['expireAll', (origin, endpoint) => origin.expireAll(endpoint)],
  ];
  const transferred = (controller: Controller): StoreState =>
    JSON.parse(JSON.stringify(getState(controller)));

  it.each(cases)('makes its readers fetch: %s', (_, { endpoint }, args, response) => {
    for (const [, invalidate] of invalidations) {
      for (const isRead of [false, true]) {
        const [origin, controller] = [new Controller(), new Controller()];
        const stream = openStream(controller);
        const named = { ...args, id: '1' };
        const needs = () => controller.observe<any>(endpoint, named).needsLoad();
        origin.setResponse(endpoint, named, response);
        stream.hydrate(transferred(origin));
        if (isRead) expect(needs()).toBe(false);
        invalidate(origin, endpoint);
        stream.hydrate(transferred(origin));
        expect(needs()).toBe(true);
        origin.setResponse(endpoint, named, response);
        stream.hydrate(transferred(origin));
        expect(needs()).toBe(false);
      }
    }
  });

  it('leaves other results of the list fresh that the part contains', () => {
    const other = manual('getOthers', getSites.endpoint.schema);
    const [origin, controller, later] = [new Controller(), new Controller(), new Controller()];
    const stream = openStream(controller);
    for (const { endpoint } of [getSites, other]) origin.setResponse(endpoint, {}, [whole]);
    stream.hydrate(transferred(origin));
    const needs = () =>
      [getSites, other].map(({ endpoint }) => controller.observe<any>(endpoint, {}).needsLoad());
    expect(needs()).toEqual([false, false]);
    void origin.invalidate(getSites.endpoint, {});
    stream.hydrate(transferred(origin));
    expect(needs()).toEqual([true, false]);
    hydrate(later, transferred(controller));
    expect(later.observe<any>(other.endpoint, {}).needsLoad()).toBe(false);
    expect(Object.keys(getState(later).results[0] ?? {})).not.toContain('part');
  });

  it('leaves readers alone that have a newer response', () => {
    const { endpoint } = getSites;
    const [origin, controller] = [new Controller(), new Controller()];
    const stream = openStream(controller);
    origin.setResponse(endpoint, {}, [whole]);
    stream.hydrate(transferred(origin));
    const view = controller.observe<any>(endpoint, {});
    expect(view.needsLoad()).toBe(false);
    void origin.invalidate(endpoint, {});
    controller.setResponse(endpoint, {}, [whole]);
    stream.hydrate(transferred(origin));
    expect(view.needsLoad()).toBe(false);
  });
});

it('a record that other state brings later makes readers fetch once', async () => {
  const controller = new Controller();
  ignore(controller.fetch(getPage.endpoint, {}));
  await getPage.respond({ id: 'p', site: '1' });
  const view = controller.observe<any>(getPage.endpoint, {});
  expect(view.needsLoad()).toBe(false);
  hydrate(controller, stateAfter(put(getSites, {}, [lossy])));
  expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { site: { name: 'One' } } });
  expect(view.needsLoad()).toBe(true);
  ignore(view.load());
  await getPage.respond({ id: 'p', site: '1' });
  expect(view.needsLoad()).toBe(false);
});

it('a class that rejects a field which an earlier class did not declare fetches', () => {
  const named = (name: string, schema: unknown) =>
    new Endpoint(async (_: object): Promise<any> => null, { name, schema });
  const noteClass = (fields: object, schema: Record<string, any> = {}) =>
    class Note extends Entity {
      id = '';
      title = '';
      constructor() {
        super();
        Object.assign(this, fields);
      }
      static override key = 'LaterNote';
      static override schema = schema;
    };
  const [Old, Short, New] = [
    noteClass({ about: undefined }, { about: Page }),
    noteClass({}),
    noteClass({ about: undefined }, { about: Site }),
  ];
  const state = stateAfter((server) =>
    server.setResponse(named('getNotes', new Collection([Old])), {}, [
      { id: '1', about: { id: 'x' } },
    ]),
  );
  const controller = new Controller({ environment: { report: () => {} } });
  hydrate(controller, state);
  expect(controller.observe(named('getNotes', new Collection([Short])), {}).needsLoad()).toBe(
    false,
  );
  expect(controller.observe(named('getNotes', new Collection([New])), {}).needsLoad()).toBe(true);
  expect(controller.observe(named('getNote', New), { id: '1' }).needsLoad()).toBe(true);
});

it('a page sends a record again that has lost a value since', () => {
  const server = new Controller({ environment: { now: () => 1_000 } });
  const next = stateSource(server);
  server.setResponse(getSite.endpoint, { id: '1' }, { id: '1', name: 'One' });
  expect(next()).not.toBe('');
  server.set(Site, { id: '1' }, { rating: NaN });
  expect(next()).toContain('"lost":["rating"]');
  expect(next()).toBe('');
});

describe.each([false, true])('in pages (a value is lost: %s)', (isLost) => {
  const offsets = byOffset({ param: 'offset', total: 'total' });
  const withRating = (row: any) => ({ ...row, rating: isLost && row.id === '3' ? NaN : 1 });
  const sitesOf = (requests: string[]) =>
    resource({
      urlPrefix: 'https://example.com',
      path: '/sites/:id',
      schema: Site,
      pagination: offsets,
      process: (body: any) => ({ ...body, results: body.results.map(withRating) }),
      send: async (input) => {
        const { url } = new Request(input);
        requests.push(url);
        const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
        const results = [0, 1].map((index) => ({ id: String(offset + index), rating: 'n/a' }));
        return Response.json({ results, total: 4 });
      },
    }).extend('getList', { schema: { results: new Collection([Site]), total: 0 } }) as any;
  const transferred = (controller: Controller): StoreState =>
    JSON.parse(JSON.stringify(getState(controller)));

  it('an infinite list fetches if a later page holds the record', async () => {
    const server = new Controller();
    const first = infinite(server, sitesOf([]).getList, {});
    await first.load();
    await (readyData(first) as any).loadNext();
    let state = transferred(server);
    for (const looks of [true, false, true]) {
      const controller = new Controller();
      const view = infinite(controller, sitesOf([]).getList, {}) as any;
      if (looks) view.getSnapshot();
      hydrate(controller, state);
      expect(view.needsLoad()).toBe(isLost);
      view.getSnapshot();
      state = transferred(controller);
    }
  });

  it('a windowed list fetches the page that holds the record', async () => {
    const server = new Controller();
    const origin = windowed(server, sitesOf([]).getList, {}) as any;
    const range = origin.open({ start: 0, end: 4 });
    origin.getSnapshot();
    await expect.poll(() => (readyData(origin) as any).at(3)?.rating).toBe(isLost ? NaN : 1);
    range.close();
    let state = transferred(server);
    for (const looks of [true, false, true]) {
      const controller = new Controller();
      const requests: string[] = [];
      const view = windowed(controller, sitesOf(requests).getList, {}) as any;
      if (looks) view.getSnapshot();
      hydrate(controller, state);
      view.getSnapshot();
      state = transferred(controller);
      view.open({ start: 0, end: 4 });
      await expect.poll(() => (readyData(view) as any).at(3)?.rating).toBe(isLost ? NaN : 1);
      expect(requests.some((url) => url.includes('offset=2'))).toBe(isLost);
    }
  });
});
