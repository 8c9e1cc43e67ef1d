/** Lists of endpoint classes whose `urlPrefix` is a getter: each server has lists, pages and edits of its own. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  RestEndpoint,
  type RestGenerics,
  windowed,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';

class Row extends Entity {
  id = '';
  static override key = 'RowOfServer';
}

let server = 'a';
let asked: string[] = [];
const rowsOf = (host: string) => [1, 2, 3, 4].map((number) => ({ id: `${host}${number}` }));

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  override get urlPrefix(): string {
    return `http://${server}`;
  }

  override async send(input: string, init: RequestInit) {
    const { host, pathname, searchParams, search } = new URL(input);
    asked.push(`${init.method} ${host}${pathname}${search}`);
    if (init.method === 'POST') return Response.json({ id: `${host} new` });
    const offset = Number(
      searchParams.get('offset') ?? 2 * Number(searchParams.get('page') ?? 1) - 2,
    );
    const rows = rowsOf(host);
    return Response.json({ results: rows.slice(offset, offset + 2), total: rows.length });
  }
}

/** The same address and data at two servers. */
class OneService<O extends RestGenerics = any> extends Api<O> {
  override service = 'rows';
}

const schema = { results: new Collection([Row]), total: 0 };
const make = (Endpoint: typeof Api, pagination: ReturnType<typeof byPage | typeof byOffset>) =>
  resource({ path: '/rows/:id', schema: Row, Endpoint, pagination }).extend('getList', { schema });

let controller: Controller;
beforeEach(() => {
  server = 'a';
  asked = [];
  controller = new Controller();
});

describe('a list at two servers', () => {
  const Rows = make(Api, byPage({ param: 'page', total: 'total' }));
  const pushed = Rows.getList.push;
  const extended = pushed.extend({ dataExpiryLength: 5 });
  const create = new Api({
    path: '/rows',
    method: 'POST',
    schema: Rows.getList.schema.results.push,
  });
  type Create = typeof pushed | typeof extended | typeof create;
  const ids = () => controller.getResponse(Rows.getList)?.results.map(({ id }) => id);

  it.each(['push', 'unshift'] as const)('has created rows of its own by %s', async (action) => {
    for (server of ['a', 'b']) {
      await controller.fetch(Rows.getList);
      await controller.fetch(Rows.getList[action], {});
    }
    for (server of ['a', 'b']) expect(ids()).toHaveLength(3);
    for (server of ['a', 'b']) expect(ids()).toContain(`${server} new`);
  });

  it.each([
    ['an endpoint with the schema `push`', (): Create => create],
    ['a `push` that was made before', (): Create => pushed],
    ['an extended `push`', (): Create => extended],
  ])('has created rows of its own by %s', async (_, endpoint) => {
    for (server of ['a', 'b']) {
      await controller.fetch(Rows.getList);
      await controller.fetch(endpoint(), {});
    }
    for (server of ['a', 'b']) expect(ids()).toHaveLength(3);
    for (server of ['a', 'b']) expect(ids()).toContain(`${server} new`);
  });

  it('has windows of its own', async () => {
    const Windows = make(Api, byOffset({ param: 'offset', limit: 'limit', total: 'total' }));
    const views = ['a', 'b'].map((name) => {
      server = name;
      const view = windowed(controller, Windows.getList);
      view.subscribe(() => {});
      view.open({ start: 0, end: 4 });
      return () => {
        const snapshot = view.getSnapshot();
        return [0, 1, 2, 3].map((at) => snapshot.status === 'ready' && snapshot.data.at(at)?.id);
      };
    });
    const wanted = ['a', 'b'].map((name) => rowsOf(name).map(({ id }) => id));
    await expect.poll(() => views.map((read) => read())).toEqual(wanted);
  });

  it('loads further pages from its own server', async () => {
    const views = ['a', 'b'].map((name) => {
      server = name;
      return infinite(controller, Rows.getList);
    });
    for (const view of views) await view.load();
    for (const view of views) await view.loadNext();
    const shown = views.map((view) => {
      const snapshot = view.getSnapshot();
      return snapshot.status === 'ready' && snapshot.data.items.map(({ id }) => id);
    });
    expect(shown).toEqual(['a', 'b'].map((name) => rowsOf(name).map(({ id }) => id)));
    expect(asked).toHaveLength(4);
  });
});

it('an endless list of two servers with one service loads its pages from the current server after a reset', async () => {
  const Rows = make(OneService, byPage({ param: 'page', total: 'total' }));
  const view = infinite(controller, Rows.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  for (server of ['b', 'a', 'b']) {
    controller.resetEntireStore();
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    asked = [];
    await view.loadNext();
    const snapshot = view.getSnapshot();
    const items = snapshot.status === 'ready' ? snapshot.data.items : [];
    expect(items.map(({ id }) => id)).toEqual(rowsOf(server).map(({ id }) => id));
    expect(asked).toEqual([`GET ${server}/rows?page=2`]);
  }
});
