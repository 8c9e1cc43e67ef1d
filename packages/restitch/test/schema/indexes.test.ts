import {
  Collection,
  Controller,
  Entity,
  indexBy,
  Invalidate,
  type RecordFields,
  Union,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, listen, manual, mutation, openWorld } from '../support/world.js';

class User extends Entity {
  id = '';
  username = '';
  name = '';
  static override key = 'IndexedUser';
  static override indexes = indexBy('username');
}
const users = new Collection([User]);

/** A store with two users, and what is found by a name. */
async function openStore() {
  const world = openWorld();
  const list = manual('getUsers', users);
  ignore(world.controller.fetch(list.endpoint));
  await list.respond([
    { id: 1, username: 'ada', name: 'Ada' },
    { id: 2, username: 'bob', name: 'Bob' },
  ]);
  const find = (username: string) => world.controller.get(User, { username });
  return { ...world, list, find };
}

describe('a record is found by an index', () => {
  it('as by its primary key, whichever response contained it', async () => {
    const { controller, find } = await openStore();
    expect(find('ada')).toBe(controller.get(User, { id: 1 }));
    expect(find('nobody')).toBeUndefined();
    controller.set(User, { id: 3 }, { username: 'cy' });
    expect(find('cy')?.id).toBe(3);
  });

  it('by its new value only, once that changed', async () => {
    const { controller, find } = await openStore();
    expect(find('ada')?.id).toBe(1);
    controller.set(User, { id: 1 }, { username: 'lovelace' });
    expect(find('ada')).toBeUndefined();
    expect(find('lovelace')?.name).toBe('Ada');
  });

  it('no more once it was deleted, and again when it is created anew', async () => {
    const { controller, find } = await openStore();
    expect(find('bob')?.id).toBe(2);
    const remove = mutation('remove', new Invalidate(User));
    ignore(controller.fetch(remove.endpoint, { id: 2 }));
    await remove.respond({ id: 2 });
    expect(find('bob')).toBeUndefined();
    controller.set(User, { id: 2 }, { username: 'bob' });
    expect(find('bob')?.id).toBe(2);
  });

  it('the one that came to the value last, where two have it', async () => {
    const { controller, find } = await openStore();
    expect(find('ada')?.id).toBe(1);
    controller.set(User, { id: 2 }, { username: 'ada' });
    expect(find('ada')?.id).toBe(2);
    controller.set(User, { id: 1 }, { name: 'changed' });
    expect(find('ada')?.id).toBe(2);
    controller.set(User, { id: 2 }, { username: 'bob' });
    expect(find('ada')?.id).toBe(1);
  });

  it('with numbers and their texts as one value', async () => {
    class Seat extends Entity {
      id = '';
      number = 0;
      static override key = 'Seat';
      static override indexes = indexBy('number');
    }
    const { controller } = openWorld();
    controller.set(Seat, { id: 'a' }, { number: 7 });
    expect(controller.get(Seat, { number: '7' })?.id).toBe('a');
    expect(controller.get(Seat, { number: 7 })?.id).toBe('a');
  });

  it('under names that every object has', async () => {
    const { controller, find } = await openStore();
    controller.set(User, { id: '__proto__' }, { username: '__proto__' });
    expect(find('__proto__')?.id).toBe('__proto__');
    expect(find('constructor')).toBeUndefined();
  });

  it('in a union of classes too', () => {
    class Robot extends Entity {
      id = '';
      username = '';
      static override key = 'IndexedRobot';
      static override indexes = indexBy('username');
    }
    const being = new Union({ user: User, robot: Robot }, 'kind' as never);
    const { controller } = openWorld();
    const view = controller.observeQuery(being, { username: 'r2' });
    const notified = listen(view);
    expect(dataOf(view)).toBeUndefined();
    controller.set(Robot, { id: '1' }, { username: 'r2' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)).toBe(controller.get(Robot, { id: '1' }));
  });

  it('while an optimistic change shows, and as before when that fails', async () => {
    const { controller, find } = await openStore();
    const patch = mutation('patch', User, (_, body: object) => body);
    ignore(controller.fetch(patch.endpoint, { id: 1, username: 'countess' }));
    expect(find('ada')).toBeUndefined();
    expect(find('countess')?.id).toBe(1);
    await patch.fail(new Error('taken'));
    expect(find('countess')).toBeUndefined();
    expect(find('ada')?.id).toBe(1);
  });

  it('under its temporary primary key, then under its real one', async () => {
    const { controller, find } = await openStore();
    const create = mutation('create', users.push, (_, body: object) => body);
    const view = controller.observeQuery(User, { username: 'new' });
    const notified = listen(view);
    ignore(controller.fetch(create.endpoint, { username: 'new' }));
    expect(dataOf(view)?.username).toBe('new');
    await create.respond({ id: 9, username: 'new' });
    expect(dataOf(view)?.id).toBe(9);
    expect(find('new')).toBe(dataOf(view));
    expect(notified.count).toBe(2);
  });

  it('by an optimistic update that reads records from before it', async () => {
    const { controller, find } = await openStore();
    const rename = mutation('rename', User, (snapshot, { username }: { username: string }) => {
      const user = snapshot.get(User, { username });
      if (!user) throw snapshot.abort;
      return { id: user.id, name: `${user.name}!` };
    });
    ignore(controller.fetch(rename.endpoint, { username: 'ada' }));
    expect(find('ada')?.name).toBe('Ada!');
    ignore(controller.fetch(rename.endpoint, { username: 'ada' }));
    expect(find('ada')?.name).toBe('Ada!!');
    await rename.fail(new Error('no'), 0);
    expect(find('ada')?.name).toBe('Ada!');
  });
});

