/** Lists that open in the middle: a created or moved row stays at the end until the page with this row is loaded. */
import { byCursor, byOffset, Collection, Controller, Entity, infinite, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = 0;
  state = '';
  static override key = 'Row';
}

/** A server with the rows 1 to 6. The list opens with `opening` and has pages of two rows. */
function open(opening: number, maxPages?: number) {
  let rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, state: 'open' }));
  const answer = (url: URL, body: Partial<Row> | undefined, method = 'GET'): unknown => {
    const id = Number(url.pathname.split('/')[2]);
    if (method === 'POST') {
      rows = [{ id: 0, state: 'new' }, ...rows];
      return rows[0];
    }
    if (id) {
      const row = rows.find((other) => other.id === id);
      return row && Object.assign(row, body);
    }
    const after = Number(url.searchParams.get('after') ?? opening - 1);
    const before = Number(url.searchParams.get('before') ?? 0);
    const page = before
      ? rows.filter((row) => row.id < before).slice(-2)
      : rows.filter((row) => row.id > after).slice(0, 2);
    const [first = 0, last = 9] = [page[0]?.id, page.at(-1)?.id];
    return {
      results: page,
      older: rows.some((row) => row.id < first) ? first : null,
      newer: rows.some((row) => row.id > last) ? last : null,
      total: rows.length,
    };
  };
  const controller = new Controller();
  const Rows = resource({
    urlPrefix: 'http://x',
    path: '/rows/:id',
    schema: Row,
    send: (url: string, { body, method }: RequestInit) =>
      Promise.resolve(
        Response.json(
          answer(new URL(url), typeof body === 'string' ? JSON.parse(body) : undefined, method),
        ),
      ),
    pagination: byCursor({
      param: 'after',
      next: 'newer',
      previousParam: 'before',
      previous: 'older',
      maxPages,
    }),
  }).extend('getList', {
    schema: {
      results: new Collection([Row]),
      older: null as number | null,
      newer: null as number | null,
      total: 0,
    },
  });
  const view = infinite(controller, Rows.getList, {});
  view.subscribe(() => {});
  const list = () => readyData(view);
  const ids = (): string =>
    list()
      .items.map(({ id }) => id)
      .join(' ');
  return { controller, Rows, view, list, ids };
}

describe('`loadPrevious` puts a row from the end at its place', () => {
  it('a moved row', async () => {
    const { controller, Rows, view, ids, list } = open(3);
    await view.load();
    await view.loadNext();
    await controller.fetch(Rows.get, { id: 1 });
    await controller.fetch(Rows.getList.move, { id: 1 }, { state: 'done' });
    expect(ids()).toBe('3 4 5 6 1');
    const { firstIndex } = list();
    await view.loadPrevious();
    expect(ids()).toBe('1 2 3 4 5 6');
    expect(list()).toMatchObject({ gapAfter: undefined, firstIndex: firstIndex - 2 });
  });

  it('a moved row, while further pages are not loaded', async () => {
    const { controller, Rows, view, ids, list } = open(3);
    await view.load();
    await controller.fetch(Rows.get, { id: 2 });
    await controller.fetch(Rows.getList.move, { id: 2 }, { state: 'done' });
    expect(ids()).toBe('3 4 2');
    await view.loadPrevious();
    expect(ids()).toBe('1 2 3 4');
    await view.loadNext();
    expect(ids()).toBe('1 2 3 4 5 6');
    expect(list()).toMatchObject({ hasNext: false, hasPrevious: false });
  });

  it('all rows of the page', async () => {
    const { controller, Rows, view, ids } = open(3);
    await view.load();
    for (const id of [1, 2]) {
      await controller.fetch(Rows.get, { id });
      await controller.fetch(Rows.getList.move, { id }, { state: 'done' });
    }
    expect(ids()).toBe('3 4 1 2');
    await view.loadPrevious();
    expect(ids()).toBe('1 2 3 4');
  });

  it('a created row that the server puts at the start', async () => {
    const { controller, Rows, view, ids } = open(3);
    await view.load();
    await controller.fetch(Rows.getList.push, { state: 'new' });
    expect(ids()).toBe('3 4 0');
    await view.loadPrevious();
    expect(ids()).toBe('1 2 3 4 0');
    await view.loadPrevious();
    expect(ids()).toBe('0 1 2 3 4');
  });

  it('a row of a page that `maxPages` dropped', async () => {
    const { controller, Rows, view, ids, list } = open(1, 2);
    await view.load();
    await view.loadNext();
    await view.loadNext();
    expect(ids()).toBe('3 4 5 6');
    await controller.fetch(Rows.getList.move, { id: 1 }, { state: 'done' });
    expect(ids()).toBe('3 4 5 6 1');
    await view.loadPrevious();
    expect(ids()).toBe('1 2 3 4');
    expect(list().gapAfter).toBeUndefined();
  });

  it('a row of a page by offset that `maxPages` dropped', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, state: 'open' }));
    const controller = new Controller();
    const Rows = resource({
      urlPrefix: 'http://x',
      path: '/rows/:id',
      schema: Row,
      send: (input: string) => {
        const { pathname, searchParams } = new URL(input);
        const start = Number(searchParams.get('offset') ?? 0);
        const results = rows.slice(start, start + 2);
        return Promise.resolve(
          Response.json(
            pathname === '/rows'
              ? { results, total: rows.length }
              : rows.find(({ id }) => pathname.endsWith(String(id))),
          ),
        );
      },
      pagination: byOffset({ param: 'offset', total: 'total', maxPages: 2 }),
    }).extend('getList', { schema: { results: new Collection([Row]), total: 0 } });
    const view = infinite(controller, Rows.getList, {});
    view.subscribe(() => {});
    await view.load();
    await view.loadNext();
    await view.loadNext();
    await controller.fetch(Rows.getList.move, { id: 1 }, { state: 'done' });
    await view.loadPrevious();
    const { items, gapAfter, total } = readyData(view);
    expect(items.map(({ id }) => id).join(' ')).toBe('1 2 3 4');
    expect({ gapAfter, total }).toEqual({ gapAfter: undefined, total: 6 });
  });
});
