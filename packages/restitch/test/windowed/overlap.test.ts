/** Requests of pages that overlap with deletes, each at its time. */
import { byOffset, Collection, Controller, Entity, resource, undoable, windowed } from 'restitch';
import { expect, it } from 'vitest';
import { PagingWorld } from '../infinite/pagingWorld.js';
import { Clock, settle } from '../support/clock.js';

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

/** A server that needs 15 milliseconds for a page of four rows, and 30 for a delete. */
function open() {
  const clock = new Clock();
  let ids = Array.from({ length: 12 }, (_, index) => String(index));
  const send = async (input: string, { method = 'GET' }: RequestInit): Promise<Response> => {
    const url = new URL(input);
    if (method === 'DELETE') ids = ids.filter((id) => url.pathname !== `/posts/${id}`);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const results = ids.slice(offset, offset + 4).map((id) => ({ id }));
    const body = method === 'DELETE' ? {} : { results, total: ids.length };
    const milliseconds = method === 'DELETE' ? 30 : 15;
    await new Promise<void>((resolve) => clock.environment.setTimeout(resolve, milliseconds));
    return Response.json(body);
  };
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    optimistic: true,
    send,
    pagination: byOffset({ param: 'offset', total: 'total' }),
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const controller = new Controller({ environment: clock.environment });
  const view = windowed(controller, Posts.getList);
  view.subscribe(() => {});
  const shown = (): string => {
    const snapshot = view.getSnapshot();
    if (snapshot.status !== 'ready') return snapshot.status;
    const { data } = snapshot;
    return Array.from({ length: data.length }, (_, index) => data.at(index)?.id ?? '_').join(' ');
  };
  return { clock, controller, Posts, view, shown };
}

it.each([0, 10, 20, 35])(
  'no row stands where another belongs after a page arrived between two deletes, %s milliseconds apart',
  async (gap) => {
    const { clock, controller, Posts, view, shown } = open();
    const range = view.open({ start: 0, end: 4 });
    await clock.pass(80);
    const later = controller.fetch(undoable(Posts.delete, 40), { id: '0' });
    await clock.pass(gap);
    const remove = controller.fetch(Posts.delete, { id: '1' });
    await clock.pass(10);
    range.move({ start: 7, end: 11 });
    await clock.pass(200);
    await Promise.all([later, remove]);
    expect(shown()).toBe('_ _ _ _ 6 7 8 9 10 11');
    range.move({ start: 2, end: 3 });
    await clock.pass(100);
    expect(shown()).toBe('2 3 4 5 6 7 8 9 10 11');
    range.close();
  },
);

function openWorld(count: number, size: number) {
  const world = new PagingWorld({ style: 'offset', size, hasTotal: true }, count);
  const Posts = resource({
    urlPrefix: 'http://x',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { limit?: number },
    nonFilterArgumentKeys: ['limit'],
    send: world.send,
    pagination: byOffset({ param: 'offset', limit: 'limit', total: 'total' }),
  }).extend('getList', { schema: { results: new Collection([Post]), total: 0 } });
  const controller = new Controller();
  const view = windowed(controller, Posts.getList, { limit: size });
  view.subscribe(() => {});
  const idAt = (index: number): string | undefined => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data.at(index)?.id : snapshot.status;
  };
  return { world, controller, Posts, view, idAt };
}

it('the late response to a page that the range has left stores no row from before a create', async () => {
  const { world, controller, Posts, view, idAt } = openWorld(5, 1);
  const range = view.open({ start: 0, end: 1 });
  await settle();
  world.read('GET /posts?limit=1');
  range.move({ start: 4, end: 5 });
  await settle();
  const create = controller.fetch(Posts.getList.unshift, { limit: 1 }, { id: '' });
  await settle();
  world.answer('POST /posts?limit=1');
  await create;
  for (const label of ['GET /posts?limit=1&offset=4', 'GET /posts?limit=1']) {
    await settle();
    world.answer(label);
  }
  await world.quiet();
  expect(idAt(4)).toBe(world.rows[4]?.id);
  expect(idAt(0)).toBeUndefined();
  range.close();
});

it('the invalidation of the first page also renews the further pages in flight', async () => {
  const { world, controller, Posts, view, idAt } = openWorld(6, 2);
  const range = view.open({ start: 0, end: 4 });
  await world.quiet();
  controller.expireAll(Posts.getList);
  await settle();
  const labels = ['GET /posts?limit=2', 'GET /posts?limit=2&offset=2'];
  labels.forEach((label) => world.read(label));
  world.delete('1');
  const { sent } = world;
  void controller.invalidate(Posts.getList, { limit: 2 });
  await settle();
  expect(world.sent).toBe(sent + 2);
  await world.quiet();
  expect(world.sent).toBe(sent + 2);
  expect([0, 1, 2, 3].map(idAt)).toEqual(['2', '3', '4', '5']);
  range.close();
});

it('a refresh during a create drops all pages without a range when the create has failed', async () => {
  const { world, controller, Posts, view, idAt } = openWorld(4, 2);
  const before = view.open({ start: 0, end: 2 });
  await world.quiet();
  const create = controller.fetch(Posts.getList.unshift, { limit: 2 }, { id: '' });
  create.catch(() => {});
  await settle();
  before.close();
  world.delete('1');
  await view.refresh();
  const range = view.open({ start: 0, end: 2 });
  for (const request of world.pending) request.said = () => new Response(null, { status: 500 });
  await world.quiet();
  expect([0, 1].map(idAt)).toEqual(['2', '3']);
  range.close();
});

it.each([0, 4])('an empty range at %i keeps the length of the server', async (start) => {
  const { clock, controller, Posts, view } = open();
  const remove = controller.fetch(Posts.delete, { id: '1' });
  const range = view.open({ start, end: start });
  await clock.pass(80);
  await remove;
  await clock.pass(80);
  const length = (): number | undefined => {
    const snapshot = view.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data.length : undefined;
  };
  expect(length()).toBe(11);
  const other = controller.fetch(Posts.delete, { id: '11' });
  await clock.pass(80);
  await other;
  await clock.pass(80);
  expect(length()).toBe(10);
  range.close();
});
