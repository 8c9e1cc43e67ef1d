import { Entity, SchemaError } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { Item, listen, manual, openWorld, User } from '../support/world.js';

describe('set with a function', () => {
  it('takes a relation as a primary key', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { friend: { id: '2', name: 'two' } });
    controller.set(User, { id: '3' }, { name: 'three' });
    controller.set(User, { id: '1' }, (user) => ({ ...user, friend: '3' }));
    expect(controller.get(User, { id: '1' })?.friend).toBe(controller.get(User, { id: '3' }));
  });

  it('stores a related record that it nests', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { name: 'one' });
    controller.set(User, { id: '1' }, (user) => ({ ...user, friend: { id: '9', name: 'nine' } }));
    expect(controller.get(User, { id: '1' })).toMatchObject({
      name: 'one',
      friend: { id: '9', name: 'nine' },
    });
    expect(controller.get(User, { id: '9' })?.name).toBe('nine');
  });

  it('keeps the relations that it spreads', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { friend: { id: '2', name: 'two' } });
    controller.set(User, { id: '1' }, (user) => ({ ...user, name: 'one' }));
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'one', friend: { id: '2' } });
    expect(controller.get(User, { id: '1' })?.friend).toBe(controller.get(User, { id: '2' }));
  });

  it('gives a row that it creates the key of the arguments', () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, () => ({ name: 'new' }));
    expect(controller.get(Item, { id: '1' })).toEqual(Item.fromJS({ id: '1', name: 'new' }));
  });

  it('asks validate, and writes nothing when it refuses', () => {
    class Natural extends Entity {
      id = '';
      n = 0;
      static override key = 'Natural';
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return Number(value['n']) < 0 ? 'is negative' : undefined;
      }
    }
    const { controller } = openWorld();
    controller.set(Natural, { id: '1' }, { n: 1 });
    const notified = listen(controller.observeQuery(Natural, { id: '1' }));
    expect(() =>
      controller.set(Natural, { id: '1' }, (natural) => ({ ...natural, n: -1 })),
    ).toThrow(/is negative/);
    expect(controller.get(Natural, { id: '1' })?.n).toBe(1);
    expect(notified.count).toBe(0);
  });

  it('runs no earlier function again while a read is under way', async () => {
    const { controller } = openWorld();
    const list = manual('list', [User]);
    controller.set(Item, { id: '1' }, { name: '' });
    const fetched = controller.fetch(list.endpoint);
    let runs = 0;
    const write = (): void =>
      controller.set(Item, { id: '1' }, (item) => {
        runs += 1;
        return { ...item, name: `${item?.name}x` };
      });
    for (let count = 0; count < 100; count += 1) write();
    expect(runs).toBeLessThanOrEqual(200);
    expect(controller.get(Item, { id: '1' })?.name).toBe('x'.repeat(100));
    await list.respond([]);
    await fetched;
    expect(controller.get(Item, { id: '1' })?.name).toBe('x'.repeat(100));
  });

  it('stores a copy of what it returns', () => {
    const { controller } = openWorld();
    const tags = ['x'];
    controller.set(User, { id: '1' }, { name: 'a' });
    controller.set(User, { id: '1' }, (user) => ({ ...user, tags }));
    tags.push('y');
    expect(controller.get(User, { id: '1' })?.tags).toEqual(['x']);
  });

  it('refuses an async function and leaves the row as it is', async () => {
    const { controller } = openWorld();
    const older = manual('older', Item);
    controller.set(Item, { id: '1' }, { name: 'a' });
    const request = controller.fetch(older.endpoint, { id: '1' });
    expect(() =>
      controller.set(Item, { id: '1' }, async (item) => ({ ...item, name: 'b' })),
    ).toThrow(/must not be async/);
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
    await older.respond({ id: '1', name: 'confirmed' });
    expect((await request).name).toBe('confirmed');
  });
});

