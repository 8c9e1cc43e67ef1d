/** The response to a mutation contains a whole list, nested in a record or alone, while other mutations change the list. */
import {
  Collection,
  Controller,
  Entity,
  Invalidate,
  resource,
  RestEndpoint,
  serial,
  Values,
  type View,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';
import { flush, idsOf, ignore, manual, mutation } from '../support/world.js';

class Comment extends Entity {
  id = '';
  ticket = '';
  static override key = 'WholeListComment';
}
const comments = new Collection([Comment], {
  name: 'whole list comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  title = '';
  comments: Comment[] = [];
  static override key = 'WholeListTicket';
  static override schema = { comments };
}

const LIST = { ticket: '1' };
const rows = (...ids: string[]) => ids.map((id) => ({ id, ...LIST }));
const ticket = (...ids: string[]) => ({ id: '1', title: 'new', comments: rows(...ids) });

/** A ticket with the comment `a`. The views are readers of the ticket and of its list. */
async function open() {
  const controller = new Controller();
  const getTicket = manual('getTicket', Ticket);
  const getComments = manual('getComments', comments);
  ignore(controller.fetch(getTicket.endpoint, { id: '1' }));
  await getTicket.respond(ticket('a'));
  ignore(controller.fetch(getComments.endpoint, LIST));
  await getComments.respond(rows('a'));
  const views = [
    controller.observe(getTicket.endpoint, { id: '1' }),
    controller.observe(getComments.endpoint, LIST),
  ];
  views.forEach((view) => view.getSnapshot());
  return {
    controller,
    getComments,
    send: (endpoint: ReturnType<typeof mutation>, args: object) =>
      ignore(controller.fetch(endpoint.endpoint, args)),
    ids: () => idsOf(controller.get(comments, LIST)),
    needsLoad: () => views.map((view) => view.needsLoad(true)),
  };
}

const YES = [true, true];
const NO = [false, false];

const wholeLists = {
  'a record with its list': [Ticket, ticket],
  'a named list': [comments, rows],
} as const;

describe.each(Object.entries(wholeLists))('an edit of a list and %s', (_, [schema, respond]) => {
  it.each([true, false])(
    'a create that ends last stays visible, and its list is fetched again (optimistic: %s)',
    async (isOptimistic) => {
      const { send, ids, needsLoad, getComments, controller } = await open();
      const add = mutation('add', comments.push, isOptimistic ? () => ({ ...LIST }) : undefined);
      const whole = mutation('whole', schema);
      send(add, LIST);
      send(whole, LIST);
      await whole.respond(respond('a'));
      expect(ids()).toHaveLength(isOptimistic ? 2 : 1);
      expect(needsLoad()).toEqual(NO);
      await add.respond({ id: 'b', ...LIST });
      expect(ids()).toEqual(['a', 'b']);
      expect(needsLoad()).toEqual(YES);
      ignore(controller.fetch(getComments.endpoint, LIST));
      await getComments.respond(rows('b', 'a'));
      expect(ids()).toEqual(['b', 'a']);
    },
  );

  it('a create never appears as two rows', async () => {
    const { send, ids } = await open();
    const [add, whole] = [mutation('add', comments.push, () => LIST), mutation('whole', schema)];
    send(add, LIST);
    send(whole, LIST);
    await whole.respond(respond('b', 'a'));
    // The temporary row may be row `b`.
    expect(ids()).toHaveLength(2);
    await add.respond({ id: 'b', ...LIST });
    expect(ids()).toEqual(['b', 'a']);
  });

  it('a failed create leaves the response as it is', async () => {
    const { send, ids, needsLoad } = await open();
    const [add, whole] = [mutation('add', comments.push, () => LIST), mutation('whole', schema)];
    send(add, LIST);
    send(whole, LIST);
    await whole.respond(respond('c', 'a'));
    await add.fail(new Error('no'));
    expect(ids()).toEqual(['c', 'a']);
    expect(needsLoad()).toEqual(NO);
  });

  it.each([
    ['into the list', 'b', '1', ['a'], ['a', 'b']],
    ['out of the list', 'a', '2', ['a', 'c'], ['c']],
  ] as const)('a move %s that ends last', async (__, id, to, said, expected) => {
    const { send, ids, needsLoad } = await open();
    const [move, whole] = [mutation('move', comments.move), mutation('whole', schema)];
    send(move, { id });
    send(whole, LIST);
    await whole.respond(respond(...said));
    await move.respond({ id, ticket: to });
    expect(ids()).toEqual(expected);
    expect(needsLoad()).toEqual(YES);
  });

  it('creates stay in the order of their requests', async () => {
    const { send, ids } = await open();
    const adds = ['b', 'c'].map(() => mutation('add', comments.push));
    const whole = mutation('whole', schema);
    adds.forEach((add) => send(add, LIST));
    send(whole, LIST);
    await whole.respond(respond('a'));
    await adds[1]?.respond({ id: 'c', ...LIST });
    await adds[0]?.respond({ id: 'b', ...LIST });
    expect(ids()).toEqual(['a', 'b', 'c']);
  });

  it('a read that began after the response still replaces the list', async () => {
    const { send, ids, controller, getComments } = await open();
    const [other, whole] = [mutation('other', comments.push), mutation('whole', schema)];
    send(other, LIST);
    send(whole, LIST);
    await whole.respond(respond('a', 'c'));
    ignore(controller.fetch(getComments.endpoint, LIST));
    await getComments.respond(rows('d'));
    expect(ids()).toEqual(['d']);
  });

  it('a list that only the response made known contains the create', async () => {
    const controller = new Controller();
    const [add, whole] = [mutation('add', comments.push), mutation('whole', schema)];
    ignore(controller.fetch(add.endpoint, LIST));
    ignore(controller.fetch(whole.endpoint, LIST));
    await whole.respond(respond('a'));
    await add.respond({ id: 'b', ...LIST });
    expect(idsOf(controller.get(comments, LIST))).toEqual(['a', 'b']);
    const getComments = manual('getComments', comments);
    expect(controller.observe(getComments.endpoint, LIST).needsLoad()).toBe(true);
  });

  it('a read of the list that began first is fetched again', async () => {
    const { send, ids, needsLoad, controller, getComments } = await open();
    const [add, whole] = [mutation('add', comments.push), mutation('whole', schema)];
    ignore(controller.fetch(getComments.endpoint, LIST));
    send(add, LIST);
    send(whole, LIST);
    await whole.respond(respond('a'));
    await add.respond({ id: 'b', ...LIST });
    await getComments.respond(rows('a'), 1);
    expect(ids()).toEqual(['a', 'b']);
    expect(needsLoad()).toEqual(YES);
  });
});

it('two different whole lists whose responses arrive in the opposite order are fetched again', async () => {
  const { send, ids, needsLoad } = await open();
  const [first, second] = [mutation('first', comments), mutation('second', comments)];
  send(first, LIST);
  send(second, LIST);
  await second.respond(rows('a', 'b'));
  await first.respond(rows('b', 'a'));
  expect(ids()).toEqual(['a', 'b']);
  expect(needsLoad()).toEqual(YES);
});

it('an item of a map that is assigned last stays, and the map is fetched again', async () => {
  const controller = new Controller();
  const byName = new Collection(new Values(Comment), { name: 'whole map' });
  const getMap = manual('getMap', byName);
  ignore(controller.fetch(getMap.endpoint, {}));
  await getMap.respond({ x: { id: 'a', ticket: '1' } });
  const view = controller.observe(getMap.endpoint, {});
  view.getSnapshot();
  const [assign, whole] = [mutation('assign', byName.assign), mutation('whole', byName)];
  ignore(controller.fetch(assign.endpoint, {}));
  ignore(controller.fetch(whole.endpoint, {}));
  await whole.respond({ x: { id: 'a', ticket: '1' } });
  await assign.respond({ y: { id: 'b', ticket: '1' } });
  expect(Object.keys(controller.get(byName, {}) ?? {})).toEqual(['x', 'y']);
  expect(view.needsLoad(true)).toBe(true);
});

describe('a predicted whole list that a 204 confirms', () => {
  const predicted = () => rows('c', 'a');
  const whole = () => mutation('whole', comments, predicted);
  const list = async () => {
    const world = await open();
    ignore(world.controller.fetch(world.getComments.endpoint, LIST));
    await world.getComments.respond(rows('a', 'c'));
    return world;
  };

  it.each(['create', 'whole list'])(
    'is fetched again if a create overlapped it, and the %s ended last',
    async (last) => {
      const { send, ids, needsLoad, controller, getComments } = await list();
      const [add, reorder] = [mutation('add', comments.push), whole()];
      send(add, LIST);
      send(reorder, LIST);
      expect(ids()).toEqual(['c', 'a']);
      if (last === 'create') await reorder.respond(null);
      await add.respond({ id: 'b', ...LIST });
      if (last !== 'create') await reorder.respond(null);
      expect(needsLoad()).toEqual(YES);
      ignore(controller.fetch(getComments.endpoint, LIST));
      await getComments.respond(rows('c', 'a', 'b'));
      expect(ids()).toEqual(['c', 'a', 'b']);
    },
  );

  it('is fetched again if it ended during the refetch after a create with a 204', async () => {
    const { send, ids, needsLoad, controller, getComments } = await list();
    const [add, reorder] = [mutation('add', comments.push), whole()];
    send(reorder, LIST);
    send(add, LIST);
    await add.respond(null);
    expect(needsLoad()).toEqual(YES);
    ignore(controller.fetch(getComments.endpoint, LIST));
    await reorder.respond(null);
    // The request in flight may lack the new order, so it was sent again.
    await getComments.respond(rows('c', 'a', 'b'));
    expect([ids(), needsLoad()[1]]).toEqual([['c', 'a', 'b'], false]);
  });

  it('is not fetched again if nothing overlapped it, or if it contains the created row', async () => {
    const { send, ids, needsLoad } = await list();
    const reorder = whole();
    send(reorder, LIST);
    await reorder.respond(null);
    expect([ids(), needsLoad()]).toEqual([['c', 'a'], NO]);
    const add = mutation('add', comments.push, () => ({ ...LIST, id: 'b' }));
    const later = mutation('later', comments, () => rows('b', 'c', 'a'));
    send(add, LIST);
    send(later, LIST);
    await add.respond({ id: 'b', ...LIST });
    await later.respond(null);
    expect([ids(), needsLoad()]).toEqual([['b', 'c', 'a'], NO]);
  });
});

describe('a predicted whole list of a call that waits in a queue', () => {
  class Song extends Entity {
    id = '';
    title = '';
  }
  const songs = new Collection([Song], { name: 'queued songs', argsKey: () => ({}) });
  class Album extends Entity {
    id = '';
    songs: Song[] = [];
    static override schema = { songs: [Song] };
  }
  const song = (id: string) => ({ id, title: `song ${id}` });

  /** Two reorders, of which the second waits. The test releases the responses by method. */
  async function openQueue(rows: string[], schema: typeof songs | typeof Album, isEmpty: boolean) {
    const held: Record<string, () => void> = {};
    let stored = rows;
    const shown = () =>
      schema === songs ? stored.map(song) : { id: '1', songs: stored.map(song) };
    const send = (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
      if (method === 'GET') return Promise.resolve(Response.json(shown()));
      return new Promise((resolve) => {
        held[method] = () => {
          if (method === 'DELETE') stored = stored.filter((id) => !url.endsWith(`/${id}`));
          if (method === 'POST') stored = [...stored, 'new'];
          if (method === 'PUT') {
            const { ids } = JSON.parse(body as string) as { ids: string[] };
            const others = stored.filter((id) => !ids.includes(id));
            stored = [...ids.filter((id) => stored.includes(id)), ...others];
          }
          const answer = method === 'POST' ? song('new') : method === 'PUT' && !isEmpty && shown();
          resolve(answer ? Response.json(answer) : new Response(null, { status: 204 }));
        };
      });
    };
    const options = { urlPrefix: 'http://x', send };
    const Songs = resource({
      ...options,
      path: '/songs/:id',
      schema: Song,
      body: {} as { title: string },
      optimistic: true,
    }).extend('getList', { schema: songs });
    const predict = (ids: readonly string[]) => ids.map((id) => ({ id }));
    const reorder = serial(
      new RestEndpoint({
        ...options,
        path: '/order',
        method: 'PUT',
        body: {} as { ids: string[] },
        schema,
        getOptimisticResponse: (_, { ids }) =>
          (schema === songs ? predict(ids) : { id: '1', songs: predict(ids) }) as never,
      }),
    );
    const get = new RestEndpoint({ ...options, path: '/read', schema });
    const controller = new Controller();
    const view = schema === songs ? controller.observe(Songs.getList) : controller.observe(get);
    const reload = () => {
      if (view.needsLoad(true)) ignore(view.load());
    };
    view.subscribe(reload);
    await view.load();
    return {
      controller,
      Songs,
      reorder: (...ids: string[]) => ignore(controller.fetch(reorder, { ids })),
      release: async (method: string) => {
        await flush();
        held[method]?.();
        await flush();
      },
      titles: () => {
        const data: unknown = readyData(view as View<unknown>);
        return (data instanceof Album ? data.songs : (data as Song[])).map(({ title }) => title);
      },
    };
  }

  it.each([true, false])('keeps a row created meanwhile (204: %s)', async (isEmpty) => {
    const world = await openQueue(['a', 'b'], songs, isEmpty);
    world.reorder('b', 'a');
    world.reorder('a', 'b');
    ignore(world.controller.fetch(world.Songs.getList.push, { title: 'song new' }));
    const expected = ['song a', 'song b', 'song new'];
    expect(world.titles()).toEqual(expected);
    for (const method of ['POST', 'PUT', 'PUT']) {
      await world.release(method);
      expect(world.titles()).toEqual(expected);
    }
  });

  it.each([true, false])('restores no record deleted meanwhile (204: %s)', async (isEmpty) => {
    const world = await openQueue(['a', 'b', 'c'], Album, isEmpty);
    world.reorder('b', 'a', 'c');
    world.reorder('b', 'c', 'a');
    ignore(world.controller.fetch(world.Songs.delete, { id: 'b' }));
    expect(world.titles()).toEqual(['song c', 'song a']);
    for (const method of ['DELETE', 'PUT', 'PUT']) {
      await world.release(method);
      expect(world.titles()).toEqual(['song c', 'song a']);
      expect(world.controller.get(Song, { id: 'b' })).toBeUndefined();
    }
  });
});

it('a predicted list shows a known row while a create is pending', async () => {
  const { send, ids, controller } = await open();
  controller.set(Comment, { id: 'k' }, { id: 'k', ticket: '2' });
  send(
    mutation('add', comments.push, () => ({ ...LIST })),
    LIST,
  );
  const whole = mutation('whole', comments, () => rows('k', 'a'));
  send(whole, LIST);
  // The prediction lacks the new row, which was already in the list.
  expect(ids()).toEqual(['k', 'a']);
  await whole.respond(rows('k', 'a'));
  expect(ids()?.slice(0, 2)).toEqual(['k', 'a']);
  expect(ids()).toHaveLength(3);
});

it.each(['push', 'unshift'] as const)(
  'a row that messages move away and back stays, while a %s is pending',
  async (name) => {
    const { send, ids, controller } = await open();
    const pending = mutation('pending', comments[name], () => ({ id: 'n', ...LIST }));
    send(pending, { id: 'n' });
    const move = mutation('message', comments.move).endpoint;
    controller.setResponse(move, { id: 'a' }, { id: 'a', ticket: '2' });
    expect(ids()).toEqual(['n']);
    controller.setResponse(move, { id: 'a' }, { id: 'a', ticket: '1' });
    expect(ids()?.toSorted()).toEqual(['a', 'n']);
    await pending.respond({ id: 'n', ...LIST });
    expect(ids()?.toSorted()).toEqual(['a', 'n']);
  },
);

it.each([true, false])(
  'a whole list in a message lies below a pending create (a record was deleted before: %s)',
  async (isDeleted) => {
    const { send, ids, controller, getComments } = await open();
    const add = mutation('add', comments.push);
    send(add, LIST);
    if (isDeleted) {
      const remove = mutation('message', new Invalidate(Comment)).endpoint;
      controller.setResponse(remove, { id: 'x' }, undefined);
      controller.setResponse(remove, { id: 'a' }, undefined);
    }
    controller.setResponse(getComments.endpoint, LIST, rows('c'));
    expect(ids()).toEqual(['c']);
    await add.respond({ id: 'b', ...LIST });
    expect(ids()).toEqual(['c', 'b']);
  },
);

it('a whole list from before a message that added a row is fetched again', async () => {
  const { send, ids, needsLoad, controller } = await open();
  const whole = mutation('whole', comments);
  send(whole, LIST);
  controller.setResponse(mutation('message', comments.push).endpoint, LIST, { id: 'b', ...LIST });
  expect(ids()).toEqual(['a', 'b']);
  await whole.respond(rows('a'));
  expect(needsLoad()).toEqual(YES);
});
