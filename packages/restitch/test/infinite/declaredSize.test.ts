/** The page size of a request, if the arguments that identify the list leave the size out. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
  RestEndpoint,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Comment extends Entity {
  id = '';
}

const SIZE = 3;
interface Search {
  readonly size?: number;
}

function open(pagination: Pagination, searchParams: Search, letters: string) {
  let rows = [...letters];
  let release: (() => void) | undefined;
  const asked: string[] = [];
  const recordsOf = (ids: readonly string[]) => ids.map((id) => ({ id }));
  const send = async (input: string, { method }: RequestInit): Promise<Response> => {
    const { pathname, search, searchParams: query } = new URL(input);
    if (method === 'POST') {
      rows = ['n', ...rows];
      await new Promise<void>((resolve) => (release = resolve));
      return Response.json({ id: 'n' });
    }
    if (pathname === '/top') return Response.json(recordsOf(rows.slice(0, SIZE)));
    asked.push(search.slice(1));
    const page = Number(query.get('page') ?? 1) - 1;
    const start = Number(query.get('offset') ?? page * SIZE);
    const results = recordsOf(rows.slice(start, start + SIZE));
    return Response.json({ results, total: rows.length });
  };
  const comments = new Collection([Comment], { name: 'sized', argsKey: () => ({}) });
  const shared = { urlPrefix: 'http://x', send };
  const Comments = resource({
    ...shared,
    path: '/comments/:id',
    schema: Comment,
    optimistic: true,
    searchParams,
    pagination,
  }).extend('getList', { schema: { results: comments, total: 0 } });
  const getTop = new RestEndpoint({ ...shared, path: '/top', schema: comments });
  const controller = new Controller();
  /** The response of another endpoint of the list overlaps a create. */
  const create = async (): Promise<void> => {
    const created = controller.fetch(Comments.getList.unshift, {}, { id: 'n' });
    await expect.poll(() => release).toBeDefined();
    await controller.fetch(getTop);
    release?.();
    await created;
  };
  return { controller, Comments, asked, create, rows: () => rows };
}

const declared: Search = { size: SIZE };
const ways = [
  ['declared', declared, {}],
  ['passed', {} as Search, declared],
] as const;
const styles: readonly [string, (total?: string) => Pagination][] = [
  ['number', (total) => byPage({ param: 'page', size: 'size', total })],
  ['offset', (total) => byOffset({ param: 'offset', limit: 'size', total })],
];

describe.each(styles)('pages by %s', (_, style) => {
  it.each(ways)(
    'a list that is shorter than the %s size has no next page',
    async (__, how, args) => {
      const { controller, Comments, create, rows } = open(style(), how, 'ab');
      const view = infinite(controller, Comments.getList, args);
      view.subscribe(() => {
        if (view.needsLoad(true)) void view.load();
      });
      const ids = () => readyData(view).items.map(({ id }) => id);
      await view.load();
      expect(readyData(view)).toMatchObject({ hasNext: false });
      await create();
      while (readyData(view).hasNext) await view.loadNext();
      expect(ids()).toEqual(rows());
    },
  );

  it.each(ways)('a windowed list has the %s size', async (__, how, args) => {
    const { controller, Comments, asked } = open(style('total'), how, 'abcdefgh');
    const view = windowed(controller, Comments.getList, args);
    view.subscribe(() => {});
    const range = view.open({ start: 6, end: 8 });
    await expect.poll(() => readyData(view).at(7)?.id).toBe('h');
    expect(readyData(view).at(6)?.id).toBe('g');
    expect(asked).toHaveLength(1);
    range.close();
  });
});