describe('set with a value', () => {
  it('takes a bare primary key as the arguments', () => {
    const { controller } = openWorld();
    controller.set(Item, '1', { name: 'a' });
    expect(controller.get(Item, '1')).toEqual(Item.fromJS({ id: '1', name: 'a' }));
    expect(controller.get(Item, { id: '1' })).toBe(controller.get(Item, '1'));
  });

  it.each([5, 'text'])('refuses %j where a record is expected', (value) => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    expect(() => controller.set(Item, { id: '1' }, value)).toThrow(SchemaError);
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
  });
});

describe('an instance that is written back', () => {
  it('ends where records form a circle', () => {
    let visits = 0;
    class Node extends Entity {
      id = '';
      name = '';
      next: Node | undefined = undefined;
      static override key = 'Node';
      static override schema: Record<string, unknown> = {};
      static override process(input: unknown): unknown {
        visits += 1;
        if (visits > 1_000) throw new Error('visited without end');
        return input;
      }
    }
    Node.schema = { next: Node };
    const { controller } = openWorld();
    controller.set(Node, { id: '1' }, { name: 'a', next: { id: '2', next: { id: '1' } } });
    controller.set(Node, { id: '1' }, { ...controller.get(Node, { id: '1' }), name: 'b' });
    const node = controller.get(Node, { id: '1' });
    expect(node?.name).toBe('b');
    expect(node?.next?.next).toBe(node);
  });

  it('as a whole response is as fresh as any other response', () => {
    const { controller, clock } = openWorld();
    const [one, other] = [manual('getOne', Item), manual('getOther', Item)];
    controller.setResponse(one.endpoint, { id: '1' }, { id: '1', name: 'known' });
    clock.now += 59_000;
    controller.setResponse(one.endpoint, { id: '1' }, controller.get(Item, { id: '1' }) as Item);
    clock.now += 59_000;
    expect(controller.observe(other.endpoint, { id: '1' }).needsLoad()).toBe(false);
    clock.now += 2_000;
    expect(controller.observe(other.endpoint, { id: '1' }).needsLoad()).toBe(true);
  });

  it('visits a record once however many paths lead to it', () => {
    let visits = 0;
    class Fork extends Entity {
      id = '';
      name = '';
      left: Fork | undefined = undefined;
      right: Fork | undefined = undefined;
      static override key = 'Fork';
      static override schema: Record<string, unknown> = {};
      static override process(input: unknown): unknown {
        visits += 1;
        if (visits > 1_000) throw new Error('visited once for every path');
        return input;
      }
    }
    Fork.schema = { left: Fork, right: Fork };
    const { controller } = openWorld();
    for (let id = 1; id < 20; id += 1) {
      controller.set(Fork, { id: String(id) }, { left: { id: id - 1 }, right: { id: id - 1 } });
    }
    visits = 0;
    const last = controller.get(Fork, { id: '19' });
    controller.set(Fork, { id: '19' }, { ...last, name: 'b' });
    expect(controller.get(Fork, { id: '19' })).toMatchObject({ name: 'b', left: { id: 18 } });
    expect(visits).toBeLessThanOrEqual(20);
  });
});

