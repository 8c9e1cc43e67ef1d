/** `changesSince` asks the class for keys, as the store does. */
import {
  changesSince,
  Controller,
  CustomSchema,
  Entity,
  Invalidate,
  RestEndpoint,
  type Schema,
  Union,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'UserOfKeys';
}

class Post extends Entity {
  id = 0;
  title = '';
  at = 0;
  author: User | undefined = undefined;
  static override schema: typeof Entity.schema = { author: User };
}

class Prefixed extends Post {
  override pk() {
    return `post ${this.id}`;
  }
}

class JsonKey extends Post {
  override pk() {
    return JSON.stringify([this.id]);
  }
}

class OfArgs extends Post {
  override pk(_parent: unknown, _key: unknown, args: readonly unknown[] = []) {
    return `${(args[0] as { org?: string } | undefined)?.org}/${this.id}`;
  }
}

class OfParent extends Post {
  override pk(parent?: { readonly tenant?: string }, key?: string) {
    return `${parent?.tenant}/${key}/${this.id}`;
  }
}

class Renamed extends Post {
  static override process({ nr, who, ...fields }: { nr: number; who: object }) {
    return { ...fields, id: nr, author: who };
  }
}

class OfProcess extends Post {
  org = '';
  override pk() {
    return `${this.org}/${this.id}`;
  }
  static override process(input: object, _: unknown, __: unknown, args: readonly unknown[] = []) {
    return { ...Object(args[0]), ...input };
  }
}

/** A copy of each record, as in the example of `CustomSchema`. */
class Copying extends CustomSchema<{ posts: (typeof Post)[] }, Post[]> {
  constructor() {
    super({ posts: [Post] });
  }
  override normalize(input: object[]) {
    return { posts: input.map((post) => ({ ...post })) };
  }
  denormalize({ posts }: { posts: Post[] }) {
    return posts;
  }
}

let asked: string[] = [];
let responses: unknown[] = [];
const respond = (...next: unknown[]): void => void responses.push(...next);
const send = async (url: string): Promise<Response> => {
  asked.push(new URL(url).search);
  return Response.json(await responses.shift());
};

beforeEach(() => {
  [asked, responses] = [[], []];
});

function open(schema: Schema, pk?: string) {
  const endpoint = new RestEndpoint({
    urlPrefix: 'http://x',
    path: '/orgs/:org/posts',
    schema,
    searchParams: {} as object | undefined,
    send,
  });
  const list = changesSince(endpoint, { param: 'since', from: 'at', deleted: 'gone', pk });
  const controller = new Controller();
  const fetch = (): Promise<unknown> => controller.fetch(list, { org: 'a' });
  return { list, controller, fetch };
}

const old = { id: 'u', name: 'old', type: 'user' };
const first = { id: 1, nr: 1, type: 'post', title: 'a', at: 1, author: old, who: old };
const second = { ...first, id: 2, nr: 2, title: 'b', at: 2 };

const titles = (value: unknown): readonly string[] => (value as Post[]).map(({ title }) => title);

describe('a refetch writes no old copy that is nested in an unchanged record', () => {
  const wrap = (list: object[]): object => ({ tenant: 't', posts: list, at: 2 });
  const plain = (list: object[]): object => list;
  it.each<[string, Schema, typeof plain]>([
    ['prefixed key', [Prefixed], plain],
    ['key that is JSON', [JsonKey], plain],
    ['key with arguments', [OfArgs], plain],
    ['key with fields of the parent', { posts: [OfParent], tenant: '', at: 0 }, wrap],
    ['renamed fields', [Renamed], plain],
    ['key from arguments in `process`', [OfProcess], plain],
    [
      'union',
      [new Union({ post: Prefixed, user: User }, ({ type }: { type: 'post' }) => type)],
      plain,
    ],
    ['copy in a custom schema', new Copying(), plain],
  ])('%s', async (_, schema, form) => {
    const { controller, fetch } = open(schema);
    respond(form([first, second]));
    await fetch();
    controller.set(User, { id: 'u' }, { name: 'NEW' });
    respond({ posts: [{ ...second, title: 'B', at: 3, author: null, who: null }], gone: [] });
    // Only for the copies: the whole list.
    const now = { ...first, author: { ...old, name: 'NEW' } };
    respond([now, { ...second, title: 'B', at: 3, author: null }]);
    const value = (await fetch()) as { posts?: Post[] };
    expect(titles(value.posts ?? value)).toEqual(['a', 'B']);
    expect(controller.get(User, { id: 'u' })?.name).toBe('NEW');
  });

  it('that is a copy of the changed record', async () => {
    class Item extends OfProcess {
      parent: Item | undefined = undefined;
      static override schema: typeof Entity.schema = {};
    }
    Item.schema = { parent: Item };
    const { fetch } = open([Item]);
    respond([first, { ...second, parent: first }]);
    await fetch();
    respond({ changed: [{ ...first, title: 'NEW', at: 3 }], gone: [] });
    expect(titles(await fetch())).toEqual(['NEW', 'b']);
  });

  it('even if the store lost the unchanged record', async () => {
    const { controller, fetch } = open([Prefixed]);
    respond([first, second]);
    await fetch();
    controller.set(User, { id: 'u' }, { name: 'NEW' });
    controller.set(new Invalidate(Prefixed), {}, { id: 1 });
    respond({ changed: [], gone: [] });
    expect(await fetch()).toMatchObject([
      { title: 'a', author: { name: 'NEW' } },
      { title: 'b', author: { name: 'NEW' } },
    ]);
    controller.set(new Invalidate(Prefixed), {}, { id: 1 });
    controller.set(new Invalidate(User), {}, { id: 'u' });
    respond({ changed: [], gone: [] });
    expect(await fetch()).toMatchObject([{ title: 'a', author: { name: 'old' } }, { title: 'b' }]);
  });

  it('nor a field beside the list that the changes omit', async () => {
    const { controller, fetch } = open({ posts: [Post], owner: User });
    respond({ posts: [first, second], owner: old });
    await fetch();
    controller.set(User, { id: 'u' }, { name: 'NEW' });
    respond({ posts: [], gone: [] });
    expect(await fetch()).toMatchObject({ owner: { name: 'NEW' } });
    respond({ posts: [], gone: [], owner: { ...old, name: 'NEWER' } });
    expect(await fetch()).toMatchObject({ owner: { name: 'NEWER' } });
  });
});

