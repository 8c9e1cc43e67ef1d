/** A record that changes its class in a union, by a mutation, a message or a read. */
import { Collection, Controller, Entity, Lazy, resource, RestEndpoint, Union } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Item extends Entity {
  id = '';
  type = '';
  title = '';
  static override key = 'ClassOfItem';
}
class Draft extends Item {
  reviewer = '';
}
class Post extends Item {
  likes = 0;
}
class Note extends Entity {
  id = '';
  type = '';
  static override key = 'ClassOfNote';
}
class Memo extends Entity {
  id = '';
  type = '';
  static override key = 'ClassOfMemo';
}

const oneTable = new Union({ draft: Draft, post: Post }, 'type');
const twoTables = new Union({ draft: Note, post: Memo }, 'type');
const draft = { id: '1', type: 'draft', title: 'a', reviewer: 'r', likes: 1 };
const other = { id: '2', type: 'post', title: 'b', reviewer: 'r', likes: 2 };
const published = { ...draft, type: 'post' };

function open(schema: unknown, optimistic = false) {
  const Feed = resource({
    urlPrefix: server.origin,
    path: '/feed/:id',
    schema: schema as typeof oneTable,
    searchParams: {} as { type?: string },
    body: {} as object,
    optimistic,
  });
  const rows: { id: string; type: string }[] = [{ ...draft }, { ...other }];
  server.respond(({ method, url, body }) => {
    const { pathname, searchParams } = new URL(url, server.origin);
    const row = rows.find(({ id }) => pathname.endsWith(`/${id}`));
    if (row) return Object.assign(row, method === 'GET' ? {} : JSON.parse(body));
    const type = searchParams.get('type');
    return rows.filter((one) => type === null || one.type === type);
  });
  const controller = new Controller();
  const lists = [{}, { type: 'draft' }, { type: 'post' }];
  const views = lists.map((args) => {
    const view = controller.observe(Feed.getList, args);
    view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    return view;
  });
  const shown = () =>
    lists.map((args) =>
      (controller.getResponse(Feed.getList, args) ?? []).map(
        (row) => `${row.constructor.name} ${row.type} ${row.id}`,
      ),
    );
  const load = () => Promise.all(views.map((view) => view.load()));
  return { Feed, controller, rows, shown, load, views };
}

const inOneTable = [['Post post 1', 'Post post 2'], [], ['Post post 2', 'Post post 1']];

describe('a record whose new class has another table', () => {
  it.each(['move', 'partialUpdate', 'update'] as const)(
    'is fetched again with its lists after a message: %s',
    async (name) => {
      const { Feed, controller, rows, shown, load } = open(twoTables);
      await load();
      Object.assign(rows[0] as object, published);
      const endpoint = name === 'move' ? Feed.getList.move : Feed[name];
      controller.setResponse(endpoint, { id: '1' }, {}, published as never);
      const all = ['Memo post 1', 'Memo post 2'];
      await expect.poll(() => shown()[0]).toEqual(all);
      await expect.poll(() => shown()[1]).toEqual([]);
    },
  );

  it('causes no request if a message keeps the class', async () => {
    const { Feed, controller, load, views } = open(twoTables);
    await load();
    controller.setResponse(Feed.partialUpdate, { id: '1' }, {}, { ...draft, title: 'c' } as never);
    expect(views.map((view) => view.needsLoad(true))).toEqual([false, false, false]);
  });
});