describe('a record that is nested in a value', () => {
  it('refers to the current record of the store, and is data where there is none', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { friend: { id: '2', name: 'two' } });
    const current = controller.get(User, { id: '1' })?.friend;
    controller.set(User, { id: '2' }, { name: 'changed' });
    expect(controller.get(User, { id: '2' })?.name).toBe('changed');
    controller.set(User, { id: '1' }, { friend: current });
    expect(controller.get(User, { id: '2' })?.name).toBe('two');
    controller.set(User, { id: '1' }, { friend: controller.get(User, { id: '2' }) });
    controller.set(User, { id: '1' }, { friend: User.fromJS({ id: '2', name: 'made' }) });
    expect(controller.get(User, { id: '1' })?.friend?.name).toBe('made');
  });

  it('is data where a function of the program responds with it', async () => {
    const { controller } = openWorld();
    const get = manual('getUser', User);
    const request = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', friend: User.fromJS({ id: '2', name: 'made' }) });
    expect((await request).friend).toMatchObject({ id: '2', name: 'made' });
  });

  it('may hold itself, in the value that a function of the program responds with too', async () => {
    const { controller } = openWorld();
    const circle = (id: string): object => {
      const inner = { id: `${id}b`, friend: {} };
      const outer = { id, name: 'outer', friend: inner };
      inner.friend = outer;
      return outer;
    };
    controller.set(User, {}, circle('1'));
    const get = manual('getUser', User);
    const request = controller.fetch(get.endpoint, { id: '2' });
    await get.respond(circle('2'));
    await request;
    for (const id of ['1', '2']) {
      const user = controller.get(User, { id });
      expect(user?.name).toBe('outer');
      expect(user?.friend?.friend).toBe(user);
    }
  });

  it('is visited once, however many paths lead to the same object', () => {
    class Fork extends Entity {
      id = '';
      left: Fork | undefined = undefined;
      right: Fork | undefined = undefined;
      static override key = 'PlainFork';
      static override schema: Record<string, unknown> = {};
    }
    Fork.schema = { left: Fork, right: Fork };
    const { controller } = openWorld();
    let fork: object = { id: '0' };
    for (let id = 1; id < 40; id += 1) fork = { id: String(id), left: fork, right: fork };
    controller.set(Fork, {}, fork);
    const last = controller.get(Fork, { id: '39' });
    expect(last?.left).toBe(last?.right);
    expect(controller.get(Fork, { id: '0' })).toBeInstanceOf(Fork);
  });

  it('reads the defaults of fields that are not stored, and stores only those that it changes', () => {
    class Counter extends Entity {
      id = '';
      seen = 0;
      tags: string[] = [];
      static override key = 'UpdatersCounter';
    }
    const { controller } = openWorld();
    controller.set(Counter, { id: '1' }, {});
    controller.set(Counter, { id: '1' }, (counter) => ({
      ...counter,
      seen: (counter?.seen ?? NaN) + 1,
    }));
    expect(controller.get(Counter, { id: '1' })?.seen).toBe(1);
    expect(getState(controller).entities['UpdatersCounter']?.[0]?.fields).toEqual({
      id: '1',
      seen: 1,
    });
  });

  it('is nothing where it is the default of a field: the store keeps what it knew', () => {
    class Report extends Entity {
      id = '';
      title = '';
      author = Item.fromJS({ name: 'nobody' });
      static override key = 'UpdatersReport';
      static override schema = { author: Item };
    }
    const { controller } = openWorld();
    controller.set(Report, { id: '1' }, { author: 'a' });
    const report = controller.get(Report, { id: '1' });
    expect(report?.author.name).toBe('nobody');
    controller.set(Report, { id: '1' }, { ...report, title: 'new' });
    controller.set(Item, { id: 'a' }, { name: 'Ann' });
    expect(controller.get(Report, { id: '1' })).toMatchObject({
      title: 'new',
      author: { name: 'Ann' },
    });
    const { endpoint } = manual('getItem', Item);
    expect(() => controller.setResponse(endpoint, report?.author as Item)).toThrow(
      /no primary key/,
    );
  });
});

describe('a chain of 20 000 nested records', { tags: 'scale' }, () => {
  const makeChain = (): object => {
    let chain: object = { id: '0', name: 'tail' };
    for (let id = 1; id < 20_000; id += 1) chain = { id: String(id), friend: chain };
    return chain;
  };

  it('is stored by setResponse, and a write to its tail is seen from its head', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('head', User);
    controller.setResponse(endpoint, { id: '19999' }, makeChain());
    const view = controller.observe(endpoint, { id: '19999' });
    const notified = listen(view);
    expect(view.getSnapshot().status).toBe('ready');
    controller.set(User, { id: '0' }, { name: 'renamed' });
    expect(notified.count).toBe(1);
    let user = controller.get(User, { id: '19999' });
    while (user?.friend) user = user.friend;
    expect(user?.name).toBe('renamed');
  });
});
