/** The pages of an infinite list are unknown if their marks in the state are damaged. Nothing throws. */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
  windowed,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

class Book extends Entity {
  id = 0;
  static override key = 'DamagedBook';
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.respond(({ url }) => {
    const { searchParams } = new URL(url, server.origin);
    const page = Number(searchParams.get('page') ?? 1);
    const start = Number(
      searchParams.get('cursor') ?? searchParams.get('offset') ?? (page - 1) * 2,
    );
    const results = [1, 2, 3, 4, 5].slice(start, start + 2).map((id) => ({ id }));
    return { results, next: start + 2 < 5 ? start + 2 : null, total: 5 };
  });
});
afterAll(() => server.close());

const styles = [
  byCursor({ param: 'cursor', next: 'next', total: 'total' }),
  byOffset({ param: 'offset', total: 'total' }),
];
const fields = [
  'ask',
  'next',
  'previous',
  'more',
  'limit',
  'skew',
  'unsure',
  'over',
  'gap',
  'repeats',
  'idle',
  'isFront',
  'read',
  'from',
  'dropped',
];
const damages: unknown[] = [undefined, -1, 'text', [null]];
/** Numbers that no list contains. */
const huge = [1e9, 1e15, -1e15, 1e-9];

function open(pagination: Pagination) {
  const Books = resource({
    urlPrefix: server.origin,
    path: '/books/:id',
    schema: Book,
    pagination,
  }).extend('getList', {
    schema: { results: new Collection([Book]), next: null as number | null, total: 0 },
  });
  const reports: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
  return { Books, controller, reports };
}

describe.each(styles)('$param', (style) => {
  it.each(fields)('without %s, or with another value, all rows are still loaded', async (field) => {
    const source = open(style);
    const first = infinite(source.controller, source.Books.getList);
    await first.load();
    await first.loadNext();
    const text = JSON.stringify(getState(source.controller));
    for (const mark of [0, 1]) {
      for (const damage of damages) {
        const state = JSON.parse(text);
        const [table] = Object.values<any>(state.lists);
        table[0].listing.marks[mark][field] = damage;
        const { Books, controller, reports } = open(style);
        hydrate(controller, state);
        const view = infinite(controller, Books.getList);
        const ids = (): unknown => {
          const snapshot = view.getSnapshot();
          return snapshot.status === 'ready' && snapshot.data.items.map(({ id }) => id);
        };
        expect(ids()).toEqual([1, 2, 3, 4]);
        await view.refresh('loaded');
        for (let page = 0; page < 4; page += 1) await view.loadNext();
        expect(ids()).toEqual([1, 2, 3, 4, 5]);
        expect(reports).toEqual([]);
        controller.dispose();
      }
    }
  });
});

const numbered = [
  ...styles,
  byPage({ param: 'page', total: 'total' }),
  byPage({ param: 'page', more: 'next' }),
];
describe.each(numbered)('a huge number in a mark, %o', (style) => {
  it.each(['end', 'limit', 'skew', 'lack', 'unlisted', 'over', 'idle', 'from'])(
    '%s loads no more pages than the server has',
    async (field) => {
      const source = open(style);
      const first = infinite(source.controller, source.Books.getList);
      await first.load();
      await first.loadNext();
      const text = JSON.stringify(getState(source.controller));
      for (const at of [[0], [1], [0, 1]]) {
        for (const damage of huge) {
          const state = JSON.parse(text);
          const [table] = Object.values<any>(state.lists);
          for (const mark of at) table[0].listing.marks[mark][field] = damage;
          const { Books, controller } = open(style);
          hydrate(controller, state);
          server.seen.splice(0);
          const view = infinite(controller, Books.getList);
          await view.refresh('loaded');
          await view.loadNext();
          await view.refresh('loaded');
          expect(server.seen.length).toBeLessThan(20);
          controller.dispose();
        }
      }
    },
  );
});

it.each(['end', 'limit', 'skew', 'over', 'empty'])(
  'a huge number as %s of a windowed list takes no time',
  async (field) => {
    const source = open(byOffset({ param: 'offset', total: 'total' }));
    const first = windowed(source.controller, source.Books.getList);
    first.subscribe(() => {});
    first.open({ start: 0, end: 2 });
    await first.refresh();
    const text = JSON.stringify(getState(source.controller));
    for (const damage of huge) {
      const state = JSON.parse(text);
      const [table] = Object.values<any>(state.lists);
      for (const mark of table[0].listing.marks) mark[field] = damage;
      const { Books, controller } = open(byOffset({ param: 'offset', total: 'total' }));
      hydrate(controller, state);
      server.seen.splice(0);
      const view = windowed(controller, Books.getList);
      const stop = view.subscribe(() => {});
      const range = view.open({ start: 0, end: 5 });
      await view.refresh();
      expect(server.seen.length).toBeLessThan(20);
      range.close();
      stop();
      controller.dispose();
    }
  },
);
