/** Updates whose responses leave out fields that were sent: the server confirmed them. */
import { Collection, Controller, Entity, resource, RestEndpoint, Union } from 'restitch';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Visit extends Entity {
  id = '';
  day = '';
  count = 0;
  updatedAt = '';
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});

const visits = (optimistic: boolean) =>
  resource({
    urlPrefix: server.origin,
    path: '/visits/:id',
    schema: Visit,
    searchParams: {} as { day?: string },
    optimistic,
  });

const before = { id: '1', day: 'monday', count: 1, updatedAt: 'a' };
const after = { id: '1', day: 'tuesday', count: 1 };

describe.each([false, true])('an update, optimistic: %s,', (optimistic) => {
  describe.each(['update', 'partialUpdate'] as const)('an update by %s', (name) => {
    it('keeps a field that was sent and that the response leaves out', async () => {
      const Visits = visits(optimistic);
      controller.set(Visit, { id: '1' }, before);
      server.respond(() => ({ id: '1', updatedAt: 'b' }));
      const value = await controller.fetch(Visits[name], { id: '1' }, { day: 'tuesday' });
      expect(value).toMatchObject({ ...after, updatedAt: 'b' });
      expect(controller.get(Visit, { id: '1' })).toMatchObject({ ...after, updatedAt: 'b' });
    });

    it('takes the value of the response over the one that was sent', async () => {
      const Visits = visits(optimistic);
      controller.set(Visit, { id: '1' }, before);
      server.respond(() => ({ id: '1', day: 'wednesday' }));
      await controller.fetch(Visits[name], { id: '1' }, { day: 'tuesday' });
      expect(controller.get(Visit, { id: '1' })?.day).toBe('wednesday');
    });

    it('that gets a 204 is confirmed, and resolves to the record', async () => {
      const Visits = visits(optimistic);
      controller.set(Visit, { id: '1' }, before);
      server.respond((_, response) => {
        response.writeHead(204).end();
        return undefined;
      });
      await controller.fetch(Visits[name], { id: '1' }, { day: 'tuesday' });
      expect(controller.get(Visit, { id: '1' })).toMatchObject({ ...after, updatedAt: 'a' });
    });
  });

  it('that gets a 204 before the record is known is not hidden by an older read', async () => {
    const Visits = visits(optimistic);
    let reading: ServerResponse | undefined;
    server.respond((request, response) => {
      if (request.method === 'GET') reading = response;
      else response.writeHead(204).end();
      return undefined;
    });
    const read = controller.fetch(Visits.get, { id: 1 });
    await vi.waitFor(() => expect(reading).toBeDefined());
    await controller.fetch(Visits.partialUpdate, { id: 1 }, { day: 'tuesday' });
    expect(controller.get(Visit, { id: 1 })).toBeUndefined();
    reading
      ?.setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ...before, id: 1 }));
    expect(await read).toMatchObject({ ...after, id: 1, updatedAt: 'a' });
    expect(controller.getResponse(Visits.get, { id: 1 })?.day).toBe('tuesday');
  });

  it('that moves a record leaves its list, though the response lacks the field', async () => {
    const Visits = visits(optimistic);
    controller.setResponse(Visits.getList, { day: 'monday' }, [before]);
    controller.setResponse(Visits.getList, { day: 'tuesday' }, []);
    for (const [day, other] of [
      ['tuesday', 'monday'],
      ['monday', 'tuesday'],
    ] as const) {
      server.respond(() => ({ id: '1', updatedAt: day }));
      await controller.fetch(Visits.getList.move, { id: '1' }, { day });
      const ids = (list: string) =>
        controller.getResponse(Visits.getList, { day: list })?.map(({ id }) => id);
      expect([ids(day), ids(other)]).toEqual([['1'], []]);
    }
  });
});

it('an update of a record that is not known writes nothing when it gets a 204', async () => {
  const Visits = visits(false);
  server.respond((_, response) => {
    response.writeHead(204).end();
    return undefined;
  });
  await controller.fetch(Visits.partialUpdate, { id: '1' }, { day: 'tuesday' });
  expect(controller.get(Visit, { id: '1' })).toBeUndefined();
});

it.each([
  ['alone', { data: Visit }],
  ['with other fields', { data: Visit, meta: { version: 0 } }],
])('an update inside an envelope %s keeps what was sent', async (_, schema) => {
  const update = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/visits/:id',
    method: 'PATCH',
    schema,
    body: {} as { day: string },
  });
  controller.set(Visit, { id: '1' }, before);
  server.respond(() => ({ data: { id: '1' } }));
  await controller.fetch(update, { id: '1' }, { day: 'tuesday' });
  expect(controller.get(Visit, { id: '1' })?.day).toBe('tuesday');
});

it('an update that gets a 204 confirms the fields of a record with a key of two fields', async () => {
  class Seat extends Entity {
    row = '';
    place = '';
    taken = false;
    override pk(): string {
      return `${this.row}/${this.place}`;
    }
  }
  const getSeat = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/seats/:row/:place',
    schema: Seat,
  });
  const take = getSeat.extend({ method: 'PATCH', body: {} as { taken: boolean } });
  const seat = { row: 'a', place: '1' };
  server.respond(() => ({ ...seat, taken: false }));
  await controller.fetch(getSeat, seat);
  server.respond((_, response) => void response.writeHead(204).end());
  await controller.fetch(take, seat, { taken: true });
  expect(controller.get(Seat, seat)).toEqual({ ...seat, taken: true });
});

