/** An optimistic delete hides a record and the lists in it. If the delete fails, both are back. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Comment extends Entity {
  id = '';
  text = '';
}
const comments = new Collection([Comment], {
  name: 'comments of an issue',
  nestKey: ({ id }: { id: string }) => ({ issue: id }),
  argsKey: ({ issue }: { issue: string }) => ({ issue }),
});
class Issue extends Entity {
  id = '';
  comments: Comment[] = [];
  static override readonly schema = { comments };
}
const options = { urlPrefix: server.origin, optimistic: true } as const;
const Issues = resource({ ...options, path: '/issues/:id', schema: Issue });
const Comments = resource({
  ...options,
  path: '/issues/:issue/comments/:id',
  schema: Comment,
  body: {} as { text: string },
}).extend('getList', { schema: comments });

it.each([200, 204])('a comment that was created meanwhile (%i)', async (status) => {
  let stored = [{ id: 'a', text: 'a' }];
  const held = new Map<string, () => void>();
  server.respond(({ method }, response) => {
    if (method === 'GET') return { id: '1', comments: stored };
    held.set(method, () => {
      const created = { id: 'b', text: 'b' };
      if (method === 'POST') stored = [...stored, created];
      response.writeHead(method === 'DELETE' ? 500 : status, {
        'content-type': 'application/json',
      });
      response.end(method === 'POST' && status === 200 ? JSON.stringify(created) : undefined);
    });
    return undefined;
  });
  const controller = new Controller();
  const view = controller.observe(Issues.get, { id: '1' });
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  const create = controller.fetch(Comments.getList.push, { issue: '1' }, { text: 'b' });
  const deletion = controller.fetch(Issues.delete, { id: '1' });
  await expect.poll(() => held.size).toBe(2);
  held.get('POST')?.();
  await create;
  held.get('DELETE')?.();
  await expect(deletion).rejects.toThrow('500');
  await expect
    .poll(() => view.getSnapshot())
    .toMatchObject({ status: 'ready', data: { comments: [{ id: 'a' }, { id: 'b' }] } });
});
