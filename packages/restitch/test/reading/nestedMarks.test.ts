/** A reader without a response of its own fetches if an expired row or list is nested in its data. */
import { Collection, Controller, Entity, expireWhere, Invalidate, Union, Values } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { flush, idsOf, ignore, manual, mutation, openWorld } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'MarkedUser';
}
class Profile extends User {
  bio = '';
}
class Comment extends Entity {
  id = '';
  ticket = '';
  by: User = User.fromJS({});
  static override key = 'MarkedComment';
  static override schema = { by: User };
}
const comments = new Collection([Comment], {
  name: 'comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  owner: User = User.fromJS({});
  comments: Comment[] = [];
  static override key = 'MarkedTicket';
  static override schema = { owner: User, comments };
}

const ticket = (name = 'Ada') => ({
  id: 't1',
  owner: { id: 'u1', name },
  comments: [{ id: 'c1', ticket: 't1', by: { id: 'u2', name } }],
});
const params = { id: 't1' };

function open() {
  const world = openWorld();
  const list = manual('getTickets', [Ticket]);
  const get = manual('getTicket', Ticket);
  const getComments = manual('getComments', comments);
  const promote = mutation('promote', User);
  const push = mutation('push', comments.push);
  world.controller.setResponse(list.endpoint, [ticket()]);
  const { controller } = world;
  return {
    ...world,
    list,
    get,
    getComments,
    /** An action on a user; its 204 does not contain the new fields. */
    promote: async (id: string) => {
      ignore(controller.fetch(promote.endpoint, { id }));
      await promote.respond(null);
    },
    create: async () => {
      ignore(controller.fetch(push.endpoint, { ticket: 't1' }, { by: { id: 'u2' } }));
      await push.respond(null);
    },
    needsTicket: () => controller.observe(get.endpoint, params).needsLoad(),
    needsComments: () => controller.observe(getComments.endpoint, { ticket: 't1' }).needsLoad(),
  };
}

type World = ReturnType<typeof open>;

const expiries: Record<string, readonly [(world: World) => unknown, isInComments: boolean]> = {
  'an action with a 204 on a related record': [({ promote }) => promote('u1'), false],
  'an action with a 204 on a record in a nested list': [({ promote }) => promote('u2'), true],
  'a create with a 204 in a nested list': [({ create }) => create(), true],
  'two edits of a related record in the wrong order': [
    async ({ controller }) => {
      const edit = mutation('edit', User);
      ignore(controller.fetch(edit.endpoint, { id: 'u1' }));
      ignore(controller.fetch(edit.endpoint, { id: 'u1' }));
      await edit.respond({ id: 'u1', name: 'b' }, 1);
      await edit.respond({ id: 'u1', name: 'a' }, 0);
    },
    false,
  ],
  'expireWhere of one related record': [
    ({ controller }) => void expireWhere(controller, { entity: User, pk: 'u2' }),
    true,
  ],
  'expireWhere of a class of related records': [
    ({ controller }) => void expireWhere(controller, { entity: User }),
    true,
  ],
  'expireAll of the nested list': [
    ({ controller, getComments }) => controller.expireAll(getComments.endpoint),
    true,
  ],
};

describe.each(Object.entries(expiries))('after %s', (_, [expire, isInComments]) => {
  it('a reader that shows the record of another response fetches once', async () => {
    const world = open();
    await expire(world);
    expect(world.needsTicket()).toBe(true);
    expect(world.needsComments()).toBe(isInComments);
    const view = world.controller.observe(world.get.endpoint, params);
    ignore(view.load());
    view.subscribe(() => {});
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    await world.get.respond(ticket('new'));
    expect(view.needsLoad()).toBe(false);
    expect(view.getSnapshot()).toMatchObject({ stale: false, data: { owner: { name: 'new' } } });
    expect(world.needsComments()).toBe(false);
  });

  it('a response that contains all of it makes it fresh for every later reader', async () => {
    const world = open();
    await expire(world);
    ignore(world.controller.fetch(world.list.endpoint));
    await world.list.respond([ticket()]);
    expect(world.needsTicket()).toBe(false);
    expect(world.needsComments()).toBe(false);
  });

  it('a response to an older request does not make it fresh', async () => {
    const world = open();
    ignore(world.controller.fetch(world.list.endpoint));
    await flush();
    await expire(world);
    await world.list.respond([ticket()], 0);
    expect(world.needsTicket()).toBe(true);
  });

  it('a reader does not fetch again if its own response lacks the record', async () => {
    const world = open();
    await expire(world);
    const view = world.controller.observe(world.get.endpoint, params);
    view.subscribe(() => {
      if (view.needsLoad(true)) ignore(view.load());
    });
    ignore(view.load());
    await world.get.respond({ id: 't1' });
    expect(world.get.calls).toHaveLength(1);
    expect(world.needsTicket()).toBe(false);
  });

  it('a program that hydrates the state fetches, too', async () => {
    const world = open();
    await expire(world);
    const controller = new Controller({ environment: { now: () => world.clock.now } });
    hydrate(controller, getState(world.controller));
    expect(controller.observe(world.get.endpoint, params).needsLoad()).toBe(true);
  });

  it('a reader after a reset needs no request for new data', async () => {
    const world = open();
    await expire(world);
    world.controller.resetEntireStore();
    world.controller.setResponse(world.list.endpoint, [ticket()]);
    expect(world.needsTicket()).toBe(false);
  });
});

it('a nested record that is only older causes no request', () => {
  const { controller, clock, needsTicket, needsComments } = open();
  const get = manual('getUser', User, { dataExpiryLength: 10 });
  controller.setResponse(get.endpoint, { id: 'u1' }, { id: 'u1', name: 'Ada' });
  clock.now += 1_000;
  expect(needsTicket()).toBe(false);
  expect(needsComments()).toBe(false);
});

it('an unknown related record that a create responds with as a summary causes no request', async () => {
  class Post extends Entity {
    id = '';
    author: Profile = Profile.fromJS({});
    static override schema = { author: Profile };
  }
  const { controller } = openWorld();
  const create = mutation('create', Post);
  ignore(controller.fetch(create.endpoint, {}));
  await create.respond({ id: 'p1', author: { id: 'u9', name: 'Bo' } });
  const get = manual('getPost', Post);
  expect(controller.observe(get.endpoint, { id: 'p1' }).needsLoad()).toBe(false);
});

it('the marked author of a record in an envelope, a union, a map and a cycle is found', async () => {
  class Node extends Entity {
    id = '';
    type = 'node';
    user: User = User.fromJS({});
    next: Node | undefined = undefined;
    static override key = 'MarkedNode';
    static override schema: Record<string, unknown> = {};
  }
  Node.schema = { user: User, next: Node };
  const node = new Union({ node: Node }, 'type');
  const map = new Values(node);
  class Holder extends Entity {
    id = '';
    nodes: Record<string, Node> = {};
    static override schema = { nodes: map };
  }
  const { controller } = openWorld();
  const fields = { type: 'node', user: { id: 'u2', name: 'Bo' } };
  const marked = { type: 'node', user: { id: 'u1', name: 'Ada' } };
  const inner = { id: '2', ...marked, next: { id: '1' } };
  const nodes = { a: { id: '1', ...fields, next: inner } };
  controller.setResponse(manual('getHolders', [Holder]).endpoint, [{ id: 'h', nodes }]);
  let count = 0;
  const needs = (schema: unknown, args: object): boolean =>
    controller.observe(manual(`get${(count += 1)}`, schema).endpoint, args).needsLoad();
  const readers: (readonly [unknown, object])[] = [
    [Holder, { id: 'h' }],
    [{ data: Holder }, { id: 'h' }],
    [node, { id: '1' }],
    [Node, { id: '2' }],
  ];
  expect(readers.map(([schema, args]) => needs(schema, args))).toEqual(readers.map(() => false));
  await expireWhere(controller, { entity: User, pk: 'u1' });
  expect(readers.map(([schema, args]) => needs(schema, args))).toEqual(readers.map(() => true));
});

it('the temporary record of a create with a 204 leaves the list of a later reader', async () => {
  const { controller, get, needsTicket } = open();
  const push = mutation('push', comments.push, () => ({ ticket: 't1', by: { id: 'u2' } }));
  ignore(controller.fetch(push.endpoint, { ticket: 't1' }, {}));
  await push.respond(null);
  expect(needsTicket()).toBe(true);
  const loading = controller.fetchIfStale(get.endpoint, params);
  const created = { id: 'c2', ticket: 't1', by: { id: 'u2', name: 'Ada' } };
  await get.respond({ ...ticket(), comments: [...ticket().comments, created] });
  expect(idsOf((await loading).comments)).toEqual(['c1', 'c2']);
});

describe.each(['before', 'after'])('an optimistic delete that begins %s the action', (order) => {
  it('after its failure, the list with the record is fetched again', async () => {
    const { controller } = openWorld();
    const getUsers = manual('getUsers', new Collection([User], { name: 'users' }));
    const [promote, remove] = [
      mutation('promote', User),
      mutation('remove', new Invalidate(User), (_, { id }: { id: string }) => ({ id })),
    ];
    const read = (name: string) => {
      ignore(controller.fetch(getUsers.endpoint));
      return getUsers.respond([{ id: 'u1', name }]);
    };
    await read('Ada');
    const view = controller.observe(getUsers.endpoint);
    view.subscribe(() => view.getSnapshot());
    const calls = [promote, remove];
    for (const { endpoint } of order === 'before' ? calls.reverse() : calls)
      ignore(controller.fetch(endpoint, { id: 'u1' }));
    await promote.respond(null);
    await remove.fail(new Error('no'));
    expect(view.needsLoad(true)).toBe(true);
    await read('Dame Ada');
    expect(view.needsLoad(true)).toBe(false);
  });
});
