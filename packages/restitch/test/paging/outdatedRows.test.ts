import { Collection, Controller, Entity, resource, RestEndpoint } from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

it('a row of a further page keeps its content after an action without a response, until its page is fetched', async () => {
  const titles = new Map([...'1234'].map((id) => [id, id]));
  const send = (input: string, init: RequestInit): Promise<Response> => {
    const url = new URL(input);
    if (init.method === 'POST') {
      titles.set(url.pathname.split('/')[2] ?? '', 'acted');
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const at = (Number(url.searchParams.get('page') ?? 1) - 1) * 2;
    const rows = [...titles].map(([id, title]) => ({ id, title }));
    return Promise.resolve(Response.json(rows.slice(at, at + 2)));
  };
  const urlPrefix = 'http://x';
  const { getList } = resource({
    urlPrefix,
    path: '/posts/:id',
    schema: Post,
    paginationField: 'page',
    send,
  }).extend('getList', { schema: new Collection([Post]) });
  const act = new RestEndpoint({
    urlPrefix,
    path: '/posts/:id/act',
    method: 'POST',
    body: undefined,
    schema: Post,
    send,
  });
  const controller = new Controller();
  const view = controller.observe(getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  await view.load();
  await controller.fetch(getList.getPage, { page: '2' });
  const shown = (): string =>
    controller
      .getResponse(getList)
      ?.map(({ title }) => title)
      .join() ?? '';
  await controller.fetch(act, { id: '4' });
  await settle();
  expect(shown()).toBe('1,2,3,4');
  await controller.fetch(getList.getPage, { page: '2' });
  expect(shown()).toBe('1,2,3,acted');
});
