/** A response makes a row fresh only if it contains every field that the row has. */
import { Collection, Controller, Entity, expireWhere, Invalidate, Union } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { flush, ignore, manual, mutation, openWorld } from '../support/world.js';
import { follow, responding } from './cases.js';

class Summary extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}
class User extends Summary {
  bio = '';
}
class Post extends Entity {
  id = '';
  author = new Summary();
  static override key = 'Post';
  static override schema = { author: Summary };
}

const params = { id: '1' };
const summary = { id: '1', name: 'Ann' };
const whole = { ...summary, bio: 'old' };
const DAY = 86_400_000;

function open(row: object = whole) {
  const world = openWorld();
  const { controller } = world;
  const list = manual('getUsers', [User]);
  const get = manual('getUser', User);
  const summaries = manual('getSummaries', [Summary]);
  const posts = manual('getPosts', [Post]);
  controller.setResponse(list.endpoint, [row]);
  return {
    ...world,
    list,
    get,
    summaries,
    posts,
    /** True if a reader without a response of its own would fetch. */
    isStale: () => controller.observe(get.endpoint, params).needsLoad(),
  };
}

type World = ReturnType<typeof open>;

const expiries: Record<string, (world: World) => void> = {
  time: ({ clock }) => (clock.now += DAY),
  expireAll: ({ controller, get }) => controller.expireAll(get.endpoint),
  expireWhere: ({ controller }) => void expireWhere(controller, { entity: User, pk: '1' }),
};

const parts: Record<string, (world: World) => unknown> = {
  'a list of summaries': ({ controller, summaries }) =>
    controller.setResponse(summaries.endpoint, [summary]),
  'a nested summary': ({ controller, posts }) =>
    controller.setResponse(posts.endpoint, [{ id: 'p', author: summary }]),
  'a response without a field': ({ controller, list }) =>
    controller.setResponse(list.endpoint, [summary]),
  'a local write of one field': ({ controller }) => controller.set(User, params, { name: 'Ann' }),
  'a local update of one field': ({ controller }) =>
    controller.set(User, params, (user) => ({ ...user, name: 'Bo' })),
  'a mutation': async ({ controller }) => {
    const { endpoint, respond } = mutation('rename', User);
    ignore(controller.fetch(endpoint, params));
    await respond(summary);
  },
  'a response during an older request': async (world) => {
    const other = manual('getOther', [Summary]);
    ignore(world.controller.fetch(other.endpoint));
    world.controller.setResponse(world.summaries.endpoint, [summary]);
    await other.respond([]);
  },
};

describe.each(Object.entries(expiries))('a row that expired by %s', (_, expire) => {
  it.each(Object.entries(parts))('stays stale after %s', async (__, write) => {
    const world = open();
    expire(world);
    await write(world);
    expect(world.isStale()).toBe(true);
  });

  it('is fresh after a response with every field', () => {
    const world = open();
    expire(world);
    world.controller.setResponse(world.list.endpoint, [whole]);
    expect(world.isStale()).toBe(false);
  });
});

describe('a response', () => {
  it('with a part of a row does not prolong its lifetime, however often it comes', () => {
    const { controller, clock, summaries, isStale } = open();
    for (let count = 0; count < 3; count += 1) {
      clock.now += 30_000;
      controller.setResponse(summaries.endpoint, [summary]);
    }
    expect(isStale()).toBe(true);
  });

  it('with a part of a row does not end its lifetime either', () => {
    const { controller, summaries, isStale } = open();
    controller.setResponse(summaries.endpoint, [summary]);
    expect(isStale()).toBe(false);
  });

  it('renews a row that has no further fields, for each class of its key', () => {
    const { controller, clock, summaries } = open(summary);
    const read = manual('getSummary', Summary);
    clock.now += DAY;
    controller.setResponse(summaries.endpoint, [summary]);
    expect(controller.observe(read.endpoint, params).needsLoad()).toBe(false);
  });

  it('to a mutation renews a fresh row if it omits only fields that the row lacks', async () => {
    class Optional extends User {
      nickname: string | undefined = undefined;
    }
    const { controller, clock, isStale } = open();
    const save = mutation('save', Optional);
    clock.now += 50_000;
    ignore(controller.fetch(save.endpoint, params));
    await save.respond(whole);
    clock.now += 50_000;
    expect(isStale()).toBe(false);
  });

  it('renews a row that `merge` replaces by the response', () => {
    class Replaced extends User {
      static override key = 'Replaced';
      static override merge(_: object, incoming: object) {
        return { ...incoming };
      }
    }
    const { controller, clock } = openWorld();
    const read = manual('getReplaced', Replaced);
    const list = manual('getList', [Replaced]);
    controller.setResponse(list.endpoint, [{ ...whole, more: 1 }]);
    clock.now += DAY;
    controller.setResponse(list.endpoint, [whole]);
    expect(controller.observe(read.endpoint, params).needsLoad()).toBe(false);
  });

  it('renews a row that was deleted before', () => {
    const { controller, clock, summaries } = open();
    const read = manual('getSummary', Summary);
    clock.now += DAY;
    controller.set(new Invalidate(User), {}, params);
    controller.setResponse(summaries.endpoint, [summary]);
    expect(controller.observe(read.endpoint, params).needsLoad()).toBe(false);
  });

  it('may contain the whole row and a part of it', () => {
    const { controller, clock, isStale } = open();
    const read = manual('getFriends', { self: User, friends: [Summary] });
    clock.now += DAY;
    controller.setResponse(read.endpoint, { self: whole, friends: [summary] });
    expect(isStale()).toBe(false);
    clock.now += DAY;
    const reverse = manual('getFirst', { friends: [Summary], self: User });
    controller.setResponse(reverse.endpoint, { friends: [summary], self: whole });
    expect(isStale()).toBe(false);
  });

  it('with a part of a row leaves it stale if it was imported as stale', () => {
    const { controller, summaries, get } = open();
    controller.expireAll(get.endpoint);
    const other = new Controller();
    hydrate(other, JSON.parse(JSON.stringify(getState(controller))));
    const view = other.observe(get.endpoint, params);
    expect(view.needsLoad()).toBe(true);
    other.setResponse(summaries.endpoint, [summary]);
    expect(view.needsLoad()).toBe(true);
    other.set(User, params, (user) => ({ ...user, name: 'Bo' }));
    expect(view.needsLoad()).toBe(true);
  });
});