describe('a record whose new class has the same table', () => {
  it('is in each list once after a message', async () => {
    const { Feed, controller, rows, shown, load } = open(oneTable);
    await load();
    Object.assign(rows[0] as object, published);
    controller.setResponse(Feed.getList.move, { id: '1' }, {}, published as never);
    expect(shown()).toEqual(inOneTable);
  });

  it('is in each list once while an optimistic move is pending, and moves back if it fails', async () => {
    const { Feed, controller, shown, load } = open(oneTable, true);
    await load();
    const before = shown();
    server.respond((_, response) => void response.writeHead(500).end());
    const move = controller.fetch(Feed.getList.move, { id: '1' }, { type: 'post' });
    expect(shown()).toEqual(inOneTable);
    await expect(move).rejects.toThrow();
    expect(shown()).toEqual(before);
  });

  it('is read as the new class in lists, relations and envelopes after any response', async () => {
    class Board extends Entity {
      id = '';
      pinned: Item | undefined = undefined;
      items: readonly Item[] = [];
      lazy: unknown = undefined;
      static override schema = {
        pinned: oneTable,
        items: new Collection([oneTable]),
        lazy: new Lazy([oneTable]),
      };
    }
    const getBoard = new RestEndpoint({ path: '/boards/:id', schema: Board });
    const getAll = new RestEndpoint({ path: '/all', schema: { rows: [oneTable], count: 0 } });
    const { Feed, controller, load, shown } = open(oneTable);
    await load();
    const board = { id: 'b', pinned: draft, items: [other, draft], lazy: [draft] };
    controller.setResponse(getBoard, { id: 'b' }, board as never);
    controller.setResponse(getAll, { rows: [draft, other], count: 2 } as never);
    const classes = () => {
      const { pinned, items } = controller.getResponse(getBoard, { id: 'b' }) ?? {};
      const all = controller.getResponse(getAll)?.rows;
      return [[pinned], items, all, controller.getResponse(Feed.getList)].map((rows) =>
        rows?.map((row) => row?.constructor.name),
      );
    };
    const view = controller.observe(getBoard, { id: 'b' });
    view.subscribe(() => {});
    for (const [row, name] of [
      [draft, 'Draft'],
      [published, 'Post'],
      [{ ...published, title: 'c' }, 'Post'],
      [{ ...draft, title: 'd' }, 'Draft'],
    ] as const) {
      controller.setResponse(Feed.get, { id: '1' }, row as never);
      expect(classes()).toEqual([[name], ['Post', name], [name, 'Post'], [name, 'Post']]);
      expect(view.getSnapshot()).toMatchObject({ data: { pinned: { title: row.title } } });
    }
    expect(shown()[0]).toEqual(['Draft draft 1', 'Post post 2']);
  });

  it('is read as its class from hydrated state, and edited there', async () => {
    const first = open(oneTable);
    await first.load();
    first.controller.setResponse(first.Feed.get, { id: '1' }, published as never);
    const { Feed, controller, shown } = open(oneTable);
    hydrate(controller, JSON.parse(JSON.stringify(getState(first.controller))));
    expect(shown()[0]).toEqual(['Post post 1', 'Post post 2']);
    controller.setResponse(Feed.getList.move, { id: '2' }, {}, {
      ...other,
      type: 'draft',
    } as never);
    expect(shown()[0]).toEqual(['Post post 1', 'Draft draft 2']);
    controller.setResponse(Feed.delete, { id: '2' }, undefined as never);
    expect(shown()[0]).toEqual(['Post post 1']);
    expect(controller.get(Post, { id: '2' })).toBeUndefined();
  });

  it('fills the fields of its new class', async () => {
    const { Feed, controller, load } = open(oneTable);
    await load();
    const { likes: _, ...partial } = published;
    controller.setResponse(Feed.get, { id: '1' }, partial as never);
    expect(controller.getResponse(Feed.getList)?.[0]).toBeInstanceOf(Post);
    expect(controller.getResponse(Feed.getList)?.[0]).toMatchObject({ likes: 1 });
  });

  it('has the class of the moment in an optimistic function', async () => {
    const { Feed, controller, load } = open(oneTable, true);
    await load();
    server.respond(({ method }) => (method === 'GET' ? [] : published));
    const moved = controller.fetch(Feed.getList.move, { id: '1' }, { type: 'post' });
    const seen: unknown[] = [];
    const like = Feed.partialUpdate.extend({
      getOptimisticResponse: (snapshot, params) => {
        const row = snapshot.getResponse(Feed.getList)?.[0];
        seen.push(row?.constructor.name, row?.type);
        return { ...params, title: 'liked' } as never;
      },
    });
    const liked = controller.fetch(like, { id: '1' }, {});
    expect(seen).toEqual(['Post', 'post']);
    await Promise.all([moved, liked]);
  });

  it('has the class from before a later move in an optimistic function that runs again', async () => {
    const { Feed, controller, load } = open(oneTable, true);
    await load();
    const answers: (() => void)[] = [];
    server.respond(({ method }, response) => {
      const value = method === 'GET' ? { ...draft, title: 'newer' } : published;
      response.setHeader('content-type', 'application/json');
      answers.push(() => void response.end(JSON.stringify(value)));
    });
    const read = controller.fetch(Feed.get, { id: '1' });
    let seen: unknown[] = [];
    const like = Feed.partialUpdate.extend({
      getOptimisticResponse: (snapshot, params) => {
        const row = snapshot.getResponse(Feed.getList)?.[0];
        seen = [row?.constructor.name, row?.type, row?.title];
        return { ...params, likes: 2 } as never;
      },
    });
    const liked = controller.fetch(like, { id: '1' }, {});
    const moved = controller.fetch(Feed.getList.move, { id: '1' }, { type: 'post' });
    await expect.poll(() => answers.length).toBe(3);
    answers[0]?.();
    await read;
    expect(seen).toEqual(['Draft', 'draft', 'newer']);
    answers.slice(1).forEach((answer) => answer());
    await Promise.all([liked, moved]);
  });

  it('is read as a class that `define` adds after the first read', () => {
    class Video extends Item {}
    const schema = new Union({ draft: Draft } as Record<string, typeof Item>, 'type');
    const { Feed, controller, shown } = open(schema);
    controller.setResponse(Feed.getList, {}, [draft] as never);
    expect(shown()[0]).toEqual(['Draft draft 1']);
    schema.define({ video: Video });
    const video = { ...draft, type: 'video' };
    controller.setResponse(Feed.getList.move, { id: '1' }, {}, video as never);
    expect(shown()[0]).toEqual(['Video video 1']);
  });

  it('follows the relations of its new class', async () => {
    class Author extends Entity {
      id = '';
      name = '';
    }
    class Sketch extends Entity {
      id = '';
      type = '';
      static override key = 'ClassOfSketch';
    }
    class Article extends Sketch {
      author: Author | undefined = undefined;
      static override schema = { author: Author };
    }
    const { Feed, controller } = open(new Union({ draft: Sketch, post: Article }, 'type'));
    controller.setResponse(Feed.getList, {}, [{ id: '1', type: 'draft' }] as never);
    const view = controller.observe(Feed.getList, {});
    view.subscribe(() => {});
    expect(view.getSnapshot()).toMatchObject({ data: [{ type: 'draft' }] });
    const row = { id: '1', type: 'post', author: { id: 'a', name: 'Ada' } };
    controller.setResponse(Feed.get, { id: '1' }, row as never);
    expect(view.getSnapshot()).toMatchObject({ data: [{ author: { name: 'Ada' } }] });
    controller.set(Author, { id: 'a' }, { name: 'Ada L.' });
    expect(view.getSnapshot()).toMatchObject({ data: [{ author: { name: 'Ada L.' } }] });
  });
});