it('stores a record whose time the class renames if a later request stored an older version', async () => {
  class Timed extends Post {
    changedAt = 0;
    static override key = 'TimedOfKeys';
    static override process({ at, ...fields }: { at: number }) {
      return { ...fields, changedAt: at };
    }
  }
  const { controller, fetch } = open([Timed]);
  const get = new RestEndpoint({ urlPrefix: 'http://x', path: '/posts/:id', schema: Timed, send });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  respond(held.then(() => [{ ...first, title: 'new', at: 5 }]));
  const reading = fetch();
  await settle();
  respond(first);
  await controller.fetch(get, { id: 1 });
  release();
  await reading;
  respond({ changed: [], gone: [] });
  expect(titles(await fetch())).toEqual(['new']);
});

describe('records whose field `id` does not identify them', () => {
  class Line extends Post {
    cart = '';
    override pk() {
      return `${this.cart}/${this.id}`;
    }
  }
  const lines = [
    { ...first, cart: 'a', title: 'a1' },
    { ...first, cart: 'b', title: 'b1' },
    { ...second, cart: 'b', title: 'b2' },
  ] as const;

  it('stay apart, and are replaced and deleted by their primary key', async () => {
    const { fetch } = open([Line]);
    respond([...lines]);
    await fetch();
    respond({ changed: [{ ...lines[1], title: 'B1', at: 3 }], gone: [2] });
    expect(titles(await fetch())).toEqual(['a1', 'B1']);
    respond({ changed: [], gone: ['a/1'] });
    expect(titles(await fetch())).toEqual(['B1']);
    expect(asked).toEqual(['', '?since=2', '?since=3']);
  });

  it.each<[string, object]>([
    ['a deleted key that several records have', { changed: [], gone: [1] }],
    ['a record with a new key', { changed: [{ ...lines[0], cart: 'c', at: 3 }], gone: [] }],
  ])('are fetched again after %s', async (_, changes) => {
    const { fetch } = open([Line]);
    respond([...lines], changes, [lines[2]]);
    await fetch();
    expect(titles(await fetch())).toEqual(['b2']);
    expect(asked).toEqual(['', '?since=2', '']);
  });

  it('stay if the server repeats a deleted key that several records had', async () => {
    const { fetch } = open([Line]);
    const left = [lines[1], lines[2]];
    const changes = { changed: [lines[2]], gone: [1] };
    respond([...lines], changes, left, changes, left);
    await fetch();
    expect(titles(await fetch())).toEqual(['b1', 'b2']);
    expect(titles(await fetch())).toEqual(['b1', 'b2']);
    respond({ changed: [{ ...lines[2], title: 'B2', at: 3 }], gone: ['b/1'] });
    expect(titles(await fetch())).toEqual(['B2']);
  });

  it('are replaced by the field that the option `pk` names', async () => {
    class Page extends Post {
      slug = '';
      override pk() {
        return this.slug;
      }
    }
    const { fetch } = open([Page], 'nr');
    respond([
      { ...first, id: 0, slug: 'one' },
      { ...second, id: 0, slug: 'two' },
    ]);
    await fetch();
    respond({ changed: [{ ...first, id: 0, slug: 'uno', title: 'A', at: 3 }], gone: [2] });
    expect(titles(await fetch())).toEqual(['A']);
    expect(asked).toEqual(['', '?since=2']);
  });

  it('are all fetched again if nothing identifies them', async () => {
    const { fetch } = open(undefined);
    const rows = [{ at: 1 }, { at: 2 }];
    respond(rows, { changed: [{ at: 2 }] }, rows);
    await fetch();
    expect(await fetch()).toEqual(rows);
    expect(asked).toEqual(['', '?since=2', '']);
  });

  it('are deleted if the class returns undefined for a changed record', async () => {
    class Soft extends Post {
      static override process(input: { isDeleted?: boolean }) {
        return input.isDeleted ? undefined : input;
      }
    }
    const { fetch } = open([Soft]);
    respond([first, second], { changed: [{ ...first, at: 3, isDeleted: true }], gone: [] });
    await fetch();
    expect(titles(await fetch())).toEqual(['b']);
    respond({ changed: [], gone: [] });
    expect(titles(await fetch())).toEqual(['b']);
  });
});
