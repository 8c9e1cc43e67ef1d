/** A union whose function has a default class: a 204 or a partial response lacks the fields that select the class. */
import { Controller, Entity, resource, Union } from 'restitch';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Link extends Entity {
  id = '';
  url = '';
  box = '';
  title = '';
  static override key = 'FunctionLink';
}
class Post extends Entity {
  id = '';
  text = '';
  box = '';
  title = '';
  static override key = 'FunctionPost';
}

const server = await serverOfFile();
const stored = { id: '1', url: '/a', box: 'a', title: 'old' };
const responses = [
  ['a 204', undefined],
  ['a partial response', { id: '1', updated: 1 }],
] as const;
const cases = responses.flatMap(([name, response]) =>
  [true, false].map((optimistic) => [name, optimistic, response] as const),
);

function open(optimistic: boolean) {
  const controller = new Controller();
  const Feed = resource({
    urlPrefix: server.origin,
    path: '/feed/:id',
    schema: new Union({ link: Link, post: Post }, (value: { url?: string }) =>
      value.url ? 'link' : 'post',
    ),
    searchParams: {} as { box?: string },
    optimistic,
  });
  const titles = (box: string) =>
    controller
      .getResponse(Feed.getList, { box })
      ?.map(({ constructor, title }) => [constructor, title]);
  return { controller, Feed, titles };
}

describe('an edit of a record that the default of a union function would not select', () => {
  it.each(cases)(
    'keeps its class and the sent fields after %s, with optimistic: %s',
    async (_, optimistic, response) => {
      const { controller, Feed, titles } = open(optimistic);
      controller.setResponse(Feed.getList, { box: 'a' }, [stored]);
      const view = controller.observe(Feed.get, { id: '1' });
      view.getSnapshot();
      server.respond((__, out) => response ?? void out.writeHead(204).end());
      const edited = await controller.fetch(Feed.partialUpdate, { id: '1' }, { title: 'new' });
      expect(edited).toBeInstanceOf(Link);
      expect(edited).toMatchObject({ url: '/a', title: 'new' });
      expect(titles('a')).toEqual([[Link, 'new']]);
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'new' } });
      expect(controller.get(Post, { id: '1' })).toBeUndefined();
    },
  );

  it.each(cases)(
    'moves it to the other list after %s, with optimistic: %s',
    async (_, optimistic, response) => {
      const { controller, Feed, titles } = open(optimistic);
      controller.setResponse(Feed.getList, { box: 'a' }, [stored]);
      controller.setResponse(Feed.getList, { box: 'b' }, []);
      server.respond((__, out) => response ?? void out.writeHead(204).end());
      await controller.fetch(Feed.getList.move, { id: '1' }, { box: 'b', title: 'new' });
      expect(titles('a')).toEqual([]);
      expect(titles('b')).toEqual([[Link, 'new']]);
      expect(controller.get(Post, { id: '1' })).toBeUndefined();
    },
  );
});

describe('an edit of a union record that a read brings in meanwhile', () => {
  abstract class Item extends Entity {
    id = '';
    type = '';
    box = '';
    title = '';
  }
  class Text extends Item {
    override type = 'text';
    static override key = 'FunctionText';
  }
  class Image extends Item {
    override type = 'image';
    static override key = 'FunctionImage';
  }

  it.each(['partialUpdate', 'move'] as const)(
    'keeps the sent fields of %s where a function selects its class',
    async (action) => {
      const Items = resource({
        urlPrefix: server.origin,
        path: '/items/:id',
        schema: new Union({ image: Image, text: Text }, ({ type }: { type: string }) => type),
        searchParams: {} as { box?: string },
      });
      const held: (() => void)[] = [];
      server.respond(({ method }, response) => {
        const body = { id: '3', type: 'text' };
        const old = [{ ...body, box: 'a', title: 'old' }];
        held.push(() => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(method === 'GET' ? old : { ...body, updated: 1 }));
        });
      });
      const arrived = (count: number): Promise<void> => expect.poll(() => held.length).toBe(count);
      const controller = new Controller();
      const list = controller.fetch(Items.getList, { box: 'a' });
      await arrived(1);
      const box = action === 'move' ? 'b' : 'a';
      const endpoint = action === 'move' ? Items.getList.move : Items.partialUpdate;
      const edit = controller.fetch(endpoint, { id: '3' }, { type: 'text', box, title: 'new' });
      await arrived(2);
      held[0]?.();
      await list;
      held[1]?.();
      expect(await edit).toMatchObject({ type: 'text', box, title: 'new' });
      const rows = controller.getResponse(Items.getList, { box: 'a' });
      expect(rows?.map(({ title }) => title)).toEqual(action === 'move' ? [] : ['new']);
    },
  );
});

it('a move of a union record whose class is unknown fetches its lists again', async () => {
  const controller = new Controller({ environment: { report: () => {} } });
  const Feed = resource({
    urlPrefix: server.origin,
    path: '/feed/:id',
    schema: new Union({ link: Link, post: Post }, (value: { kind?: string }) => value.kind ?? ''),
    searchParams: {} as { box?: string },
  });
  const rows = [{ kind: 'post', id: '1', box: 'a', title: 'one' }];
  server.respond(({ method }) => {
    if (method === 'GET') return rows;
    rows.push({ kind: 'post', id: '2', box: 'a', title: 'two' });
    return { id: '2', title: 'two' };
  });
  const view = controller.observe(Feed.getList, { box: 'a' });
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  await controller.fetch(Feed.getList.move, { id: '2' }, { box: 'a' });
  await expect
    .poll(() => controller.getResponse(Feed.getList, { box: 'a' })?.map(({ id }) => id))
    .toEqual(['1', '2']);
});

it.each(['partialUpdate', 'move'] as const)(
  'a partial response to %s is merged into a known record without a warning',
  async (action) => {
    const controller = new Controller();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    class Typed extends Link {
      type = 'link' as const;
      updated = 0;
      static override key = 'TypedLink';
    }
    const Feed = resource({
      urlPrefix: server.origin,
      path: '/typed/:id',
      schema: new Union({ link: Typed }, 'type'),
    });
    controller.setResponse(Feed.getList, [{ ...stored, type: 'link' }]);
    server.respond(() => ({ id: '1', updated: 1 }));
    const endpoint = action === 'move' ? Feed.getList.move : Feed.partialUpdate;
    await controller.fetch(endpoint, { id: '1' }, { title: 'new' });
    expect(controller.get(Typed, { id: '1' })).toMatchObject({ title: 'new', updated: 1 });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);