describe('a reader by an index', () => {
  it('is notified when the record comes, changes, loses the value, and goes', async () => {
    const { controller } = openWorld();
    const view = controller.observeQuery(User, { username: 'ada' });
    const notified = listen(view);
    controller.set(User, { id: 1 }, { username: 'ada' });
    expect([notified.count, dataOf(view)?.id]).toEqual([1, 1]);
    controller.set(User, { id: 1 }, { name: 'Ada' });
    expect([notified.count, dataOf(view)?.name]).toEqual([2, 'Ada']);
    controller.set(User, { id: 2 }, { username: 'bob' });
    expect(notified.count).toBe(2);
    controller.set(User, { id: 1 }, { username: 'lovelace' });
    expect([notified.count, dataOf(view)]).toEqual([3, undefined]);
    controller.set(User, { id: 2 }, { username: 'ada' });
    expect([notified.count, dataOf(view)?.id]).toEqual([4, 2]);
  });

  it('sees the record of an endpoint before any request', async () => {
    const { controller } = await openStore();
    const get = manual('getByName', User);
    const view = controller.observe(get.endpoint, { username: 'bob' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'Bob' } });
  });
});

describe('queryKey', () => {
  it('may name the record by other arguments', async () => {
    class Member extends User {
      static override key = 'Member';
      static override queryKey(
        args: readonly [{ login: string } | RecordFields<User>],
      ): ReturnType<typeof Entity.queryKey> {
        const [first] = args;
        return 'login' in first ? { username: first.login } : super.queryKey(args);
      }
    }
    const { controller } = openWorld();
    controller.set(Member, { id: 1 }, { username: 'ada' });
    expect(controller.get(Member, { login: 'ada' })?.id).toBe(1);
    expect(controller.get(Member, { id: 1 })?.username).toBe('ada');
  });

  it('that gives undefined keeps readers from seeing a record before their endpoint was asked', () => {
    class Secret extends User {
      static override key = 'Secret';
      static override queryKey(): undefined {
        return undefined;
      }
    }
    const { controller } = openWorld();
    const get = manual('getSecret', Secret);
    controller.set(Secret, { id: 1 }, { name: 'kept' });
    expect(controller.observe(get.endpoint, { id: 1 }).getSnapshot().status).toBe('pending');
    expect(controller.get(Secret, { id: 1 })).toBeUndefined();
  });

  it('finds a record by an empty text, and forgets it when the text changes', () => {
    class Box extends Entity {
      id = '';
      label: string | number = '';
      static override key = 'LabeledBox';
      static override indexes = indexBy('label');
    }
    const { controller } = openWorld();
    const labels = [
      ['a', ''],
      ['b', 0],
      ['c', ' '],
    ] as const;
    expect(controller.get(Box, { label: '' })).toBeUndefined();
    for (const [id, label] of labels) controller.set(Box, { id }, { label });
    expect(labels.map(([, label]) => controller.get(Box, { label })?.id)).toEqual(['a', 'b', 'c']);
    controller.set(Box, { id: 'a' }, { label: 'x' });
    expect(controller.get(Box, { label: '' })).toBeUndefined();
    expect(controller.get(Box, { label: 'x' })?.id).toBe('a');
  });

  it('that names a field without an index is refused', () => {
    class Wrong extends User {
      static override key = 'Wrong';
      static override queryKey(): { name: string } {
        return { name: 'Ada' };
      }
    }
    const { controller } = openWorld();
    expect(() => controller.get(Wrong, {})).toThrow(/queryKey.*Wrong.*`name`.*indexes/);
    class Empty extends User {
      static override key = 'Empty';
      static override queryKey(): Record<string, unknown> {
        return {};
      }
    }
    expect(() => controller.get(Empty, {})).toThrow(/queryKey.*Empty.*`undefined`.*indexes/);
  });
});

describe('in a class with an own `pk`', () => {
  class Product extends Entity {
    code = 0;
    name = '';
    static override indexes = indexBy('name');
    override pk() {
      return this.code;
    }
  }

  class Ticket extends Entity {
    id = 0;
    org = '';
    title = '';
    static override indexes = indexBy('title', 'org');
    override pk() {
      return `${this.org}/${this.id}`;
    }
  }

  it('finds a record by an indexed field, not the record with the default key', () => {
    const controller = new Controller();
    controller.set(Product, { code: 0 }, { code: 0, name: 'Default' });
    controller.set(Product, { code: 7 }, { code: 7, name: 'Printer' });
    expect(controller.get(Product, { name: 'Printer' })?.code).toBe(7);
    expect(controller.get(Product, { name: 'unknown' })).toBeUndefined();
    expect(controller.get(Product, { code: 7 })?.name).toBe('Printer');
    expect(controller.get(Product, { code: 0, name: 'Printer' })?.name).toBe('Default');
  });

  it('finds a record by one of several key fields', () => {
    const controller = new Controller();
    const key = { id: 1, org: 'a' };
    controller.set(Ticket, key, { ...key, title: 'Printer' });
    expect(controller.get(Ticket, { title: 'Printer' })?.id).toBe(1);
    expect(controller.get(Ticket, { org: 'a' })?.id).toBe(1);
    expect(controller.get(Ticket, { org: 'a', id: 1 })?.title).toBe('Printer');
  });
});
