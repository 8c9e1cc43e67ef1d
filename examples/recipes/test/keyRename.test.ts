import { Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { RenamedKeysEndpoint } from '../src/keyRename.js';
import { startServer } from './support/server.js';

const renames = { author: 'user_id', text: 'content' };

it('sends a local key under the name of the server, and removes it', async () => {
  const server = await startServer(() => ({ status: 204 }));
  const create = new RenamedKeysEndpoint({
    urlPrefix: server.origin,
    path: '/posts',
    body: {} as { author: number; title: string },
    renames,
  });
  const body = { author: 5, title: 'Hello' };
  await create(body);
  expect(server.bodies()).toEqual([{ user_id: 5, title: 'Hello' }]);
  expect(body).toEqual({ author: 5, title: 'Hello' });
});

it('moves a key of the server to the local one, in a record and in each of a list', async () => {
  const replies = [
    { id: 1, user_id: 5, content: null },
    [{ id: 1, user_id: 5 }, { id: 2 }],
    { author: 'old', user_id: 6 },
  ];
  const { origin } = await startServer(() => ({ body: replies.shift() }));
  const get = new RenamedKeysEndpoint({ urlPrefix: origin, path: '/posts', renames });
  expect(await get()).toEqual({ id: 1, author: 5, text: null });
  expect(await get()).toEqual([{ id: 1, author: 5 }, { id: 2 }]);
  expect(await get()).toEqual({ author: 6 });
});

it('leaves alone what has no keys: no content, no body, a form', async () => {
  const server = await startServer(() => ({ status: 204 }));
  const post = new RenamedKeysEndpoint({
    urlPrefix: server.origin,
    path: '/posts',
    method: 'POST',
    renames,
  });
  expect(await post(undefined)).toBeNull();
  await post(new URLSearchParams({ author: '5' }));
  expect(server.seen.map(({ body }) => body)).toEqual(['', 'author=5']);
});

it('serves a resource whose subclass holds the names', async () => {
  class Post extends Entity {
    id = 0;
    author = 0;
  }
  class PostEndpoint extends RenamedKeysEndpoint {
    override readonly renames = { author: 'user_id' };
  }
  const server = await startServer(() => ({ body: { id: 1, user_id: 7 } }));
  const Posts = resource({
    urlPrefix: server.origin,
    path: '/posts/:id',
    schema: Post,
    Endpoint: PostEndpoint,
  });
  const controller = new Controller();
  expect((await controller.fetch(Posts.getList.push, { author: 7 })).author).toBe(7);
  expect(server.bodies()).toEqual([{ user_id: 7 }]);
});
