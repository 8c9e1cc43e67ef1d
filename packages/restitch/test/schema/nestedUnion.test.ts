import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  resource,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it, vi } from 'vitest';

abstract class Item extends Entity {
  id = '';
  type = '';
}
class Text extends Item {
  override type = 'text' as const;
  body = '';
  static override key = 'Text';
}
class Image extends Item {
  override type = 'media' as const;
  format = 'image' as const;
  width = 0;
  static override key = 'Image';
}
class Video extends Item {
  override type = 'media' as const;
  format = 'video' as const;
  seconds = 0;
  static override key = 'Video';
}
const media = new Union({ image: Image, video: Video }, 'format');
const item = new Union({ text: Text, media }, 'type');

const text = { id: '1', type: 'text', body: 'hello' };
const image = { id: '1', type: 'media', format: 'image', width: 3 };
const video = { id: '2', type: 'media', format: 'video', seconds: 4 };

describe('a union in a union', () => {
  it('chooses further where the outer one chose it, at every place of a response', async () => {
    const controller = new Controller();
    class Page extends Entity {
      id = '';
      cover: Item | undefined = undefined;
      items: Item[] = [];
      static override key = 'Page';
      static override schema = { cover: item, items: new Collection([item]) };
    }
    const get = new Endpoint(
      async (): Promise<unknown> => ({
        page: { id: 'p', cover: video, items: [image, text] },
        map: { a: image, b: null },
        grid: [[text], [video, null]],
      }),
      { name: 'getPage', schema: { page: Page, map: new Values(item), grid: [[item]] } },
    );
    const { page, map, grid } = await controller.fetch(get);
    expect(page.cover).toBeInstanceOf(Video);
    expect(page.items.map(({ constructor }) => constructor)).toEqual([Image, Text]);
    expect(map).toEqual({ a: page.items[0] });
    expect(grid).toEqual([[page.items[1]], [page.cover, null]]);
    const before = controller.getResponse(get);
    await controller.fetch(get);
    expect(controller.getResponse(get)).toBe(before);
    controller.set(Image, { id: '1' }, { width: 5 });
    expect(controller.getResponse(get)?.map['a']).toEqual({ ...image, width: 5 });
    expect(controller.getResponse(get)?.grid).toBe(before?.grid);
  });

  it('is looked up by as many discriminators as are given', () => {
    const controller = new Controller();
    controller.set([item], {}, [text, image, video]);
    expect(controller.get(item, { id: '2' })).toBeInstanceOf(Video);
    expect(controller.get(item, { id: '1' })).toBeInstanceOf(Text);
    expect(controller.get(item, { id: '1', type: 'media' })).toBeInstanceOf(Image);
    expect(controller.get(item, { id: '1', type: 'media', format: 'image' })).toBeInstanceOf(Image);
    expect(controller.get(item, { id: '1', type: 'media', format: 'video' })).toBeUndefined();
    expect(controller.get(media, { id: '1' })).toBeInstanceOf(Image);
    expect(controller.get(new All(item))?.map(({ constructor }) => constructor)).toEqual([
      Text,
      Image,
      Video,
    ]);
  });

  it('lets creates enter and deletes leave its lists', async () => {
    const controller = new Controller();
    const list = new Collection([item]);
    const getList = new Endpoint(async (): Promise<unknown> => [text, image, video], {
      name: 'getItems',
      schema: list,
    });
    const create = new Endpoint(async (body: object): Promise<unknown> => ({ ...body, id: '9' }), {
      name: 'create',
      schema: list.unshift,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    const classes = () => controller.getResponse(getList)?.map(({ constructor }) => constructor);
    await controller.fetch(getList);
    const created = controller.fetch(create, { type: 'media', format: 'video' });
    expect(classes()).toEqual([Video, Text, Image, Video]);
    await created;
    expect(classes()).toEqual([Video, Text, Image, Video]);
    expect(controller.getResponse(getList)?.[0]?.id).toBe('9');
    controller.set(new Invalidate(item), {}, { id: '1', type: 'media' });
    expect(classes()).toEqual([Video, Text, Video]);
    controller.set(new Invalidate(item), {}, '9');
    controller.set(new Invalidate(Text), {}, '1');
    expect(classes()).toEqual([Video]);
  });

  it('survives a round through JSON', async () => {
    const getList = new Endpoint(async (): Promise<unknown> => [text, image], {
      name: 'getItems',
      schema: new Collection([item]),
    });
    const server = new Controller();
    await server.fetch(getList);
    const client = new Controller();
    hydrate(client, JSON.parse(JSON.stringify(getState(server))));
    expect(client.getResponse(getList)).toEqual(server.getResponse(getList));
    expect(client.getResponse(getList)?.[1]).toBeInstanceOf(Image);
  });

  it('may hold the outer one in turn; a value that goes in a circle is passed through', async () => {
    class Folder extends Item {
      children: Item[] = [];
      static override key = 'Folder';
    }
    const tree = new Union({ text: Text }, 'type');
    const other = new Union({ folder: Folder, tree }, 'format' as never);
    tree.define({ other });
    Folder.schema = { children: [tree] };
    const controller = new Controller();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const folder = { id: 'f', type: 'other', format: 'folder' };
    const circle = { id: 'c', type: 'other', format: 'tree' };
    const get = new Endpoint(
      async (): Promise<unknown> => ({ ...folder, children: [text, folder, circle] }),
      { name: 'getTree', schema: tree },
    );
    const root = (await controller.fetch(get)) as Item as Folder;
    expect(root).toBeInstanceOf(Folder);
    expect(root.children[0]).toBeInstanceOf(Text);
    expect(root.children[1]).toBe(root);
    expect(root.children[2]).toEqual(circle);
    expect(warn).toHaveBeenCalledTimes(1);
    // The function looks at more than the classes declare.
    const named = { id: '1', format: 'tree', type: 'text' };
    expect(controller.get(other, named)).toBe(root.children[0]);
    expect(controller.get(new All(other))).toEqual([root, root.children[0]]);
    warn.mockRestore();
  });

  it('passes through what the inner one has no class for, and says what that knows', async () => {
    const controller = new Controller();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const inner = new Union({ image: Image, video: Video }, 'format');
    const outer = new Union({ text: Text, media: inner }, 'type');
    const audio = { id: '3', type: 'media', format: 'audio' };
    const get = new Endpoint(async (): Promise<unknown> => [audio], {
      name: 'get',
      schema: [outer],
    });
    await expect(controller.fetch(get)).resolves.toEqual([audio]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^get: .*"audio".*image, video\./)]]);
    warn.mockRestore();
  });

  it.each([
    ['fields decide', item],
    ['a function decides', new Union({ item }, ({ id }: { id: string }) => (id ? 'item' : 'none'))],
  ])('is predicted by the rows that are there, where %s', async (_, schema) => {
    const Items = resource({ path: '/items/:id', schema, optimistic: true });
    const controller = new Controller();
    controller.setResponse(Items.getList, [text, image, video]);
    const before = controller.getResponse(Items.getList);
    const renamed = controller.fetch(Items.partialUpdate, { id: '2' }, { seconds: 9 } as object);
    expect(controller.get(Video, { id: '2' })?.seconds).toBe(9);
    expect(controller.getResponse(Items.getList)?.[2]).toBeInstanceOf(Video);
    await expect(renamed).rejects.toThrow();
    expect(controller.getResponse(Items.getList)).toEqual(before);
  });

  it('is the schema of a resource', async () => {
    const Items = resource({ path: '/items/:id', schema: item, optimistic: true });
    const controller = new Controller();
    controller.setResponse(Items.getList, [text, image, video]);
    const ids = () => controller.getResponse(Items.getList)?.map(({ id }) => id);
    expect(controller.getResponse(Items.get, { id: '2' })).toBeInstanceOf(Video);
    void controller.fetch(Items.delete, { id: '2' }).catch(() => {});
    expect(ids()).toEqual(['1', '1']);
    controller.dispose();
  });
});