it('a POST is no update: its body is about what it starts', async () => {
  const start = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/visits/:id/start',
    method: 'POST',
    schema: Visit,
    body: {} as { count: number },
  });
  controller.set(Visit, { id: '1' }, before);
  server.respond(() => ({ id: '1', updatedAt: 'b' }));
  await controller.fetch(start, { id: '1' }, { count: 9 });
  expect(controller.get(Visit, { id: '1' })).toMatchObject({ count: 1, updatedAt: 'b' });
});

it.each([
  ['/me', true],
  ['/teams/:team/visits/:id', true],
  ['/visits/:id?lang=en', true],
  ['/visits/:id/room', false],
])('a PATCH of %s is about the record: %s', async (path, isOfRecord) => {
  const update = new RestEndpoint({
    urlPrefix: server.origin,
    path,
    method: 'PATCH',
    schema: Visit,
    body: {} as { day: string },
  });
  controller.set(Visit, { id: '1' }, before);
  server.respond(() => ({ id: '1' }));
  // The cast: the paths have different parameters.
  await controller.fetch(update as RestEndpoint, { id: '1', team: '2' }, { day: 'tuesday' });
  expect(controller.get(Visit, { id: '1' })?.day).toBe(isOfRecord ? 'tuesday' : 'monday');
});

it('fields that were sent and that no class declares are not stored', async () => {
  const Visits = visits(false);
  controller.set(Visit, { id: '1' }, before);
  server.respond(() => ({ id: '1' }));
  await controller.fetch(Visits.partialUpdate, { id: '1' }, { notify: true } as object);
  expect(controller.get(Visit, { id: '1' })).not.toHaveProperty('notify');
});

describe('an array as an argument of a list', () => {
  class Post extends Entity {
    id = '';
    tags: string[] = [];
    role = '';
  }
  const posts = new Collection([Post]);
  const list = () =>
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/posts',
      schema: posts,
      searchParams: {} as { tags?: string | string[]; role?: string | string[] },
    });
  const ids = (getList: ReturnType<typeof list>, args?: object) =>
    controller.getResponse(getList, args as never)?.map(({ id }) => id);

  it.each([
    [['a'], ['a'], true],
    [['a'], ['a', 'c'], true],
    [['a'], ['c'], false],
    [['a', 'b'], ['a', 'b', 'c'], true],
    // A server may ask for any or for all of them.
    [['a', 'b'], ['a'], false],
    [['a', 'b'], ['c'], false],
  ])('%j takes a record with %j: %s', async (wanted, tags, isTaken) => {
    const getList = list();
    controller.setResponse(getList, { tags: wanted }, []);
    server.respond(() => ({ id: '1', tags }));
    await controller.fetch(getList.push, { tags });
    expect(ids(getList, { tags: wanted })).toEqual(isTaken ? ['1'] : []);
  });

  it('is none where it is empty, and its value where it has one: one URL is one list', async () => {
    const getList = list();
    server.respond(() => [{ id: '1', role: 'x', tags: [] }]);
    for (const role of [[], undefined, ['x'], 'x', [null, 'x'] as string[]]) {
      await controller.fetch(getList, { role });
    }
    server.respond(() => ({ id: '2', role: 'x', tags: [] }));
    await controller.fetch(getList.push, { role: 'x' });
    for (const args of [{}, { role: [] }, undefined, { role: 'x' }, { role: ['x'] }]) {
      expect(ids(getList, args)).toEqual(['1', '2']);
    }
  });
});

describe.each([false, true])('an update of a union, optimistic: %s,', (optimistic) => {
  class Link extends Entity {
    id = '';
    type = 'link' as const;
    url = '';
  }
  class Post extends Entity {
    id = '';
    type = 'post' as const;
    text = '';
    pinned = false;
  }
  const feed = new Union({ link: Link, post: Post }, 'type');

  it.each([undefined, { id: '2' }, { id: '2', type: 'post' }])(
    'that gets %j keeps what was sent, and moves',
    async (answer) => {
      const Feed = resource({
        urlPrefix: server.origin,
        path: '/feed/:id',
        schema: feed,
        searchParams: {} as { pinned?: boolean },
        body: {} as { text?: string; pinned?: boolean },
        optimistic,
      });
      const post = { id: '2', type: 'post', text: 'old', pinned: false } as const;
      controller.setResponse(Feed.getList, { pinned: false }, [post]);
      controller.setResponse(Feed.getList, { pinned: true }, []);
      server.respond((_, response) => answer ?? void response.writeHead(204).end());
      await controller.fetch(Feed.partialUpdate, { id: '2' }, { text: 'new' });
      expect(controller.get(Post, { id: '2' })?.text).toBe('new');
      await controller.fetch(Feed.getList.move, { id: '2' }, { pinned: true });
      const count = (pinned: boolean) => controller.getResponse(Feed.getList, { pinned })?.length;
      expect([count(false), count(true)]).toEqual([0, 1]);
    },
  );

  it('takes the class of a created record from what was sent', async () => {
    const Feed = resource({
      urlPrefix: server.origin,
      path: '/feed/:id',
      schema: feed,
      body: {} as object,
      optimistic,
    });
    controller.setResponse(Feed.getList, []);
    server.respond(() => ({ id: '3', type: 'post' }));
    await controller.fetch(Feed.getList.push, { type: 'post', text: 'new' });
    expect(controller.getResponse(Feed.getList)).toMatchObject([{ id: '3', text: 'new' }]);
  });
});
