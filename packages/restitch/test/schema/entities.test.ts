import {
  Collection,
  Endpoint,
  Entity,
  Invalidate,
  resource,
  RestEndpoint,
  Union,
  Values,
} from 'restitch';
import { getState } from 'restitch/state';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import {
  dataOf,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
} from '../support/world.js';

class User extends Entity {
  id: string | number = '';
  name = 'nobody';
  tags: readonly string[] = [];
  boss: User | null | undefined = undefined;
  team: readonly (User | null)[] = [];
  born: Date | null | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
  get initial(): string {
    return this.name.slice(0, 1);
  }
}
User.schema = { boss: User, team: [User], born: Date };

const server = await serverOfFile();
afterEach(() => server.respond((request) => request));

describe('a primary key', () => {
  it('is the field id as text: numbers and texts are one, and zero is a key', () => {
    const { controller } = openWorld();
    controller.set(User, { id: 0 }, { name: 'zero' });
    controller.set(User, { id: '5' }, { name: 'five' });
    expect(controller.get(User, { id: '0' })?.name).toBe('zero');
    expect(controller.get(User, { id: 5 })).toBe(controller.get(User, { id: '5' }));
    controller.set(User, {}, { id: 12345678901234567890n as never, name: 'long' });
    expect(controller.get(User, { id: '12345678901234567890' })?.name).toBe('long');
    expect(controller.get(User, { id: 12345678901234567890n as never })?.name).toBe('long');
  });

  it('that is no number after all is none: records do not collapse into one', async () => {
    class Numbered extends Entity {
      slug = '';
      static override key = 'Numbered';
      override pk(): number {
        return Number(this.slug);
      }
    }
    const { controller } = openWorld();
    const get = new Endpoint(async (): Promise<unknown> => [{ slug: 'a' }, { slug: 'b' }], {
      name: 'getNumbered',
      schema: [Numbered],
    });
    await expect(controller.fetch(get)).rejects.toMatchObject({ code: 'missing-primary-key' });
    expect(() => controller.set(User, {}, { id: Infinity })).toThrow(/no primary key/);
  });

  it.each([
    ['a record', [{ id: 2 ** 60 }], 'missing-primary-key'],
    ['a reference', [{ id: '1', boss: 2 ** 60 }], 'unexpected-shape'],
  ])('is no number that JSON.parse has rounded: in %s', async (_, response, code) => {
    const { controller } = openWorld();
    const get = new Endpoint(async (): Promise<unknown> => response, {
      name: 'getRounded',
      schema: [User],
    });
    await expect(controller.fetch(get)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/rounds numbers above 2\^53.* send the key as text/),
    });
    expect(controller.get(User, { id: 2 ** 53 - 1 })).toBeUndefined();
    controller.set(User, {}, { id: 2 ** 53 - 1, name: 'exact' });
    expect(controller.get(User, { id: 2 ** 53 - 1 })?.name).toBe('exact');
  });

  it('may be made of the parent, the field and the arguments of the call', async () => {
    class Line extends Entity {
      text = '';
      static override key = 'Line';
      override pk(parent?: unknown, key?: string, args?: readonly unknown[]): string {
        return `${Object(parent).name}.${key}.${Object(args?.[0]).version}.${this.text}`;
      }
    }
    const { controller } = openWorld();
    const get = manual('getPage', { name: '', lines: [Line] });
    const request = controller.fetch(get.endpoint, { version: 2 });
    await get.respond({ name: 'page', lines: [{ text: 'a' }] });
    await request;
    expect(controller.get(Line, 'page.lines.2.a')?.text).toBe('a');
  });

  it('may be made of that of the record in which it stands, in lists and objects of it too', async () => {
    class Seat extends Entity {
      number = 0;
      row = '';
      static override key = 'Seat';
      static override process(input: unknown, parent?: unknown, key?: string): unknown {
        return { ...Object(input), row: `${Object(parent).id}/${key}` };
      }
      override pk(): string {
        return `${this.row}/${this.number}`;
      }
    }
    class Row extends Entity {
      id = '';
      seats: Seat[] = [];
      static override key = 'Row';
      static override schema = { seats: [Seat], lists: [[Seat]], list: new Collection([Seat]) };
    }
    const { controller } = openWorld();
    const [seat] = [{ number: 4 }];
    controller.set(Row, {}, { id: 'C', seats: [seat], lists: [[seat]], list: [seat] });
    expect(controller.get(Seat, 'C/seats/4')).toBe(controller.get(Row, { id: 'C' })?.seats[0]);
    expect(controller.get(Seat, 'C/lists/4')?.number).toBe(4);
    expect(controller.get(Seat, 'C/list/4')?.number).toBe(4);
  });

  it('may be made of the array in which it stands, where nothing holds that', async () => {
    class Rank extends Entity {
      name = '';
      static override key = 'Rank';
      override pk(parent?: unknown, key?: string): string {
        const all: readonly { name: string }[] = Array.isArray(parent) ? parent : [];
        return `${key}${all.findIndex(({ name }) => name === this.name)}`;
      }
    }
    const { controller } = openWorld();
    const get = manual('getRanks', [Rank]);
    const request = controller.fetch(get.endpoint);
    await get.respond([{ name: 'a' }, { name: 'b' }]);
    await request;
    expect(controller.get(Rank, 'undefined1')?.name).toBe('b');
  });

  it('may be nested and composed in process', () => {
    class Seat extends Entity {
      id = '';
      row = '';
      static override key = 'Seat';
      static override process(input: unknown): unknown {
        const { place } = Object(input);
        return place
          ? { ...Object(input), id: `${place.row}-${place.number}`, row: place.row }
          : input;
      }
    }
    const { controller } = openWorld();
    controller.set(Seat, {}, { place: { row: 'C', number: 4 } });
    expect(controller.get(Seat, { id: 'C-4' })?.row).toBe('C');
  });
});

