/** `changesSince` for records with nested records: only the changes count as said by a response. */
import { changesSince, Controller, Entity, Invalidate, resource, RestEndpoint } from 'restitch';
import { beforeEach, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = 0;
  name = '';
}

class Post extends Entity {
  id = 0;
  title = '';
  version = 0;
  author = new User();
  static override schema = { author: User };
}

const author = { id: 5, name: 'Ann' };
const first = { id: 1, title: 'a', version: 1, author };
const second = { id: 2, title: 'b', version: 2, author };
let changed: object[] = [];

beforeEach(() => {
  changed = [];
  server.respond(({ url }) => {
    if (url.startsWith('/users')) return { id: 5, name: 'Anna' };
    return url.includes('since') ? { changed, gone: [] } : [first, second];
  });
});

const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User });
const Posts = resource({ urlPrefix: server.origin, path: '/posts/:id', schema: Post });

function open() {
  const controller = new Controller();
  const getList = changesSince(Posts.getList, { param: 'since', from: 'version', deleted: 'gone' });
  const show = () =>
    controller.getResponse(getList)?.map(({ title, author: { name } }) => [title, name]);
  return { controller, getList, show };
}

it('a nested record keeps the change of another request', async () => {
  const { controller, getList, show } = open();
  await controller.fetch(getList);
  await controller.fetch(Users.partialUpdate, { id: 5 }, { name: 'Anna' });
  changed = [{ ...second, title: 'B', version: 3, author: { id: 6, name: 'Bob' } }];
  await controller.fetch(getList);
  expect(show()).toEqual([
    ['a', 'Anna'],
    ['B', 'Bob'],
  ]);
  // The same for the copy that was merged.
  changed = [];
  await controller.fetch(getList);
  expect(show()?.map(([, name]) => name)).toEqual(['Anna', 'Bob']);
});

it('a nested record that the changes contain is said now', async () => {
  const { controller, getList, show } = open();
  await controller.fetch(getList);
  changed = [{ ...second, version: 3, author: { id: 5, name: 'Annie' } }];
  await controller.fetch(getList);
  expect(show()?.map(([, name]) => name)).toEqual(['Annie', 'Annie']);
});

it('a record that the store lost is stored again, in full', async () => {
  const { controller, getList, show } = open();
  await controller.fetch(getList);
  controller.set(new Invalidate(Post), {}, { id: 1 });
  await controller.fetch(getList);
  expect(show()).toEqual([
    ['a', 'Ann'],
    ['b', 'Ann'],
  ]);
});

it('the same in an envelope', async () => {
  const { controller } = open();
  const envelope = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/pages',
    schema: { posts: [Post], total: 0 },
    searchParams: {} as object | undefined,
  });
  const getPage = changesSince(envelope, { param: 'since', from: 'version', deleted: 'gone' });
  server.respond(({ url }) =>
    url.includes('since') ? { posts: [], total: 3 } : { posts: [first, second], total: 2 },
  );
  await controller.fetch(getPage);
  controller.set(User, { id: 5 }, { name: 'Anna' });
  const { posts, total } = await controller.fetch(getPage);
  expect(posts.map((post) => post.author.name)).toEqual(['Anna', 'Anna']);
  expect(total).toBe(3);
});