describe('a field that only an optimistic update has', () => {
  it('is not missing in the response', async () => {
    const { controller, get, isStale } = open();
    controller.expireAll(get.endpoint);
    const save = mutation('save', User, () => ({ ...summary, isSaving: true }));
    ignore(controller.fetch(save.endpoint, params));
    await save.respond(whole);
    expect(isStale()).toBe(false);
  });

  it('does not make the row of a create stale', async () => {
    const { controller, clock, get } = open();
    const users = new Collection([User]);
    const create = mutation('create', users.push, () => ({ ...whole, id: '2', draft: true }));
    clock.now += DAY;
    ignore(controller.fetch(create.endpoint, {}));
    await create.respond({ ...whole, id: '2' });
    expect(controller.observe(get.endpoint, { id: '2' }).needsLoad()).toBe(false);
  });
});

describe('mounted readers of a row that stays stale', () => {
  it('send no further requests', async () => {
    const { controller, clock, summaries } = open();
    const list = responding([Summary], () => [summary]);
    const get = responding(User, () => whole);
    const listed = controller.observe(list.endpoint, params);
    const read = controller.observe(get.endpoint, params);
    clock.now += DAY;
    follow(listed);
    follow(read);
    await flush();
    expect([list.requests(), get.requests()]).toEqual([1, 1]);
    for (let count = 0; count < 3; count += 1) {
      clock.now += 30_000;
      controller.setResponse(summaries.endpoint, [summary]);
    }
    await flush();
    expect([list.requests(), get.requests()]).toEqual([1, 1]);
  });

  it('stop where they make each other unreadable, until another response comes', async () => {
    const { controller } = openWorld();
    const reader = (wanted: string, field: string) => {
      class One extends Entity {
        id = '';
        of = '';
        static override key = 'Quarrel';
        static override validate({ of }: Readonly<Record<string, unknown>>): string | undefined {
          return of === wanted ? undefined : 'it is of another reader';
        }
      }
      return responding(One, () => ({ id: '1', of: wanted, [field]: 1 }));
    };
    const [a, b] = [reader('a', 'x'), reader('b', 'y')];
    const requests = () => a.requests() + b.requests();
    follow(controller.observe(a.endpoint, params));
    await flush();
    follow(controller.observe(b.endpoint, params));
    await flush();
    await flush();
    const before = requests();
    expect(before).toBeLessThan(6);
    class Other extends Entity {
      id = '';
      static override key = 'Quarrel';
    }
    controller.setResponse(manual('getOther', Other).endpoint, params, { id: '1', of: 'c' });
    await flush();
    expect(requests()).toBeGreaterThan(before);
    expect(requests()).toBeLessThan(before + 4);
  });
});

it('a union member is renewed like any row', () => {
  const { controller, clock, isStale } = open();
  const read = manual('getOne', new Union({ user: User }, () => 'user'));
  clock.now += DAY;
  controller.setResponse(read.endpoint, params, summary);
  expect(isStale()).toBe(true);
  controller.setResponse(read.endpoint, params, whole);
  expect(isStale()).toBe(false);
});
