/**
 * An infinite list is expired, and another endpoint sends its first rows before the first page
 * arrives. For example, a ticket contains its first comments.
 */
import {
  byCursor,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  expireWhere,
  infinite,
  type Pagination,
  resource,
  RestEndpoint,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Comment extends Entity {
  id = '';
  text = '';
  static override key = 'ExpiredComment';
}
const comments = new Collection([Comment], {
  name: 'comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  version = 0;
  comments: Comment[] = [];
  static override key = 'ExpiredTicket';
  static override schema = { comments };
  static override shouldUpdate(
    _existing: unknown,
    _incoming: unknown,
    before: { readonly version?: number },
    now: { readonly version?: number },
  ): boolean {
    return (now.version ?? 0) >= (before.version ?? 0);
  }
}

const SIZE = 2;
const PATH = '/tickets/1/comments';

function openServer(pagination: Pagination) {
  const texts = new Map([...'123456'].map((id) => [id, 'old']));
  const server = { texts, asked: [] as string[], version: 1, held: new Map<string, () => void>() };
  let isHolding = false;
  const rows = () => [...texts].map(([id, text]) => ({ id, text }));
  const ticket = () => ({ id: '1', version: server.version, comments: rows().slice(0, 3) });
  const page = (query: URLSearchParams): object => {
    const number = Number(query.get('page') ?? 1) - 1;
    const at = Number(query.get('offset') ?? query.get('cursor') ?? number * SIZE);
    const next = at + SIZE < texts.size ? `${at + SIZE}` : null;
    return { comments: rows().slice(at, at + SIZE), total: texts.size, next };
  };
  const send = (input: string, { method }: RequestInit): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(input);
    server.asked.push(pathname + search);
    if (method === 'POST' && pathname.startsWith('/comments')) {
      const marked = pathname.split('/')[2];
      texts.forEach((_, id) => (marked === 'all' || marked === id) && texts.set(id, 'new'));
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const body =
      pathname === PATH
        ? page(searchParams)
        : pathname === '/tickets'
          ? [ticket()]
          : pathname.endsWith('/top')
            ? ticket().comments
            : ticket();
    return new Promise((resolve) => {
      const arrive = (): void => resolve(Response.json(body));
      if (isHolding && search === '') server.held.set(pathname, arrive);
      else arrive();
    });
  };
  const shared = { urlPrefix: 'http://x', send };
  const Tickets = resource({ ...shared, path: '/tickets/:id', schema: Ticket });
  const Comments = resource({
    ...shared,
    path: '/tickets/:ticket/comments/:id',
    schema: Comment,
    pagination,
  }).extend('getList', { schema: { comments, next: null as string | null, total: 0 } });
  const post = { ...shared, method: 'POST', body: undefined, schema: Comment } as const;
  const mark = new RestEndpoint({ ...post, path: '/comments/:id/mark' });
  const markAll = new RestEndpoint({ ...post, path: '/comments/all/mark' });
  const top = { ...shared, path: '/tickets/:ticket/top', schema: comments } as const;
  const getTop = new RestEndpoint(top);
  const sort = new RestEndpoint({ ...top, method: 'POST', body: undefined });
  const hold = (holds: boolean): void => void (isHolding = holds);
  return { server, hold, Tickets, Comments, mark, markAll, getTop, sort };
}

type World = ReturnType<typeof openServer>;

function mount(controller: Controller, { Comments }: World) {
  const view = infinite(controller, Comments.getList, { ticket: '1' });
  const stop = view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  if (view.needsLoad()) void view.load();
  const texts = (): string[] => readyData(view).items.map(({ id, text }) => id + text);
  return { view, stop, texts };
}

const styles: [string, Pagination][] = [
  ['page', byPage({ param: 'page', total: 'total' })],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
  ['cursor', byCursor({ param: 'cursor', next: 'next' })],
];

const causes = {
  'an action for a row of the second page': (controller, { mark }) =>
    controller.fetch(mark, { id: '4' }),
  'an action for any rows': (controller, { markAll }) => controller.fetch(markAll),
  expireAll: async (controller, { server, Comments }) => {
    server.texts.forEach((_, id) => server.texts.set(id, 'new'));
    controller.expireAll(Comments.getList);
  },
  expireWhere: async (controller, { server }) => {
    server.texts.forEach((_, id) => server.texts.set(id, 'new'));
    void expireWhere(controller, { entity: Comment });
  },
} satisfies Record<string, (controller: Controller, world: World) => Promise<unknown>>;

const ways = {
  'a record': (controller, { Tickets }) => controller.fetch(Tickets.get, { id: '1' }),
  'a list of records': (controller, { Tickets }) => controller.fetch(Tickets.getList),
  'an edit of the record': (controller, { Tickets }) =>
    controller.fetch(Tickets.partialUpdate, { id: '1' }, {}),
  'an older record': (controller, { server, Tickets }) => {
    server.version = 0;
    return controller.fetch(Tickets.get, { id: '1' });
  },
  'a list': (controller, { getTop }) => controller.fetch(getTop, { ticket: '1' }),
  'a mutation': (controller, { sort }) => controller.fetch(sort, { ticket: '1' }),
  'a failed prediction': async (controller, { sort }) => {
    const failing = sort.extend({
      send: () => Promise.reject(new Error('offline')),
      getOptimisticResponse: () => [{ id: '1' }, { id: '2' }],
    });
    await controller.fetch(failing, { ticket: '1' }).catch(() => {});
  },
} satisfies Record<string, (controller: Controller, world: World) => Promise<unknown>>;

type Cause = keyof typeof causes;
type Way = keyof typeof ways;
const allCauses = Object.keys(causes) as Cause[];
const allWays = Object.keys(ways) as Way[];

/** Two pages are loaded. */
async function open(pagination: Pagination) {
  const world = openServer(pagination);
  const controller = new Controller();
  await controller.fetch(world.Tickets.get, { id: '1' });
  const list = mount(controller, world);
  await list.view.load();
  await list.view.loadNext();
  world.server.asked.length = 0;
  return { ...world, world, controller, ...list };
}

const pagesOf = ({ server }: World): number =>
  server.asked.filter((url) => url.startsWith(PATH)).length;

const expected = ({ server }: World): string[] =>
  [...server.texts].slice(0, 4).map(([id, text]) => id + text);

describe.each(styles)('an expired infinite list by %s', (_, pagination) => {
  describe.each(allCauses)('after %s', (cause) => {
    it.each(allWays)('loads its further page if %s arrives before the first page', async (way) => {
      const { world, hold, server, controller, texts } = await open(pagination);
      hold(true);
      await causes[cause](controller, world);
      await settle();
      const arrive = server.held.get(PATH);
      server.held.clear();
      hold(false);
      await ways[way](controller, world);
      arrive?.();
      await settle();
      expect(texts()).toEqual(expected(world));
      expect(pagesOf(world)).toBe(2);
    });

    it.each(allWays)('loads its further page when it mounts after %s', async (way) => {
      const { world, controller, stop } = await open(pagination);
      stop();
      await causes[cause](controller, world);
      await ways[way](controller, world);
      const { texts } = mount(controller, world);
      await settle();
      expect(texts()).toEqual(expected(world));
    });

    it.each(allWays)('loads its further page if it is hydrated after %s', async (way) => {
      const { world, controller, stop } = await open(pagination);
      stop();
      await causes[cause](controller, world);
      await ways[way](controller, world);
      const next = new Controller();
      hydrate(next, JSON.parse(JSON.stringify(getState(controller))));
      const { texts } = mount(next, world);
      await settle();
      expect(texts()).toEqual(expected(world));
    });

    it.each(allWays)('loads its further page if it was hydrated before %s', async (way) => {
      const { world, controller, stop } = await open(pagination);
      stop();
      await causes[cause](controller, world);
      const next = new Controller();
      hydrate(next, JSON.parse(JSON.stringify(getState(controller))));
      await ways[way](next, world);
      const { texts } = mount(next, world);
      await settle();
      expect(texts()).toEqual(expected(world));
    });
  });

  it.each(allWays)('that is fresh loads no page after %s', async (way) => {
    const { world, controller, texts } = await open(pagination);
    await ways[way](controller, world);
    await settle();
    expect(texts()).toEqual(expected(world));
    expect(pagesOf(world)).toBe(0);
  });
});
