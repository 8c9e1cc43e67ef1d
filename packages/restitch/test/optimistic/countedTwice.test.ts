/** An optimistic function counts one up, and the response is empty. A read that overlaps the request may contain the change already. */
import type { ServerResponse } from 'node:http';
import { Controller, Entity, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Post extends Entity {
  id = '';
  votes = 0;
}

const getPost = new RestEndpoint({ urlPrefix: server.origin, path: '/posts/:id', schema: Post });
const vote = new RestEndpoint({
  urlPrefix: server.origin,
  path: '/posts/:id/vote',
  method: 'POST',
  body: undefined,
  schema: Post,
  getOptimisticResponse(snapshot, { id }) {
    const post = snapshot.get(Post, { id });
    if (!post) throw snapshot.abort;
    return { id: post.id, votes: post.votes + 1 };
  },
});

it.each([
  ['the read is answered first', 'GET', 'POST'],
  ['the vote is answered first', 'POST', 'GET'],
] as const)('the row is fetched again where %s', async (_, first, second) => {
  for (const started of [['GET', 'POST'] as const, ['POST', 'GET'] as const]) {
    const held: Record<string, ServerResponse> = {};
    server.respond(() => ({ id: '1', votes: 0 }));
    const controller = new Controller();
    const view = controller.observe(getPost, { id: '1' });
    await controller.fetch(getPost, { id: '1' });
    const stop = view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    server.respond(({ method }, response) => void (held[method] = response));
    const send = {
      GET: () => controller.fetch(getPost, { id: '1' }),
      POST: () => controller.fetch(vote, { id: '1' }),
    };
    const pending: Partial<Record<'GET' | 'POST', Promise<unknown>>> = {};
    for (const method of started) pending[method] = send[method]();
    await expect.poll(() => Object.keys(held).toSorted()).toEqual(['GET', 'POST']);
    // The server runs the vote, and a hundred votes of others, before it reads.
    const post = { id: '1', votes: 101 };
    const answer = {
      GET: () =>
        held['GET']?.setHeader('content-type', 'application/json').end(JSON.stringify(post)),
      POST: () => held['POST']?.writeHead(204).end(),
    };
    server.respond(() => post);
    for (const method of [first, second]) {
      answer[method]();
      await pending[method];
    }
    await expect.poll(() => controller.get(Post, { id: '1' })?.votes).toBe(101);
    await expect.poll(() => view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    stop();
  }
});
