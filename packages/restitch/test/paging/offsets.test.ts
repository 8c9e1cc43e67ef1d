/** The recipe of docs/guide/pagination.md: an offset counts what responses brought, not what the list holds. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';

class Post extends Entity {
  id = '';
  static override key = 'OffsetPost';
}

const PAGE = 4;

function world(count: number) {
  const posts = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }));
  const asked: (string | null)[] = [];
  const Posts = resource({
    urlPrefix: 'https://api.example.com',
    path: '/posts/:id',
    schema: Post,
    optimistic: true,
    paginationField: 'offset',
    async send(input, { method }) {
      if (method === 'POST') {
        posts.push({ id: 'new' });
        return Response.json({ id: 'new' });
      }
      const { searchParams } = new URL(typeof input === 'string' ? input : input.url);
      asked.push(searchParams.get('offset'));
      const offset = Number(searchParams.get('offset'));
      return Response.json(posts.slice(offset, offset + PAGE));
    },
  }).extend('getList', {
    schema: { results: new Collection([Post]), nextOffset: 0 as number | null },
    process(value: unknown, { offset = 0 }: { offset?: number } = {}) {
      if (!Array.isArray(value)) return value;
      return { results: value, nextOffset: value.length > 0 ? offset + value.length : null };
    },
  });
  const controller = new Controller();
  const more = async (): Promise<boolean> => {
    const offset = controller.getResponse(Posts.getList)?.nextOffset;
    if (typeof offset !== 'number') return false;
    await controller.fetch(Posts.getList.getPage, { offset });
    return true;
  };
  const shownNow = (): readonly string[] =>
    controller.getResponse(Posts.getList)?.results.map(({ id }) => id) ?? [];
  return { Posts, posts, asked, controller, more, shown: shownNow };
}

it.each([
  ['a create is answered', true],
  ['a create is pending', false],
])(
  'after %s on a partly loaded list, pages by offset leave no hole and come to an end',
  async (_, waits) => {
    const { Posts, posts, asked, controller, more, shown: shownNow } = world(10);
    await controller.fetch(Posts.getList);
    const created = controller.fetch(Posts.getList.push, {});
    if (waits) await created;
    while (await more());
    await created;
    expect([...shownNow()].sort()).toEqual(posts.map(({ id }) => id).sort());
    expect(asked).toEqual([null, '4', '8', '11']);
  },
);
