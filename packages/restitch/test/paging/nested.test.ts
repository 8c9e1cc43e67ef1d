/** Pages of a list that is nested in a record. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

class Post extends Entity {
  id = '';
  author = '';
  static override key = 'Post';
}

const postsOfAuthor = new Collection([Post], {
  nestKey: ({ id }: { id: string }) => ({ author: id }),
});

class Author extends Entity {
  id = '';
  posts: { results: Post[]; next: string | null; more?: Date } = { results: [], next: null };
  static override key = 'Author';
  static override schema = {
    posts: {
      results: postsOfAuthor,
      next: '',
      more: Date,
    },
  };
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('a list nested in a record', () => {
  const open = () => {
    const Authors = resource({ urlPrefix: server.origin, path: '/authors/:id', schema: Author });
    const Posts = resource({
      urlPrefix: server.origin,
      path: '/posts/:id',
      schema: Post,
      searchParams: {} as { author?: string },
      paginationField: 'cursor',
    }).extend('getList', {
      schema: { results: postsOfAuthor, next: '' as string | null },
    });
    server.respond(({ url }) => {
      const posts = url.includes('cursor')
        ? { results: [{ id: '3' }], next: null, more: '2026-02-02T00:00:00.000Z' }
        : { results: [{ id: '1' }, { id: '2' }], next: 'c', more: '2026-01-01T00:00:00.000Z' };
      return url.startsWith('/authors') ? { id: 'ann', posts } : posts;
    });
    return { controller: new Controller(), Authors, Posts };
  };

  it('grows by the pages of the top-level list, and shows the cursor of the last one', async () => {
    const { controller, Authors, Posts } = open();
    const before = await controller.fetch(Authors.get, { id: 'ann' });
    expect(before.posts.next).toBe('c');
    expect(before.posts.more).toEqual(new Date('2026-01-01'));
    await controller.fetch(Posts.getList.getPage, { author: 'ann', cursor: 'c' });
    const after = controller.getResponse(Authors.get, { id: 'ann' });
    expect(after?.posts.results.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(after?.posts.next).toBeNull();
    expect(after?.posts.results[0]).toBe(before.posts.results[0]);
    expect(before.posts.next).toBe('c');
    expect(after?.posts.more).toEqual(new Date('2026-02-02'));
    controller.set(Post, { id: '3' }, { author: 'ann' });
    const again = controller.getResponse(Authors.get, { id: 'ann' });
    expect(again?.posts.results).not.toBe(after?.posts.results);
    expect(again?.posts.more).toBe(after?.posts.more);
  });

  it('keeps them when the record is fetched again', async () => {
    const { controller, Authors, Posts } = open();
    await controller.fetch(Authors.get, { id: 'ann' });
    await controller.fetch(Posts.getList.getPage, { author: 'ann', cursor: 'c' });
    const before = controller.getResponse(Authors.get, { id: 'ann' });
    await controller.fetch(Authors.get, { id: 'ann' });
    expect(controller.getResponse(Authors.get, { id: 'ann' })).toBe(before);
  });

  it('and the top-level list show the same members and the same cursor', async () => {
    const { controller, Authors, Posts } = open();
    await controller.fetch(Posts.getList, { author: 'ann' });
    await controller.fetch(Posts.getList.getPage, { author: 'ann', cursor: 'c' });
    const author = await controller.fetch(Authors.get, { id: 'ann' });
    const list = controller.getResponse(Posts.getList, { author: 'ann' });
    expect(author.posts.results).toBe(list?.results);
    expect(author.posts.next).toBe(list?.next);
  });
});
