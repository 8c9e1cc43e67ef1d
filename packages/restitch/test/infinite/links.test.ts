import { byLink, Collection, Controller, infinite, RestEndpoint } from 'restitch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { Post, rowsOf } from './feed.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ROWS = rowsOf('abcdefgh');

/** The list of a server that answers with the header that `linkOf` returns for a page. */
function openLinks(linkOf: (page: number) => string | undefined) {
  server.seen.length = 0;
  server.respond(({ url }, response) => {
    const page = Number(new URL(url, server.origin).searchParams.get('page') ?? 1);
    const link = linkOf(page);
    if (link) response.setHeader('link', link);
    return ROWS.slice((page - 1) * 3, page * 3);
  });
  const getPosts = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/posts',
    searchParams: {} as { tag?: string },
    schema: new Collection([Post]),
    pagination: byLink({ params: ['page', 'key'] }),
  });
  const errors: unknown[] = [];
  const controller = new Controller({ environment: { report: (error) => errors.push(error) } });
  const view = infinite(controller, getPosts, { tag: 'x' });
  const shownNow = (): string => {
    const snapshot = view.getSnapshot();
    if (snapshot.status !== 'ready') return snapshot.status;
    const { items, hasNext, hasPrevious } = snapshot.data;
    const ids = items.map(({ id }) => id).join('');
    return `${hasPrevious ? '…' : ''}${ids}${hasNext ? '…' : ''}`;
  };
  const asked = (): string[] => server.seen.map(({ url }) => url);
  return { view, shown: shownNow, asked, controller, getPosts, errors };
}

describe('pages by the Link header', () => {
  it('follow rel=next until there is none (rule 7)', async () => {
    const {
      view,
      shown: shownNow,
      asked,
    } = openLinks((page) =>
      page < 3 ? `<https://other.example/posts?tag=x&page=${page + 1}>; rel="next"` : undefined,
    );
    await view.load();
    expect(shownNow()).toBe('abc…');
    await view.loadNext();
    await view.loadNext();
    await view.loadNext();
    expect(shownNow()).toBe('abcdefgh');
    expect(asked()).toEqual(['/posts?tag=x', '/posts?page=2&tag=x', '/posts?page=3&tag=x']);
  });

  it.each([
    ['several links', '<?page=9>; rel="prev", <?page=2>; rel="next", <?page=3>; rel="last"'],
    ['a token', '<?page=2>;rel=next'],
    ['several relations', '<?page=2>; rel="last Next"'],
    [
      'parameters with commas and quotes',
      '<?page=9>; title="a, \\"b\\" <?page=8>"; rel=x, <?page=2>; title="x"; rel=next',
    ],
    ['a comma in the target', '<?a=1,2&page=2>; rel=next'],
    ['the first of two', '<?page=2>; rel=next, <?page=7>; rel=next'],
    ['an escaped value', '<?page=%32#end>; rel="next"'],
  ])('read %s', async (_, link) => {
    const { view, asked } = openLinks((page) => (page === 1 ? link : undefined));
    await view.load();
    await view.loadNext();
    expect(asked()).toEqual(['/posts?tag=x', '/posts?page=2&tag=x']);
  });

  it.each(['', 'nonsense', '<?page=2>', '<?page=2>; rev=next', '</posts>; rel=next'])(
    'are the only one with %j',
    async (link) => {
      const { view, shown: shownNow } = openLinks(() => link);
      await view.load();
      expect(shownNow()).toBe('abc');
    },
  );

  it.each(['</posts?offset=3>; rel="next"', '<>; rel=next'])(
    'end at a link to the next page without any of `params`, which is reported once: %s',
    async (link) => {
      const { view, shown: shownNow, asked, errors } = openLinks(() => link);
      await view.load();
      await view.loadNext();
      await view.refresh();
      expect(shownNow()).toBe('abc');
      expect(asked()).toEqual(['/posts?tag=x', '/posts?tag=x']);
      expect(errors).toMatchObject([
        {
          code: 'page-repeats',
          message: expect.stringContaining('none of the parameters page,key'),
        },
      ]);
    },
  );

  it('report no link to the previous page without `params`, which is the first page', async () => {
    const {
      view,
      shown: shownNow,
      errors,
    } = openLinks((page) => (page === 1 ? '<?page=2>; rel=next' : '</posts>; rel=prev'));
    await view.load();
    await view.loadNext();
    expect([shownNow(), errors]).toEqual(['abcdef', []]);
  });

  it('join several parameters of a link', async () => {
    const { view, asked } = openLinks((page) =>
      page === 1 ? '<?page=2&key=k%20y&other=1>; rel=next' : undefined,
    );
    await view.load();
    await view.loadNext();
    expect(asked()[1]).toBe('/posts?key=k%20y&page=2&tag=x');
  });
});
