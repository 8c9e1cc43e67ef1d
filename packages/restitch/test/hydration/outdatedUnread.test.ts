/** Hydrated data expires although no endpoint has read it, and stays expired in the next visit. */
import {
  byPage,
  Collection,
  Controller,
  Entity,
  expireWhere,
  type Filter,
  infinite,
  invalidateWhere,
  resource,
  type StoreState,
} from 'restitch';
import { applyChange, changes, getState, hydrate, openStream } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
let total = 1;
beforeEach(() => {
  total = 1;
  server.seen.splice(0);
  server.respond(({ url }) => {
    const { pathname, searchParams } = new URL(url, server.origin);
    const report = (id: string) => ({ id, total });
    const page = Number(searchParams.get('page') ?? 1);
    const pages = [['1', '2'], ['3', '4'], ['5']];
    return pathname === '/reports'
      ? ['1', '2'].map(report)
      : pathname === '/pages'
        ? { items: pages[page - 1]?.map(report), total: 5 }
        : report(pathname.split('/')[2] ?? '');
  });
});

/** The modules of one visit: each visit has other classes and endpoints. */
function visit() {
  class Report extends Entity {
    id = '';
    total = 0;
    static override key = 'UnreadReport';
  }
  const options = { urlPrefix: server.origin, dataExpiryLength: 3_600_000 };
  const Reports = resource({ ...options, path: '/reports/:id', schema: Report });
  const Pages = resource({
    ...options,
    path: '/pages/:id',
    schema: Report,
    pagination: byPage({ param: 'page', total: 'total' }),
  }).extend('getList', { schema: { items: new Collection([Report]), total: 0 } });
  const getScoped = Reports.getList.extend({ scope: 'ada' });
  return { Report, Reports, Pages, getScoped };
}
type Visit = ReturnType<typeof visit>;

/** Reads of a visit. Each one returns the totals that it shows. */
const reads = {
  list: async (controller: Controller, { Reports }: Visit) =>
    (await controller.fetchIfStale(Reports.getList)).map((one) => one.total),
  detail: async (controller: Controller, { Reports }: Visit) => [
    (await controller.fetchIfStale(Reports.get, { id: '1' })).total,
  ],
  scoped: async (controller: Controller, { getScoped }: Visit) =>
    (await controller.fetchIfStale(getScoped)).map((one) => one.total),
  infinite: async (controller: Controller, { Pages }: Visit) => {
    const view = infinite(controller, Pages.getList);
    const stop = view.subscribe(() => {});
    if (view.needsLoad()) await view.load();
    const items = () => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' ? snapshot.data.items.map((one) => one.total) : [];
    };
    if (items().length < 3) await view.loadNext();
    // A round loads the further pages again.
    await expect.poll(() => new Set(items()).size, { interval: 2 }).toBe(1);
    stop();
    return items();
  },
};
type Name = keyof typeof reads;

type Act = (controller: Controller, visit: Visit, of: Name) => unknown;
const endpointOf = ({ Reports, Pages, getScoped }: Visit, of: Name) =>
  of === 'scoped'
    ? getScoped
    : of === 'detail'
      ? Reports.get
      : of === 'list'
        ? Reports.getList
        : Pages.getList;
const argsOf = (of: Name) => (of === 'detail' ? [{ id: '1' }] : []);
const filters: Record<string, (visit: Visit, of: Name) => Filter> = {
  path: (_, of) => ({ path: of === 'infinite' ? '/pages' : '/reports' }),
  'path and entity': ({ Report }) => ({ path: '/', entity: Report }),
  sideEffect: () => ({ sideEffect: false }),
  endpoint: (all, of) => ({ endpoint: endpointOf(all, of) }),
  'endpoint and arguments': (all, of) => ({ endpoint: endpointOf(all, of), args: argsOf(of) }),
  entity: ({ Report }) => ({ entity: Report }),
  'entity and pk': ({ Report }) => ({ entity: Report, pk: '1' }),
  match: () => ({ match: ({ endpoint }) => endpoint.name.includes('get') }),
};
const acts: Record<string, Act> = {
  expireAll: (controller, all, of) => controller.expireAll(endpointOf(all, of)),
  invalidateAll: (controller, all, of) => controller.invalidateAll(endpointOf(all, of)),
  invalidate: (controller, all, of) =>
    controller.invalidate(endpointOf(all, of) as Visit['Reports']['get'], ...(argsOf(of) as [any])),
  'invalidateAll without the scope': (controller, all, of) =>
    controller.invalidateAll(of === 'scoped' ? all.Reports.getList : endpointOf(all, of)),
  'expireAll without the scope': (controller, all, of) =>
    controller.expireAll(of === 'scoped' ? all.Reports.getList : endpointOf(all, of)),
};
for (const [name, filterOf] of Object.entries(filters)) {
  acts[`expireWhere by ${name}`] = (controller, all, of) =>
    expireWhere(controller, filterOf(all, of));
  acts[`invalidateWhere by ${name}`] = (controller, all, of) =>
    invalidateWhere(controller, filterOf(all, of));
}

const saved = (state: StoreState): StoreState => JSON.parse(JSON.stringify(state));

const ways: Record<string, (controller: Controller, state: StoreState) => () => StoreState> = {
  getState(controller, state) {
    hydrate(controller, state);
    return () => getState(controller);
  },
  changes(controller, state) {
    hydrate(controller, state);
    let copy = getState(controller);
    changes(controller, (change) => (copy = applyChange(copy, change)));
    return () => copy;
  },
  'a stream': (controller, state) => {
    const stream = openStream(controller);
    stream.hydrate(state);
    return () => {
      stream.close();
      return getState(controller);
    };
  },
};

async function opened(of: Name): Promise<StoreState> {
  const controller = new Controller();
  const all = visit();
  await reads[of](controller, all);
  const state = saved(getState(controller));
  controller.dispose();
  return state;
}

/** Another page is open, with another class of the same key. */
const openOther = async (controller: Controller) => {
  await controller.fetch(visit().Reports.get, { id: '9' });
};

describe.each(Object.keys(ways))('%s', (way) => {
  describe.each(Object.keys(acts))('%s', (act) => {
    it.each(Object.keys(reads) as Name[])('makes the next visit fetch: %s', async (of) => {
      for (const isOtherRead of [false, true]) {
        total = 1;
        const controller = new Controller();
        const state = ways[way]?.(controller, await opened(of));
        if (isOtherRead) await openOther(controller);
        total = 2;
        await acts[act]?.(controller, visit(), of);
        const next = saved(state?.() as StoreState);
        controller.dispose();
        const last = new Controller();
        hydrate(last, next);
        server.seen.splice(0);
        const shown = await reads[of](last, visit());
        last.dispose();
        expect([isOtherRead, new Set(shown)]).toEqual([isOtherRead, new Set([2])]);
      }
    });
  });
});
