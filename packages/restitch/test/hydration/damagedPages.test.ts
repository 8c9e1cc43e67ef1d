/** The pages of an infinite list are unknown if their marks in the state are damaged. Nothing throws. */
import { byCursor, byOffset, Collection, Controller, Entity, infinite, resource } from 'restitch';
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
    const start = Number(searchParams.get('cursor') ?? searchParams.get('offset') ?? 0);
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

function open(pagination: (typeof styles)[number]) {
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