describe('a class', () => {
  it('has a key only where it or a base sets one', () => {
    class Plain extends Entity {}
    class Renamed extends Entity {
      static override get key(): string {
        return 'other';
      }
    }
    class Inheriting extends Renamed {}
    expect([Plain.key, Renamed.key, Inheriting.key]).toEqual([undefined, 'other', 'other']);
  });

  it('makes instances of a part of its fields, as own properties', () => {
    const user = User.fromJS({ id: '1' });
    expect(user).toBeInstanceOf(User);
    expect({ ...user }).toEqual({
      id: '1',
      name: 'nobody',
      tags: [],
      boss: undefined,
      team: [],
      born: undefined,
    });
    expect(user.initial).toBe('n');
  });

  it('that is abstract shares its fields with the classes below it', () => {
    abstract class Base extends Entity {
      id = '';
      at: Date | undefined = undefined;
      static override schema = { at: Date };
    }
    class One extends Base {
      static override key = 'One';
    }
    class Two extends Base {
      static override key = 'Two';
    }
    const { controller } = openWorld();
    controller.set(One, { id: '1' }, { at: '2026-01-01' });
    expect(controller.get(One, { id: '1' })?.at).toEqual(new Date('2026-01-01'));
    expect(controller.get(Two, { id: '1' })).toBeUndefined();
  });
});

describe('a stored record', () => {
  it('reads with defaults and getters, and keeps fields that its class does not know', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { extra: { deep: [1] } });
    const user = controller.get(User, { id: '1' });
    expect(user).toMatchObject({ name: 'nobody', extra: { deep: [1] } });
    expect(user?.initial).toBe('n');
  });

  it('takes newer fields over older ones, one level deep', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { name: 'Ada', extra: { a: 1 } });
    controller.set(User, { id: '1' }, { extra: { b: 2 } });
    expect(controller.get(User, { id: '1' })).toMatchObject({ name: 'Ada', extra: { b: 2 } });
    expect(controller.get(User, { id: '1' })).not.toHaveProperty('extra.a');
  });

  it('is joined from several copies in one response, in order', async () => {
    const { controller } = openWorld();
    const get = manual('getUsers', [User]);
    const request = controller.fetch(get.endpoint);
    await get.respond([
      { id: '1', name: 'first', tags: ['x'] },
      { id: '1', name: 'second' },
    ]);
    const [user, same] = await request;
    expect(user).toBe(same);
    expect(user).toMatchObject({ name: 'second', tags: ['x'] });
  });

  it('is joined from copies at any depth of one response, in the order in which they stand', async () => {
    const { controller } = openWorld();
    const get = manual('getUsers', [User]);
    const request = controller.fetch(get.endpoint);
    await get.respond([
      { id: '1', boss: { id: '2', name: 'inside' } },
      { id: '2', name: 'after' },
      { id: '3', name: 'before' },
      { id: '4', boss: { id: '3', name: 'inside' } },
    ]);
    expect((await request).map(({ name }) => name)).toEqual([
      'nobody',
      'after',
      'inside',
      'nobody',
    ]);
  });

  it('is deleted where process gives undefined', async () => {
    class Hideable extends User {
      static override key = 'Hideable';
      static override process(input: unknown): unknown {
        return Object(input).hidden ? undefined : input;
      }
    }
    const { controller } = openWorld();
    controller.set(Hideable, { id: '1' }, { name: 'Ada' });
    expect(controller.get(Hideable, { id: '1' })?.name).toBe('Ada');
    const get = manual('get', [Hideable]);
    const request = controller.fetch(get.endpoint);
    // What has no key cannot be deleted, it is left out.
    await get.respond([{ id: '1', hidden: true }, { id: '2' }, { hidden: true }]);
    expect(idsOf((await request).map(({ id }) => ({ id: String(id) })))).toEqual(['2']);
    expect(controller.get(Hideable, { id: '1' })).toBeUndefined();
    // Its place is kept.
    controller.set(Hideable, { id: '1' }, { name: 'Ada' });
    expect(controller.getResponse(get.endpoint)?.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('keeps null and absent fields, for which nothing is deserialized', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { born: null, boss: null });
    controller.set(User, { id: '2' }, {});
    expect(controller.get(User, { id: '1' })).toMatchObject({ born: null, boss: null });
    expect(controller.get(User, { id: '2' })?.born).toBeUndefined();
  });

  it('holds raw values, so that stored records are plain data', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { born: '1815-12-10', boss: { id: '2' } });
    controller.get(User, { id: '1' });
    expect(JSON.stringify(getState(controller))).toContain('1815-12-10"');
  });

  it('that validate refuses on read counts as missing, so that readers fetch the whole one', () => {
    class Whole extends User {
      static override key = 'User';
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return 'name' in value ? undefined : 'only a part';
      }
    }
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { tags: ['x'] });
    expect(controller.get(Whole, { id: '1' })).toBeUndefined();
    const get = manual('getWhole', Whole);
    expect(controller.observe(get.endpoint, { id: '1' }).getSnapshot().status).toBe('pending');
    controller.set(User, { id: '1' }, { name: 'Ada' });
    expect(controller.get(Whole, { id: '1' })).toMatchObject({ name: 'Ada', tags: ['x'] });
  });
});

