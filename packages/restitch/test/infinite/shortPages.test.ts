/** Page numbers and offsets with short or empty pages in the middle, and with wrong totals. */
import {
  byOffset,
  byPage,
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
  readonly args?: { readonly size: number };
  /** The ids of the rows of each page, one letter each. */
  readonly pages: readonly string[];
  readonly total?: number;
  readonly more?: (page: number) => boolean;
}

function open({ pagination, args = { size: 0 }, pages, total, more }: World) {
  const asked: string[] = [];
  const reports: unknown[] = [];
  const server = { pages };
  const controller = new Controller({ environment: { report: (error) => reports.push(error) } });
  const rowsOf = (text: string) => text.split('').map((id) => ({ id }));
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://host',
    path: '/posts',
    searchParams: {} as { size?: number },
    send: (url: string) => {
      const query = new URL(url).searchParams;
      asked.push(query.get('page') ?? query.get('offset') ?? '');
      const page = Number(query.get('page') ?? 1);
      const offset = Number(query.get('offset') ?? 0);
      const rows = query.has('offset')
        ? server.pages.join('').slice(offset, offset + 2)
        : undefined;
      return Promise.resolve(
        Response.json({
          results: rowsOf(rows ?? server.pages[page - 1] ?? ''),
          total,
          more: more?.(page),
        }),
      );
    },
    schema: { results: new Collection([Post]), total: 0 },
    pagination,
  });
  const view = infinite(controller, getPosts, args.size > 0 ? args : {});
  view.subscribe(() => {});
  const ids = (): string =>
    readyData(view)
      .items.map(({ id }) => id)
      .join('');
  /** Does what the component of the guide does. Returns the number of requests. */
  const scroll = async (): Promise<number> => {
    asked.length = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const { hasNext, nextError } = readyData(view);
      if (!hasNext || nextError) return asked.length;
      await view.loadNext();
    }
    throw new Error(`Loading does not end: ${asked.join(' ')}`);
  };
  return { asked, reports, server, controller, getPosts, view, ids, scroll };
}

const sized = byPage({ param: 'page', size: 'size', total: 'total' });
const counted = byPage({ param: 'page', total: 'total' });
const flagged = byPage({ param: 'page', more: 'more' });
const offset = byOffset({ param: 'offset', total: 'total' });

const args = { size: 2 };
const cases: Readonly<Record<string, World & { readonly requests: number }>> = {
  'a size and a total of the visible rows': {
    pagination: sized,
    args,
    pages: ['ab', 'c', 'ef', 'gh'],
    total: 7,
    requests: 4,
  },
  'two short pages and a total of the visible rows': {
    pagination: sized,
    args,
    pages: ['ab', 'c', 'e', 'gh', 'i'],
    total: 7,
    requests: 5,
  },
  'short pages and a total of all rows': {
    pagination: sized,
    args,
    pages: ['ab', 'c', 'e', 'gh'],
    total: 8,
    requests: 4,
  },
  'short pages and no size': {
    pagination: counted,
    pages: ['ab', 'c', 'ef', 'gh', 'i'],
    total: 9,
    requests: 5,
  },
  'pages that are all shorter than the size': {
    pagination: sized,
    args: { size: 100 },
    pages: ['ab', 'cd', 'ef', 'g'],
    total: 7,
    requests: 4,
  },
  'a size below 1, which is no size': {
    pagination: sized,
    args: { size: 0.5 },
    pages: ['ab', 'cd', 'ef', 'gh'],
    total: 8,
    requests: 3,
  },
  'a short first page and no size': {
    pagination: counted,
    pages: ['ab', 'def', 'gh'],
    total: 8,
    requests: 3,
  },
  'a short page and `more`': {
    pagination: flagged,
    pages: ['ab', 'c', 'ef', 'gh'],
    more: (page) => page < 4,
    requests: 3,
  },
  'a short first page and `more`': {
    pagination: flagged,
    pages: ['a', 'cd', 'ef', 'gh'],
    more: (page) => page < 4,
    requests: 3,
  },
  'an empty page and `more`': {
    pagination: flagged,
    pages: ['ab', '', '', 'gh'],
    more: (page) => page < 4,
    requests: 3,
  },
  'a total that is too large and a short last page': {
    pagination: counted,
    pages: ['ab', 'cd', 'e'],
    total: 9,
    requests: 3,
  },
  'a total that is too large and full pages': {
    pagination: sized,
    args,
    pages: ['ab', 'cd'],
    total: 9,
    requests: 2,
  },
  'offsets and a total that is too large': {
    pagination: offset,
    pages: ['abcde'],
    total: 9,
    requests: 3,
  },
};

describe.each(Object.entries(cases))('%s', (_, world) => {
  it('all rows are loaded, and loading ends', async () => {
    const { view, ids, scroll, reports } = open(world);
    await view.load();
    // An empty page may have to confirm the end.
    expect(await scroll()).toBeLessThanOrEqual(world.requests);
    expect(ids()).toBe(world.pages.join('').slice(0));
    expect(readyData(view)).toMatchObject({ hasNext: false, nextError: undefined });
    expect(reports).toEqual([]);
  });

  it('a refresh in the middle loses no row', async () => {
    const { view, ids, scroll } = open(world);
    await view.load();
    await view.loadNext();
    await view.refresh();
    await view.loadNext();
    await view.refresh('loaded');
    await scroll();
    expect(ids()).toBe(world.pages.join(''));
    await view.refresh('loaded');
    await view.refresh();
    await scroll();
    expect(ids()).toBe(world.pages.join(''));
  });
});

it.each([
  ['page numbers', flagged],
  ['offsets', byOffset({ param: 'offset', more: 'more' })],
])('empty pages without end, by %s, end with `page-repeats`', async (_, pagination) => {
  const { view, ids, scroll, reports } = open({ pagination, pages: ['ab'], more: () => true });
  await view.load();
  await scroll();
  expect(ids()).toBe('ab');
  expect(readyData(view).hasNext).toBe(false);
  expect(reports).toMatchObject([{ code: 'page-repeats' }]);
});

it('after a delete, a full page is loaded again, and a short page is too', async () => {
  const { view, ids, scroll, server, controller, getPosts, asked } = open({
    pagination: sized,
    args,
    pages: ['ab', 'c', 'ef', 'gh'],
    total: 7,
  });
  await view.load();
  await view.loadNext();
  const deletion = new RestEndpoint({
    urlPrefix: 'http://host',
    path: '/posts/:id',
    method: 'DELETE',
    schema: getPosts.schema.results.remove,
    send: () => {
      server.pages = ['bc', 'e', 'fg', 'h'];
      return Promise.resolve(Response.json({ id: 'a' }));
    },
  });
  await controller.fetch(deletion, { id: 'a' });
  expect(ids()).toBe('bc');
  await scroll();
  expect(asked[0]).toBe('2');
  expect(ids()).toBe('bcefgh');
});
