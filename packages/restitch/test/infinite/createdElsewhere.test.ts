/** The server has a created row at another place than the client put it. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  type Pagination,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = '';
  static override key = 'Row';
}

const SIZE = 4;
const LETTERS = 'abcdefghijklmnop';

type How = 'push' | 'unshift' | 'second' | 'moveFirst';

/** The server sorts its rows by id, except those in `absent`, which are in no page. */
function open(pagination: Pagination, letters: string, absent: string = '') {
  let rows = [...letters].sort();
  const asked: string[] = [];
  const send = (url: string, { method, body }: RequestInit): Promise<Response> => {
    const { pathname, searchParams, search } = new URL(url);
    const id = pathname.split('/')[2];
    if (method === 'DELETE') {
      rows = rows.filter((row) => row !== id);
      return Promise.resolve(Response.json({ id }));
    }
    if (method !== 'GET') {
      const created = id ?? (JSON.parse(body as string) as { id: string }).id;
      rows = [...rows.filter((row) => row !== created), created].sort();
      return Promise.resolve(Response.json({ id: created }));
    }
    asked.push(search.slice(1));
    const page = Number(searchParams.get('page') ?? 1);
    const shown = rows.filter((row) => !absent.includes(row));
    const cursor = searchParams.get('cursor');
    const start = cursor
      ? shown.filter((row) => row <= cursor).length
      : Number(searchParams.get('offset') ?? (page - 1) * SIZE);
    const results = shown.slice(start, start + SIZE).map((row) => ({ id: row }));
    const more = start + SIZE < shown.length;
    const next = more ? results.at(-1)?.id : null;
    return Promise.resolve(Response.json({ results, total: shown.length, more, next }));
  };
  const controller = new Controller();
  const Rows = resource({ urlPrefix: 'http://x', path: '/rows/:id', schema: Row, send, pagination })
    .extend('getList', {
      schema: {
        results: new Collection([Row]),
        total: 0,
        more: false,
        next: null as string | null,
      },
    })
    .extend(({ getList }) => ({
      second: getList.push.extend({
        schema: getList.schema.results.addWith(([first = [], ...keys], added) =>
          [first, added, keys].flat(),
        ),
      }),
      moveFirst: getList.push.extend({
        path: '/rows/:id',
        method: 'PATCH',
        schema: getList.schema.results.moveWith((keys, added) => [...added, ...keys]),
      }),
    }));
  const view = infinite(controller, Rows.getList);
  const data = () => readyData(view);
  const ids = (): string =>
    data()
      .items.map(({ id }) => id)
      .join('');
  const create = (how: How, id: string): Promise<unknown> =>
    how === 'moveFirst'
      ? controller.fetch(Rows.moveFirst, { id }, {})
      : controller.fetch(how === 'second' ? Rows.second : Rows.getList[how], { id });
  const loadAll = async (): Promise<void> => {
    for (let count = 0; data().hasNext; count += 1) {
      expect(count).toBeLessThan(20);
      await view.loadNext();
    }
  };
  return { controller, Rows, view, data, ids, create, loadAll, asked, rows: () => rows };
}

const stylesOf = (maxPages?: number) =>
  [
    ['offset, total', byOffset({ param: 'offset', total: 'total', maxPages })],
    ['offset, more', byOffset({ param: 'offset', more: 'more', maxPages })],
    ['offset', byOffset({ param: 'offset', maxPages })],
    ['page, total', byPage({ param: 'page', total: 'total', maxPages })],
    ['page, more', byPage({ param: 'page', more: 'more', maxPages })],
    ['page', byPage({ param: 'page', maxPages })],
  ] as const;
const styles = stylesOf();
const ways: readonly How[] = ['push', 'unshift', 'second', 'moveFirst'];

describe.each(styles)('a list by %s', (_, pagination) => {
  describe.each(ways)('created by %s', (how) => {
    // `Z` sorts to the start, `ee` behind the next page's first row, `z` to the end.
    it.each(['Z', 'bb', 'dd', 'ee', 'z'])('skips no row: %s', async (id) => {
      for (const count of [5, 8, 10, 16]) {
        const list = open(pagination, LETTERS.slice(0, count));
        await list.view.load();
        await list.create(how, id);
        await list.loadAll();
        expect([...list.data().items].map((row) => row.id).sort()).toEqual(list.rows());
      }
    });

    it('skips no row if the list of the server lacks the created row', async () => {
      const list = open(pagination, LETTERS, 'z');
      await list.view.load();
      await list.create(how, 'z');
      await list.loadAll();
      expect(list.ids()).toBe(LETTERS);
    });
  });

  it('skips no row after an undo of a delete', async () => {
    const list = open(pagination, LETTERS);
    await list.view.load();
    await list.view.loadNext();
    await list.controller.fetch(list.Rows.delete, { id: 'p' });
    await list.controller.fetch(list.Rows.delete, { id: 'b' });
    await list.create('unshift', 'p');
    await list.create('unshift', 'b');
    await list.loadAll();
    expect([...list.ids()].sort().join('')).toBe(LETTERS);
  });

  it('loads all pages again only once', async () => {
    for (const absent of ['', 'z']) {
      const list = open(pagination, LETTERS, absent);
      await list.view.load();
      await list.create('unshift', 'z');
      await list.loadAll();
      const pages = list.asked.length;
      expect(pages).toBeLessThanOrEqual(5 + 5 + 1);
      void list.view.loadNext();
      await list.view.loadNext();
      expect(list.asked).toHaveLength(pages);
    }
  });
});

it('loads no page again if the server has the created row at the start', async () => {
  for (const [style, pagination] of styles.filter(([name]) => name.endsWith('total'))) {
    const list = open(pagination, LETTERS);
    await list.view.load();
    await list.create('unshift', 'Z');
    await list.loadAll();
    expect(list.ids()).toBe(`Z${LETTERS}`);
    expect(list.asked).toEqual(
      style.startsWith('page')
        ? ['', 'page=2', 'page=3', 'page=4', 'page=5']
        : ['', 'offset=5', 'offset=9', 'offset=13'],
    );
  }
});

it.each(stylesOf(1))('`loadPrevious` skips no row: %s', async (_, pagination) => {
  for (const id of ['Z', 'bb', 'ff', 'z']) {
    const list = open(pagination, LETTERS.slice(0, 12));
    // As a mounted reader does.
    list.view.subscribe(() => {
      if (list.view.needsLoad(true)) void list.view.load();
    });
    await list.view.load();
    await list.view.loadNext();
    await list.create('unshift', id);
    const seen = new Set<string>();
    for (let count = 0; list.data().hasPrevious; count += 1) {
      expect(count).toBeLessThan(20);
      await list.view.loadPrevious();
      [...list.data().items].forEach((row) => seen.add(row.id));
    }
    expect([...'abcd'].filter((row) => !seen.has(row))).toEqual([]);
  }
});

it.each([...styles, ['cursor', byCursor({ param: 'cursor', next: 'next' })] as const])(
  'a refresh of the first page loses no created row: %s',
  async (_, pagination) => {
    for (const id of ['bb', 'ee', 'z']) {
      const list = open(pagination, LETTERS.slice(0, 12));
      // As a mounted reader does.
      list.view.subscribe(() => {
        if (list.view.needsLoad(true)) void list.view.load();
      });
      await list.view.load();
      await list.loadAll();
      await list.create('unshift', id);
      await list.view.refresh();
      await list.loadAll();
      expect([...list.ids()].sort()).toEqual([...list.rows().join('')].sort());
    }
  },
);
