import { Collection, Controller, Entity, resource } from 'restitch';
import { expect, expectTypeOf, it } from 'vitest';
import { type Linked, LinkHeaderEndpoint } from '../src/headersInResult.js';
import { startServer, type Reply } from './support/server.js';

class Issue extends Entity {
  id = 0;
  title = '';
}

const link = '<https://api.example.com/issues?page=2>; rel="next"';

it.each<[string, Reply, unknown]>([
  ['a list with a link', { body: [1], headers: { link } }, { link, results: [1] }],
  ['a list without one', { body: [1] }, { link: null, results: [1] }],
  ['an empty list', { body: [] }, { link: null, results: [] }],
  ['a record with a link', { body: { a: 1 }, headers: { link } }, { link, results: { a: 1 } }],
  ['a record without one', { body: { a: 1 } }, { a: 1 }],
  ['nothing at all', { status: 204 }, null],
])('%s', async (_, reply, expected) => {
  const { origin } = await startServer(() => reply);
  const get = new LinkHeaderEndpoint({ urlPrefix: origin, path: '/issues' });
  expect(await get()).toEqual(expected);
});

it('gives a direct call its type', async () => {
  const { origin } = await startServer(() => ({ body: [{ id: 1 }], headers: { link } }));
  const get = new LinkHeaderEndpoint({
    urlPrefix: origin,
    path: '/issues',
    process: (page: Linked<{ id: number }[]>) => page,
  });
  const { results } = await get();
  expectTypeOf(results).toEqualTypeOf<{ id: number }[]>();
  expect(results[0]?.id).toBe(1);
});

it('normalizes with a schema of the same shape', async () => {
  const { origin } = await startServer(({ url }) =>
    url === '/issues'
      ? { body: [{ id: 1, title: 'Broken' }], headers: { link } }
      : { body: { id: 1, title: 'Fixed' } },
  );
  const Issues = resource({
    urlPrefix: origin,
    path: '/issues/:id',
    schema: Issue,
    Endpoint: LinkHeaderEndpoint,
  }).extend({ getList: { schema: { results: new Collection([Issue]), link: '' } } });
  const controller = new Controller();
  const page = await controller.fetch(Issues.getList);
  expect(page.link).toBe(link);
  expect(page.results[0]).toBeInstanceOf(Issue);
  await controller.fetch(Issues.get, { id: 1 });
  expect(controller.getResponse(Issues.getList)?.results[0]?.title).toBe('Fixed');
});
