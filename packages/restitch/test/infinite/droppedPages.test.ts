/** By cursor and link with `maxPages`: pages that were dropped in front can be loaded again. */
import fc from 'fast-check';
import {
  byCursor,
  byLink,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  RestEndpoint,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

interface World {
  readonly pagination: Pagination;
  readonly rows: readonly number[];
  readonly size: number;
}

/** A server whose cursor is the last row of a page. It names no previous page. */
function open({ pagination, rows, size }: World) {
  const server = {
    rows,
    asked: [] as string[],
    previous: (_: string): string | null => null,
  };
  const reports: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/posts',
    send: (url: string) => {
      const cursor = new URL(url).searchParams.get('cursor') ?? '';
      server.asked.push(cursor);
      const all = server.rows.filter((id) => cursor === '' || !(id <= Number(cursor)));
      const page = all.slice(0, size);
      const next = all.length > size ? page.at(-1) : null;
      const headers: Record<string, string> =
        next === null ? {} : { link: `<http://x/posts?cursor=${next}>; rel="next"` };
      return Promise.resolve(
        Response.json(
          {
            results: page.map((id) => ({ id: String(id) })),
            next,
            previous: server.previous(cursor),
          },
          { headers },
        ),
      );
    },
    schema: { results: new Collection([Post]), next: '' },
    pagination,
  });
  const view = infinite(controller, getPosts);
  view.subscribe(() => {});
  const ids = (): number[] => readyData(view).items.map(({ id }) => Number(id));
  /** Loads to the start, and fills each gap first. */
  const toStart = async (): Promise<void> => {
    server.asked.length = 0;
    while (readyData(view).hasPrevious) {
      expect(server.asked.length).toBeLessThan(60);
      await view.loadPrevious();
      while (readyData(view).gapAfter !== undefined) {
        expect(server.asked.length).toBeLessThan(60);
        await view.loadNext();
      }
    }
  };
  const toEnd = async (): Promise<void> => {
    for (let turn = 0; readyData(view).hasNext; turn += 1) {
      expect(turn).toBeLessThan(60);
      await view.loadNext();
    }
  };
  return { server, reports, view, ids, toStart, toEnd };
}

const cursor = (maxPages?: number) => byCursor({ param: 'cursor', next: 'next', maxPages });
const styles = [
  ['cursor', cursor],
  ['link', (maxPages?: number) => byLink({ params: ['cursor'], maxPages })],
] as const;

describe.each(styles)('by %s', (_, style) => {
  it.each([1, 2, 3])('a row created at the start, with maxPages %d', async (maxPages) => {
    const pagination = style(maxPages);
    const { server, view, ids, toStart, toEnd } = open({
      pagination,
      rows: [1, 2, 3, 4, 5, 6],
      size: 2,
    });
    await view.load();
    await view.loadNext();
    server.rows = [0, ...server.rows];
    await view.refresh();
    await toEnd();
    await toStart();
    expect(ids()[0]).toBe(0);
    expect(readyData(view)).toMatchObject({ hasPrevious: false, previousError: undefined });
  });

  it('a deleted row of a dropped page, and a refresh of all pages', async () => {
    const pagination = style(1);
    const { server, view, ids } = open({ pagination, rows: [1, 2, 3, 4, 5], size: 4 });
    await view.load();
    await view.loadNext();
    server.rows = [1, 2, 4, 5];
    await view.loadPrevious();
    await view.refresh('loaded');
    expect(ids()).toEqual([5]);
    expect(readyData(view)).toMatchObject({ hasPrevious: true, firstIndex: 4 });
    await view.loadPrevious();
    expect(ids()).toEqual([1, 2, 4, 5]);
    expect(readyData(view)).toMatchObject({ hasPrevious: false, firstIndex: 1 });
  });

  it('any deleted rows, and a refresh of all pages', async () => {
    const small = fc.integer({ min: 1, max: 3 });
    const rows = Array.from({ length: 6 }, (__, at) => at + 1);
    const gone = fc.subarray(rows.slice(0, -1));
    await fc.assert(
      fc.asyncProperty(small, small, small, gone, async (size, maxPages, turns, removed) => {
        const { server, view, ids, toStart, toEnd } = open({
          pagination: style(maxPages),
          rows,
          size,
        });
        await view.load();
        await toEnd();
        server.rows = rows.filter((id) => !removed.includes(id));
        for (let turn = 0; turn < turns; turn += 1) await view.loadPrevious();
        await view.refresh('loaded');
        await toStart();
        expect(ids()[0]).toBe(server.rows[0]);
      }),
    );
  });

  it(
    'after any program, loading to the start ends with the first row',
    { tags: 'scale' },
    async () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('next', 'next', 'previous', 'first', 'loaded') },
        { weight: 1, arbitrary: fc.record({ create: fc.nat(60) }) },
        { weight: 1, arbitrary: fc.record({ remove: fc.nat(60) }) },
      );
      const size = fc.integer({ min: 1, max: 4 });
      const maxPages = fc.integer({ min: 1, max: 3 });
      await fc.assert(
        fc.asyncProperty(
          size,
          maxPages,
          fc.array(step, { maxLength: 20 }),
          async (rowCount, pages, steps) => {
            const rows = Array.from({ length: 9 }, (__, at) => 3 * at + 30);
            const world = open({ pagination: style(pages), rows, size: rowCount });
            const { server, view, ids, toStart, toEnd } = world;
            await view.load();
            for (const chosen of steps) {
              if (chosen === 'next') await view.loadNext();
              else if (chosen === 'previous') await view.loadPrevious();
              else if (chosen === 'first' || chosen === 'loaded') await view.refresh(chosen);
              else if (typeof chosen === 'object' && 'create' in chosen)
                server.rows = [...new Set([...server.rows, chosen.create])].sort((a, b) => a - b);
              else if (typeof chosen === 'object')
                server.rows = server.rows.filter((id) => id !== chosen.remove);
            }
            await toStart();
            await view.refresh();
            await toEnd();
            await toStart();
            await view.refresh('loaded');
            await toStart();
            expect(ids()[0]).toBe(server.rows[0]);
            expect(readyData(view)).toMatchObject({ hasPrevious: false, previousError: undefined });
          },
        ),
      );
    },
  );
});

it.each([
  ['itself', (asked: string) => asked || 'p'],
  ['a loaded page', (asked: string) => (asked === 'p' ? 'q' : 'p')],
])('a previous page that names %s as the previous one ends the list', async (_, previous) => {
  const pagination = byCursor({ param: 'cursor', next: 'next', previous: 'previous' });
  const { server, reports, view, ids } = open({ pagination, rows: [1, 2], size: 2 });
  server.previous = previous;
  await view.load();
  for (let turn = 0; readyData(view).hasPrevious; turn += 1) {
    expect(turn).toBeLessThan(3);
    await view.loadPrevious();
  }
  expect(ids()).toEqual([1, 2]);
  expect(reports).toMatchObject([{ code: 'page-repeats' }]);
  await view.refresh();
  await view.refresh('loaded');
  expect(readyData(view)).toMatchObject({ hasPrevious: false, previousError: undefined });
  expect(reports).toHaveLength(1);
});
