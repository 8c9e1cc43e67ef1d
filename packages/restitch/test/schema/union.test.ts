import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  indexBy,
  Invalidate,
  Union,
  Values,
} from 'restitch';
import { describe, expect, it, vi } from 'vitest';

abstract class Feed extends Entity {
  id = '';
  type: 'link' | 'post' = 'link';
  title = '';
}
class Link extends Feed {
  override type = 'link' as const;
  url = '';
  static override key = 'Link';
}
class Post extends Feed {
  override type = 'post' as const;
  content = '';
  static override key = 'Post';
}

const openFeed = () => {
  const controller = new Controller();
  const feed = new Union({ link: Link, post: Post }, 'type');
  let response: unknown = [
    { id: '1', type: 'link', url: '/a' },
    { id: '1', type: 'post', content: 'same id, other class' },
    null,
  ];
  const list = new Collection([feed]);
  const getFeed = new Endpoint(async () => response, { name: 'getFeed', schema: list });
  const getPlain = new Endpoint(async () => response, { name: 'getPlain', schema: [feed] });
  return {
    controller,
    feed,
    list,
    getFeed,
    getPlain,
    respond: (value: unknown) => {
      response = value;
    },
  };
};

describe('Union', () => {
  it('makes instances of the class that the attribute names, and keeps null members', async () => {
    const { controller, getFeed } = openFeed();
    const [link, post, nothing] = await controller.fetch(getFeed);
    expect(link).toBeInstanceOf(Link);
    expect(post).toBeInstanceOf(Post);
    expect(nothing).toBeNull();
    expect(controller.get(Link, { id: '1' })).toBe(link);
    expect(controller.get(Post, { id: '1' })).toBe(post);
  });

  it('narrows on the discriminator', async () => {
    const { controller, getFeed } = openFeed();
    const [first] = await controller.fetch(getFeed);
    if (first?.type === 'link') {
      const url: string = first.url;
      expect(url).toBe('/a');
    }
    // @ts-expect-error not every class of the union has it
    void first?.url;
  });

  it('chooses by a function of value, parent and key', async () => {
    const seen: unknown[] = [];
    const choose = (value: { url?: string }, parent: unknown, key: string | undefined) => {
      seen.push([Object(parent).title, key]);
      return 'url' in value ? 'link' : 'post';
    };
    const byShape = new Union({ link: Link, post: Post }, choose);
    const controller = new Controller();
    const get = new Endpoint(
      async (): Promise<unknown> => ({ title: 't', items: [{ id: '1', url: '/a' }, { id: '2' }] }),
      {
        name: 'get',
        schema: { title: '', items: [byShape] },
      },
    );
    const { items } = await controller.fetch(get);
    expect(items.map((item) => item.constructor)).toEqual([Link, Post]);
    expect(seen).toEqual([
      ['t', 'items'],
      ['t', 'items'],
    ]);
  });

  it('passes through what no class is known for, with one warning, and makes no record of it', async () => {
    const { controller, getPlain, respond } = openFeed();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const unknown = { id: '9', type: 'video' };
    respond([unknown, { id: '8' }, 'text']);
    await expect(controller.fetch(getPlain)).resolves.toEqual([unknown, { id: '8' }, 'text']);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(/"video".*link, post/s);
    warn.mockRestore();
  });

  it('says of a value without the attribute that it lacks it', async () => {
    const { controller, getPlain, respond } = openFeed();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    respond([{ id: '8' }]);
    await controller.fetch(getPlain);
    expect(warn.mock.calls[0]?.[0]).toMatch(/discriminator undefined/);
    warn.mockRestore();
  });

  it('treats discriminators such as constructor as unknown', async () => {
    const { controller, getPlain, respond } = openFeed();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    respond([{ id: '1', type: 'constructor' }, JSON.parse('{"id":"2","type":"__proto__"}')]);
    await expect(controller.fetch(getPlain)).resolves.toHaveLength(2);
    expect(controller.get(Link, { id: '1' })).toBeUndefined();
    warn.mockRestore();
  });

  it('gets further classes by define, for those that refer to the union', async () => {
    class Folder extends Feed {
      children: Feed[] = [];
      static override key = 'Folder';
    }
    const tree = new Union({ link: Link }, 'type');
    Folder.schema = { children: [tree] };
    tree.define({ folder: Folder });
    const controller = new Controller();
    const get = new Endpoint(
      async (): Promise<unknown> => ({
        id: 'f',
        type: 'folder',
        children: [
          { id: 'l', type: 'link' },
          { id: 'f', type: 'folder' },
        ],
      }),
      { name: 'getTree', schema: tree },
    );
    const root = (await controller.fetch(get)) as Feed as Folder;
    expect(root).toBeInstanceOf(Folder);
    expect(root.children[0]).toBeInstanceOf(Link);
    expect(root.children[1]).toBe(root);
  });

  it('is looked up by key alone in every class, and directly with a discriminator', async () => {
    const { controller, feed, getFeed, respond } = openFeed();
    respond([{ id: '5', type: 'post' }]);
    const [post] = await controller.fetch(getFeed);
    expect(controller.get(feed, { id: '5' })).toBe(post);
    expect(controller.get(feed, { id: '5', type: 'post' })).toBe(post);
    expect(controller.get(feed, { id: '5', type: 'link' })).toBeUndefined();
  });

  it('says of what it is asked for by key alone that it was deleted', () => {
    const { controller, feed } = openFeed();
    const getOne = new Endpoint(async (_: { id: string }) => ({}), {
      name: 'getOne',
      schema: feed,
    });
    controller.set(Link, { id: '5' }, { title: 'gone' });
    controller.set(new Invalidate(Link), {}, { id: '5' });
    const view = controller.observe(getOne, { id: '5' });
    expect(view.getSnapshot()).toEqual({ status: 'pending', deleted: true });
    controller.set(Post, { id: '5' }, { title: 'there', type: 'post', content: '' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'there' } });
  });

  it('lets creates enter and deletes leave its lists', async () => {
    const { controller, feed, list, getFeed } = openFeed();
    await controller.fetch(getFeed);
    const create = new Endpoint(async (body: object): Promise<unknown> => ({ id: '7', ...body }), {
      name: 'create',
      schema: list.push,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    const remove = new Endpoint(async (params: object): Promise<unknown> => params, {
      name: 'remove',
      schema: new Invalidate(feed),
      sideEffect: true,
    });
    const titles = () => controller.getResponse(getFeed)?.map((item) => item?.id);
    const created = controller.fetch(create, { type: 'post' });
    expect(titles()).toHaveLength(4);
    await created;
    expect(titles()).toEqual(['1', '1', undefined, '7']);
    await controller.fetch(remove, { id: '1', type: 'post' });
    expect(titles()).toEqual(['1', undefined, '7']);
    await controller.fetch(remove, { id: '1' });
    expect(titles()).toEqual([undefined, '7']);
  });

  it('takes a created instance that has no key yet, which no record holds', () => {
    const parents: unknown[] = [];
    class Named extends Link {
      static override process(input: unknown, parent?: unknown): unknown {
        parents.push(parent);
        return input;
      }
    }
    const controller = new Controller();
    const list = new Collection([new Union({ link: Named, post: Post }, 'type')]);
    controller.set(list, {}, []);
    const create = new Endpoint(async (): Promise<unknown> => new Promise(() => {}), {
      name: 'create',
      schema: list.push,
      sideEffect: true,
      getOptimisticResponse: () => Named.fromJS({ title: 'new' }),
    });
    void controller.fetch(create);
    expect(controller.get(list, {})).toMatchObject([{ type: 'link', title: 'new' }]);
    expect(parents).toEqual([undefined]);
  });

  it('passes through a text that only begins like what the store makes of a reference', async () => {
    const { controller, getPlain, respond } = openFeed();
    const texts = [
      'x["link","1"]',
      '\u0000["1"]',
      '\u0000["link",1]',
      '\u0000{"length":2}',
      '\u0000"link,1"',
      '\u0000',
    ];
    respond(texts);
    await expect(controller.fetch(getPlain)).resolves.toEqual(texts);
  });

  it('leaves out a member that process makes nothing of, and creates nothing of a bare value', async () => {
    class Draft extends Post {
      static override process(input: unknown): unknown {
        return Object(input).hidden ? undefined : input;
      }
    }
    const controller = new Controller();
    const feed = new Union({ link: Link, post: Draft }, 'type');
    const list = new Collection([feed]);
    controller.set(list, {}, [
      { type: 'post', hidden: true },
      { type: 'link', id: '1' },
    ]);
    controller.set(list.push, {}, 'bare' as never);
    expect(controller.get(list, {})).toEqual([Link.fromJS({ id: '1' })]);
  });

  it('keeps the records of several classes if a delete names only their key', () => {
    const controller = new Controller();
    const byShape = new Union({ link: Link, post: Post }, (value: object) =>
      'url' in value ? 'link' : 'post',
    );
    controller.set([byShape], {}, [
      { id: '55', url: '/a' },
      { id: '55', content: 'd' },
    ]);
    controller.set(new Invalidate(byShape), {}, '55');
    expect(controller.get(Link, { id: '55' })).toBeDefined();
    expect(controller.get(Post, { id: '55' })).toBeDefined();
    controller.set(new Invalidate(Post), {}, '55');
    controller.set(new Invalidate(byShape), {}, '55');
    expect(controller.get(Link, { id: '55' })).toBeUndefined();
  });

  it.each([
    ['numbers', { 1: Link, 2: Post }, 2],
    ['booleans', { false: Link, true: Post }, true],
  ])('takes %s for discriminators, as definitions do', async (_, definition, type) => {
    const controller = new Controller();
    const schema = new Union(definition as { 1: typeof Link; 2: typeof Post }, 'type' as never);
    const get = new Endpoint(async (): Promise<unknown> => [{ id: '1', type }], {
      name: 'getTyped',
      schema: [schema],
    });
    const [post] = await controller.fetch(get);
    expect(post).toBeInstanceOf(Post);
    expect(controller.get(schema, { id: '1', type: type as never })).toBe(post);
  });

  it('that chooses by a function is looked up, and deleted from, by key alone', async () => {
    const controller = new Controller();
    const byShape = new Union({ link: Link, post: Post }, (value: { url?: string }) =>
      'url' in value ? 'link' : 'post',
    );
    controller.set([byShape], {}, [
      { id: '1', url: '/a' },
      { id: '2', content: 'b' },
      { id: '3', url: '/c' },
      { id: '3', content: 'd' },
    ]);
    expect(controller.get(byShape, { id: '1' })).toBeInstanceOf(Link);
    expect(controller.get(byShape, { id: '2' })).toBeInstanceOf(Post);
    const remove = new Endpoint(async (_: { id: string }): Promise<unknown> => null, {
      name: 'remove',
      schema: new Invalidate(byShape),
      sideEffect: true,
    });
    await controller.fetch(remove, { id: '1' });
    expect(controller.get(byShape, { id: '1' })).toBeUndefined();
    // What says more than its key says which one it is.
    controller.set(new Invalidate(byShape), {}, { id: '3', content: 'd' });
    expect(controller.get(byShape, { id: '3' })).toBeInstanceOf(Link);
  });

  it('that chooses by a function is asked about a deleted record that says more than the call did', async () => {
    const controller = new Controller();
    const byShape = new Union({ link: Link, post: Post }, (value: { url?: string }) =>
      'url' in value ? 'link' : 'post',
    );
    const classesOf = (id: string) => {
      const found = [controller.get(Link, { id }), controller.get(Post, { id })];
      return found.map((record) => record?.type);
    };
    const remove = new Endpoint(async (response: object, ..._: unknown[]) => response, {
      name: 'remove',
      schema: new Invalidate(byShape),
      sideEffect: true,
    });
    const removeLast = new Endpoint(async (): Promise<object> => ({ id: '2', content: 'd' }), {
      name: 'removeLast',
      schema: new Invalidate(byShape),
      sideEffect: true,
    });
    for (const id of ['1', '2', '3', '4']) {
      controller.set([byShape], {}, [
        { id, url: '/a' },
        { id, content: 'd' },
      ]);
    }
    await controller.fetch(remove, { id: '1', content: 'd' }, 'now');
    expect(classesOf('1')).toEqual(['link', 'post']);
    await controller.fetch(removeLast);
    expect(classesOf('2')).toEqual(['link', undefined]);
    controller.set(new Invalidate(byShape), { id: '3' }, { id: '3', content: 'd' });
    expect(classesOf('3')).toEqual(['link', undefined]);
    controller.set(new Invalidate(byShape), 'all', { id: '4' });
    expect(classesOf('4')).toEqual(['link', 'post']);
  });

  it('is looked up by its key although its function needs more than that', () => {
    const controller = new Controller();
    const byMeta = new Union(
      { link: Link, post: Post },
      ({ meta }: { meta: { kind: string } }) => meta.kind,
    );
    controller.set(byMeta, {}, { id: '1', meta: { kind: 'post' } });
    expect(controller.get(byMeta, { id: '1' })).toBeInstanceOf(Post);
  });

  it('reads each record as the class of its discriminator where classes have one key', async () => {
    abstract class Vehicle extends Entity {
      id = '';
      type = '';
      static override key = 'Vehicle';
    }
    class Car extends Vehicle {
      seats = 4;
    }
    class Truck extends Vehicle {
      load = 0;
    }
    const vehicle = new Union({ car: Car, van: Car, truck: Truck }, 'type');
    const list = new Collection([vehicle]);
    const get = new Endpoint(
      async (): Promise<unknown> => [
        { id: '1', type: 'truck', load: 3 },
        { id: '2', type: 'car' },
        { id: '3', type: 'van' },
      ],
      { name: 'getVehicles', schema: list },
    );
    const controller = new Controller();
    const [truck, car, van] = await controller.fetch(get);
    expect([truck?.constructor, car?.constructor, van?.constructor]).toEqual([Truck, Car, Car]);
    expect(controller.get(vehicle, { id: '1' })).toBe(truck);
    expect(controller.get(vehicle, { id: '3' })).toBe(van);
    expect(new Set(controller.get(new All(vehicle)))).toEqual(new Set([truck, car, van]));
    expect(controller.get(new All(vehicle))).toHaveLength(3);
    const removed = new Invalidate(vehicle);
    controller.set(removed, {}, { id: '1' });
    expect(controller.getResponse(get)).toEqual([car, van]);
    expect(controller.get(new All(vehicle))).toHaveLength(2);
  });

  it('reads all records of its classes', () => {
    const { controller, feed } = openFeed();
    const all = new All(feed);
    controller.set([feed], {}, [
      { id: '1', type: 'link' },
      { id: '2', type: 'post' },
    ]);
    controller.observeQuery(all).subscribe(() => {});
    controller.set(new Invalidate(Link), {}, '1');
    controller.set(feed, {}, { id: '3', type: 'post' });
    expect(controller.get(all)?.map(({ id }) => id)).toEqual(['2', '3']);
  });

  it('is looked up along with other things in one object', () => {
    const controller = new Controller();
    class Named extends Feed {
      static override key = 'Named';
      static override indexes = indexBy('id');
      override pk(): string {
        return `named ${this.id}`;
      }
    }
    const feed = new Union({ link: Link, post: Post }, 'type');
    controller.set(Post, { id: '5' }, { title: 'post' });
    controller.set(Named, {}, { id: '5', title: 'named' });
    const all = { first: feed, second: Named, third: feed, fourth: Post };
    expect(controller.get(all, { id: '5' })).toMatchObject({
      first: { title: 'post' },
      second: { title: 'named' },
      third: { title: 'post' },
      fourth: { title: 'post' },
    });
  });

  it('reads all records where only one of its classes has any', () => {
    const controller = new Controller();
    const all = new All(new Union({ link: Link, post: Post }, 'type'));
    expect(controller.get(all)).toBeUndefined();
    controller.set(Post, { id: '1' }, {});
    expect(controller.get(all)).toEqual([Post.fromJS({ id: '1' })]);
  });

  it('keeps its lists apart from those of the same classes under other names', async () => {
    const controller = new Controller();
    const other = new Union({ a: Link, p: Post }, ({ url }: { url?: string }) => (url ? 'a' : 'p'));
    const shapes = { ours: new Collection([openFeed().feed]), theirs: new Collection([other]) };
    const plain = new Collection([Link]);
    const get = new Endpoint(
      async (): Promise<unknown> => ({
        ours: [{ id: '1', type: 'link', url: '/a' }],
        theirs: [{ id: '1', url: '/a' }],
      }),
      { name: 'getBoth', schema: shapes },
    );
    const { ours, theirs } = await controller.fetch(get);
    expect(theirs[0]).toBeInstanceOf(Link);
    expect(theirs).toEqual(ours);
    controller.set(plain, {}, [{ id: '2' }]);
    controller.set(new Collection([new Union({ only: Link }, () => 'only')]), {}, [{ id: '3' }]);
    expect(controller.get(plain, {})?.map(({ id }) => id)).toEqual(['2']);
  });

  it('needs both arguments', () => {
    // @ts-expect-error the attribute is missing
    expect(() => new Union({ link: Link })).toThrow(TypeError);
    // @ts-expect-error not every class has the field
    void new Union({ link: Link, post: Post }, 'url');
  });
});

describe('Values', () => {
  it('reads as a map of instances without what is null or deleted', async () => {
    const controller = new Controller();
    const get = new Endpoint(
      async (): Promise<unknown> => ({
        a: { id: '1', type: 'link' },
        b: null,
        __proto__x: { id: '2', type: 'link' },
      }),
      { name: 'getMap', schema: new Values(Link) },
    );
    const map = await controller.fetch(get);
    expect(Object.keys(map)).toEqual(['a', '__proto__x']);
    expect(map['a']).toBeInstanceOf(Link);
    const view = controller.observe(get);
    view.subscribe(() => {});
    const before = view.getSnapshot();
    await controller.fetch(get);
    expect(view.getSnapshot()).toBe(before);
    controller.set(new Invalidate(Link), {}, '1');
    expect(Object.keys(controller.getResponse(get) ?? {})).toEqual(['__proto__x']);
  });
});

describe('a deserializer', () => {
  it('that is a constructor function with methods is constructed, as mocked dates are', () => {
    const FakeDate = function (value: string) {
      return new.target ? Reflect.construct(Date, [value], new.target) : String(value);
    } as unknown as DateConstructor;
    Object.defineProperty(FakeDate, 'prototype', { value: Date.prototype, writable: true });
    class Event extends Entity {
      id = '';
      at = new Date(0);
      static override key = 'Event';
      static override schema = { at: FakeDate };
    }
    const controller = new Controller();
    controller.set(Event, {}, { id: '1', at: '2026-01-01T00:00:00.000Z' });
    expect(controller.get(Event, { id: '1' })?.at).toBeInstanceOf(Date);
  });

  it('that is a plain function is called', () => {
    class Price extends Entity {
      id = '';
      cents = 0;
      static override key = 'Price';
      static override schema = {
        cents: function (raw: number) {
          return raw * 100;
        },
      };
    }
    const controller = new Controller();
    controller.set(Price, {}, { id: '1', cents: 2 });
    expect(controller.get(Price, { id: '1' })?.cents).toBe(200);
  });
});