describe('relations', () => {
  it('that are written as undefined or null are none', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { boss: { id: '2' } });
    expect(controller.get(User, { id: '1' })?.boss?.id).toBe('2');
    controller.set(User, { id: '1' }, { boss: null });
    expect(controller.get(User, { id: '1' })?.boss).toBeNull();
    controller.set(User, { id: '1' }, { boss: undefined });
    expect(controller.get(User, { id: '1' })?.boss).toBeUndefined();
  });

  it('to what is not there read as the default; lists leave it out and keep null', () => {
    const { controller } = openWorld();
    controller.set(User, { id: '1' }, { boss: 'unknown', team: ['unknown', null, { id: '2' }] });
    const user = controller.get(User, { id: '1' });
    expect(user?.boss).toBeUndefined();
    expect(user?.team).toEqual([null, controller.get(User, { id: '2' })]);
  });

  it('to what is not there are no fields where the class has no default, and a copy leaves them as they are', () => {
    class Note extends Entity {
      id = '';
      text = '';
      declare author?: Item;
      static override key = 'EntitiesNote';
      static override schema = { author: Item };
    }
    const { controller } = openWorld();
    controller.set(Note, { id: '1' }, { author: 'a' });
    const note = controller.get(Note, { id: '1' });
    expect(Object.keys(note ?? {})).toEqual(['id', 'text']);
    controller.set(Note, { id: '1' }, { ...note, text: 'changed' });
    controller.set(Item, { id: 'a' }, { name: 'Ann' });
    expect(controller.get(Note, { id: '1' })).toMatchObject({
      text: 'changed',
      author: { name: 'Ann' },
    });
  });

  it('that a record lacks are not looked for in what every object has', () => {
    class Odd extends Entity {
      id = '';
      static override key = 'EntitiesOdd';
      static override schema = { toString: Item, valueOf: [Item] };
    }
    const { controller } = openWorld();
    controller.set(Odd, { id: '1' }, {});
    expect(Object.keys(controller.get(Odd, { id: '1' }) ?? {})).toEqual(['id']);
  });

  it('in a circle keep their identity', () => {
    const { controller } = openWorld();
    controller.set(User, {}, { id: 'a', boss: { id: 'b', boss: 'a' }, team: ['a', 'b'] });
    const a = controller.get(User, { id: 'a' });
    expect(a?.boss?.boss).toBe(a);
    expect(a?.team).toEqual([a, a?.boss]);
  });

  it(
    'are read whole through a hundred thousand linked records, and changed at their end',
    { tags: 'scale' },
    () => {
      const { controller } = openWorld();
      const count = 100_000;
      let chain: object = { id: `u${count - 1}` };
      for (let index = count - 2; index >= 0; index -= 1) chain = { id: `u${index}`, boss: chain };
      const get = new RestEndpoint({ path: '/chain', schema: User });
      controller.setResponse(get, chain);
      const view = controller.observe(get);
      const notified = listen(view);
      const lengthOf = (): [number, string | undefined] => {
        let length = 0;
        let last: User | null | undefined;
        for (let user: typeof last = dataOf(view); user; user = user.boss) {
          length += 1;
          last = user;
        }
        return [length, last?.name];
      };
      expect(lengthOf()).toEqual([count, 'nobody']);
      controller.set(User, { id: `u${count - 1}` }, { name: 'the last' });
      expect(lengthOf()).toEqual([count, 'the last']);
      expect(notified.count).toBe(1);
    },
  );

  it('notify once of one record that a hundred thousand refer to', { tags: 'scale' }, () => {
    const { controller } = openWorld();
    const get = new RestEndpoint({ path: '/hub', schema: [User] });
    const users = Array.from({ length: 100_000 }, (_, id) => ({ id, boss: 'hub' }));
    controller.setResponse(get, [{ id: 'hub', name: 'Hub' }, ...users]);
    const view = controller.observe(get);
    const notified = listen(view);
    controller.set(User, { id: 'hub' }, { name: 'changed' });
    expect(notified.count).toBe(1);
    expect(
      new Set(
        dataOf(view)
          ?.slice(1)
          .map(({ boss }) => boss?.name),
      ),
    ).toEqual(new Set(['changed']));
  });
});

