/** `controller.set` with a union whose class the value does not select. */
import { All, Controller, Entity, Union } from 'restitch';
import { beforeEach, expect, it } from 'vitest';

class Draft extends Entity {
  id = '';
  type = 'draft';
  title = '';
}

class Post extends Entity {
  id = '';
  type = 'post';
  title = '';
}

const entries = new Union({ draft: Draft, post: Post }, 'type');

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  controller.set(Draft, { id: '1' }, { type: 'draft', title: 'd1' });
  controller.set(Post, { id: '1' }, { type: 'post', title: 'p1' });
  controller.set(Post, { id: '2' }, { type: 'post', title: 'p2' });
});

const titles = (): readonly string[] =>
  [Draft, Post].flatMap(
    (entity) => controller.get(new All(entity))?.map(({ title }) => title) ?? [],
  );
const set = (args: unknown, value: unknown): void =>
  controller.set(entries, args as never, value as never);

it.each<[string, unknown, object, readonly string[]]>([
  ['the stored record', { id: '2' }, { title: 'new' }, ['d1', 'p1', 'new']],
  ['the stored record, by a plain key', '2', { title: 'new' }, ['d1', 'p1', 'new']],
  ['the class in the arguments', { id: '1', type: 'post' }, { title: 'new' }, ['d1', 'new', 'p2']],
  ['the class in the value', { id: '1' }, { type: 'draft', title: 'new' }, ['new', 'p1', 'p2']],
  ['the only class', { id: '3', type: 'post' }, { title: 'new' }, ['d1', 'p1', 'p2', 'new']],
])('writes to %s', (_, args, value, expected) => {
  set(args, value);
  expect(titles()).toEqual(expected);
});

it.each<[string, unknown, object]>([
  ['several classes have a stored record', { id: '1' }, { title: 'new' }],
  ['no class has a stored record', { id: '9' }, { title: 'new' }],
  ['no class has the discriminator', { id: '2' }, { type: 'other', title: 'new' }],
  ['the record was deleted', { id: '4' }, { title: 'new' }],
])('throws and stores nothing if %s', (_, args, value) => {
  expect(() => set(args, value)).toThrow(
    expect.objectContaining({
      code: 'unexpected-shape',
      message: expect.stringContaining('pass the class instead of the union') as string,
    }),
  );
  expect(titles()).toEqual(['d1', 'p1', 'p2']);
});

it('distinguishes classes that share their records', () => {
  class Image extends Entity {
    id = '';
    type = 'image';
    title = '';
    static override key: string = 'SetUnionMedia';
  }
  class Video extends Image {
    override type = 'video';
  }
  const media = new Union({ image: Image, video: Video }, 'type');
  controller.set(media, { id: '1' }, { type: 'video', title: 'a' } as never);
  controller.set(media, { id: '1' }, { title: 'b' } as never);
  expect(controller.get(media, { id: '1' })).toBeInstanceOf(Video);
  expect(controller.get(media, { id: '1' })).toMatchObject({ title: 'b' });
});