describe('Values', () => {
  it('reads each deserialized value', async () => {
    const { controller } = openWorld();
    const get = manual('getDates', { dates: new Values(Date) });
    const request = controller.fetch(get.endpoint);
    await get.respond({ dates: { a: '2026-01-01' } });
    expect((await request).dates['a']).toEqual(new Date('2026-01-01'));
  });
});

describe('a union', () => {
  class Link extends Entity {
    id = '';
    type = 'link' as const;
    static override key = 'UnionLink';
  }
  class Post extends Entity {
    id = '';
    type = 'post' as const;
    static override key = 'UnionPost';
  }
  const feed = new Union({ link: Link, post: Post }, 'type');

  it('keeps null, drops what is missing, and returns bare values as they are', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { controller } = openWorld();
    const getOne = new Endpoint(async (): Promise<unknown> => 'bare', {
      name: 'one',
      schema: feed,
    });
    const list = manual('list', [feed]);
    const request = controller.fetch(list.endpoint);
    await list.respond([null, undefined, 'bare', { id: '1', type: 'link' }]);
    expect(await request).toEqual([null, 'bare', Link.fromJS({ id: '1' })]);
    expect(await controller.fetch(getOne)).toBe('bare');
    vi.restoreAllMocks();
  });

  it('that holds something else than classes and unions is refused where it is used', async () => {
    const { controller } = openWorld();
    const wrong = new Union({ feed: [feed] } as never, () => 'feed');
    const get = new Endpoint(async () => [{ id: '1' }], { name: 'getWrong', schema: [wrong] });
    await expect(controller.fetch(get)).rejects.toBeInstanceOf(TypeError);
  });

  it('is found by its key once a record of either class arrives', () => {
    const { controller } = openWorld();
    const view = controller.observeQuery(feed, { id: '1' });
    const notified = listen(view);
    expect(dataOf(view)).toBeUndefined();
    controller.set(Post, { id: '1' }, {});
    expect(notified.count).toBe(1);
    expect(dataOf(view)).toBeInstanceOf(Post);
  });

  it('is the schema of a resource: a delete takes the record out of every list, and its readers fetch', async () => {
    const { controller } = openWorld();
    const Feed = resource({ urlPrefix: server.origin, path: '/feed/:id', schema: feed });
    server.respond(() => [
      { id: '1', type: 'link' },
      { id: '1', type: 'post' },
      { id: '2', type: 'post' },
    ]);
    await controller.fetch(Feed.getList);
    expect(controller.observe(Feed.get, { id: '2' }).getSnapshot().status).toBe('ready');
    server.respond(() => ({ id: '2', type: 'post' }));
    await controller.fetch(Feed.delete, { id: '2' });
    expect(controller.getResponse(Feed.getList)).toHaveLength(2);
    expect(controller.observe(Feed.get, { id: '2' }).needsLoad()).toBe(true);
  });

  it('deletes a record of its only class alone', async () => {
    const { controller } = openWorld();
    controller.set(Link, { id: '1' }, {});
    controller.set(Post, { id: '1' }, {});
    const remove = mutation('remove', new Invalidate(Link));
    ignore(controller.fetch(remove.endpoint, { id: '1' }));
    await remove.respond({ id: '1' });
    expect(controller.get(feed, { id: '1', type: 'link' })).toBeUndefined();
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Post);
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
  });
});
