/** Rows that a page contains, but that the list does not show: hidden rows and repeated rows. */
import {
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  type Pagination,
  resource,
  RestEndpoint,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class User extends Entity {
  id = '';
  static override key = 'HiddenUser';
}

class Post extends Entity {
  id = '';
  type = 'post';
  author: User | undefined = undefined;
  static override key = 'HiddenPost';
  static override process(input: { readonly hidden?: boolean }): unknown {
    return input.hidden ? undefined : input;
  }
}

class Authored extends Entity {
  id = '';
  author = User.fromJS({});
  static override key = 'HiddenAuthored';
  static override schema: typeof Entity.schema = { author: User };
}

type Member = typeof Post | typeof Authored | Union;

const SIZE = 3;
type Style = readonly [Pagination, { readonly limit?: number }];
const limited = { limit: SIZE };
const styles = {
  'byOffset with a total': [byOffset({ param: 'offset', limit: 'limit', total: 'total' }), limited],
  byOffset: [byOffset({ param: 'offset' }), {}],
  'byPage with a total': [byPage({ param: 'page', size: 'limit', total: 'total' }), limited],
  byPage: [byPage({ param: 'page' }), {}],
  byCursor: [byCursor({ param: 'cursor', next: 'next' }), {}],
  byLink: [byLink({ params: ['cursor'] }), {}],
} as const satisfies Record<string, Style>;
const cases = Object.entries(styles);
const byPosition = cases.filter(([name]) => /byOffset|byPage/.test(name));

/** A server with these rows. */
function serve(rows: object[]) {
  const server = {
    rows,
    asked: [] as string[],
    /** Deletes an author. Returns the other rows. */
    remove: (id: string | undefined): object[] =>
      server.rows.filter((row) => (row as Partial<Authored>).author?.id !== id),
  };
  const send = (input: string, { method = 'GET' }: RequestInit): Promise<Response> => {
    const { pathname, searchParams: query, search } = new URL(input);
    if (method === 'DELETE') {
      const id = pathname.split('/')[2];
      server.rows = server.remove(id);
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    server.asked.push(search);
    const page = Number(query.get('page') ?? 1) - 1;
    const start = page * SIZE || Number(query.get('offset') ?? query.get('cursor') ?? 0);
    const end = start + SIZE;
    const next = end < server.rows.length ? String(end) : null;
    const headers = next ? { link: `<http://x/posts?cursor=${next}>; rel="next"` } : undefined;
    const body = { results: server.rows.slice(start, end), total: server.rows.length, next };
    return Promise.resolve(Response.json(body, headers ? { headers } : {}));
  };
  return { server, send };
}

function open(
  { send }: Pick<ReturnType<typeof serve>, 'send'>,
  [pagination, args]: Style,
  member: Member = Post,
  path = '/posts',
  controller = new Controller(),
) {
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://x',
    path,
    searchParams: {} as { limit?: number },
    nonFilterArgumentKeys: ['limit'],
    schema: { results: new Collection([member]), total: 0, next: null as string | null },
    send,
    pagination,
  });
  const view = infinite(controller, getPosts, args);
  const look = (): void => {
    if (view.needsLoad(true)) void view.load();
  };
  view.subscribe(look);
  const ids = (): string =>
    readyData(view)
      .items.map((post) => (post as { id: string }).id)
      .join('');
  const loadAll = async (): Promise<void> => {
    await view.load();
    for (let page = 0; page < 20 && readyData(view).hasNext; page += 1) await view.loadNext();
    expect(readyData(view)).toMatchObject({ hasNext: false, nextError: undefined });
  };
  return { controller, getPosts, view, ids, loadAll };
}

/** One of three rows is shown. */
const hiding = (hidden: (id: string) => object): object[] =>
  [...'abcdefghijklmnopqr'].map((id, at) => (at % 3 > 0 ? hidden(id) : { id, type: 'post' }));
const SHOWN = 'adgjmp';
/** Six pages. Without a total, an empty page confirms the end. */
const requestsOf = (name: string): number => (/^by(Offset|Page)$/.test(name) ? 7 : 6);
const ways = {
  'with a key': (id: string) => ({ id, type: 'post', hidden: true }),
  'without a key': () => ({ type: 'post', hidden: true }),
};

for (const [way, hidden] of Object.entries(ways)) {
  it.each(cases)(
    `a refresh keeps all rows if \`process\` drops rows ${way}: %s`,
    async (name, style) => {
      const world = serve(hiding(hidden));
      const { view, ids, loadAll } = open(world, style);
      await loadAll();
      expect(ids()).toBe(SHOWN);
      for (let round = 0; round < 3; round += 1) {
        world.server.asked.length = 0;
        await view.refresh('loaded');
        expect(world.server.asked).toHaveLength(requestsOf(name));
        expect([ids(), readyData(view).hasNext]).toEqual([SHOWN, false]);
      }
    },
  );

  it.each(cases)(
    `\`expireAll\` keeps all rows if \`process\` drops rows ${way}: %s`,
    async (name, style) => {
      const world = serve(hiding(hidden));
      const { controller, getPosts, ids, loadAll } = open(world, style);
      await loadAll();
      world.server.asked.length = 0;
      controller.expireAll(getPosts);
      await settle();
      expect([ids(), world.server.asked.length]).toEqual([SHOWN, requestsOf(name)]);
    },
  );
}

it.each(cases)(
  'a refresh keeps all rows of a union if `process` drops rows: %s',
  async (_, style) => {
    const union = new Union({ post: Post }, 'type');
    const { view, ids, loadAll } = open(serve(hiding(ways['with a key'])), style, union);
    await loadAll();
    await view.refresh('loaded');
    expect([ids(), readyData(view).hasNext]).toEqual([SHOWN, false]);
  },
);

it('a row that the server begins to hide keeps its place for the next page', async () => {
  const world = serve([...'abcdef'].map((id) => ({ id })));
  const { view, ids } = open(world, styles.byOffset);
  await view.load();
  world.server.rows = world.server.rows.map((row, at) =>
    at === 1 ? { ...row, hidden: true } : row,
  );
  await view.refresh();
  expect(ids()).toBe('ac');
  await view.loadNext();
  expect([ids(), world.server.asked.at(-1)]).toEqual(['acdef', '?offset=3']);
});

it('a list keeps the place of a row that the response to another list hides', async () => {
  const world = serve(hiding(ways['with a key']));
  const first = open(world, styles.byOffset);
  await first.view.load();
  const second = open(world, styles.byOffset, Post, '/others', first.controller);
  await second.view.load();
  await first.view.loadNext();
  expect(world.server.asked.at(-1)).toBe('?offset=3');
  expect(first.ids()).toBe('ad');
});

it('a row that the server shows again returns to its place', async () => {
  const world = serve(hiding(ways['with a key']));
  const { view, ids } = open(world, styles.byCursor);
  await view.load();
  world.server.rows = [...'abcdefghijklmnopqr'].map((id) => ({ id, type: 'post' }));
  await view.refresh();
  expect(ids()).toBe('abc');
});

it('an exported list keeps the place of hidden rows', async () => {
  const world = serve(hiding(ways['with a key']));
  const before = open(world, styles.byOffset);
  await before.view.load();
  const controller = new Controller();
  hydrate(controller, JSON.parse(JSON.stringify(getState(before.controller))));
  const { view, ids } = open(world, styles.byOffset, Post, '/posts', controller);
  world.server.asked.length = 0;
  await view.loadNext();
  expect([ids(), world.server.asked]).toEqual(['ad', ['?offset=3']]);
});

const repeating = (ids: string): object[] => [...ids].map((id) => ({ id, type: 'post' }));

it.each(cases)('a page with a repeated row is no short page: %s', async (_, style) => {
  const world = serve(repeating('abacdefg'));
  const { view, ids, loadAll } = open(world, style);
  await loadAll();
  expect(ids()).toBe('abcdefg');
  expect(world.server.asked).toHaveLength(3);
  await view.refresh('loaded');
  await view.refresh();
  expect([ids(), readyData(view).hasNext]).toEqual(['abcdefg', false]);
});

it.each(byPosition)(
  'with `maxPages`, pages with repeated rows load again: %s',
  async (name, [, args]) => {
    const maxPages = 2;
    const pagination = name.startsWith('byOffset')
      ? byOffset({ param: 'offset', limit: 'limit', maxPages })
      : byPage({ param: 'page', size: 'limit', maxPages });
    const { view, ids, loadAll } = open(serve(repeating('abcdedfghiji')), [pagination, args]);
    await loadAll();
    for (let page = 0; readyData(view).hasPrevious; page += 1) {
      expect(page).toBeLessThan(9);
      await view.loadPrevious();
    }
    expect(ids()).toMatch(/^abcde/);
    await view.refresh('loaded');
    expect(ids()).toMatch(/^abcde/);
  },
);

function authored(style: Style, optimistic = false) {
  const rows = [...'abcdef'].map((id) => ({ id, author: { id: id === 'b' ? 'u1' : 'u2' } }));
  const world = serve(rows);
  const list = open(world, style, Authored);
  const authors = resource({
    urlPrefix: 'http://x',
    path: '/authors/:id',
    schema: User,
    optimistic,
    send: world.send,
  });
  return { ...list, world, authors };
}

it.each(
  byPosition.flatMap(([name, style]) => [true, false].map((one) => [name, one, style] as const)),
)(
  'after the delete of an author, the next page skips no row: %s, optimistic: %s',
  async (_, optimistic, style) => {
    const { world, authors, controller, view, ids } = authored(style, optimistic);
    await view.load();
    expect(ids()).toBe('abc');
    await controller.fetch(authors.delete, { id: 'u1' });
    await settle();
    for (let page = 0; page < 9 && readyData(view).hasNext; page += 1) await view.loadNext();
    expect(ids()).toBe('acdef');
    world.server.asked.length = 0;
    await settle();
    expect(world.server.asked).toEqual([]);
  },
);

it('after the failed delete of an author, no page is loaded again', async () => {
  const { world, authors, controller, view, ids } = authored(styles.byOffset, true);
  await view.load();
  world.server.asked.length = 0;
  const failing = authors.delete.extend({
    send: () => Promise.resolve(new Response(null, { status: 500 })),
  });
  const deletion = controller.fetch(failing, { id: 'u1' }).catch(() => {});
  await settle();
  await deletion;
  await settle();
  expect([ids(), world.server.asked]).toEqual(['abc', []]);
});

it('if the server still sends a row without its author, pages load again only once', async () => {
  const { world, authors, controller, view, ids } = authored(styles.byOffset);
  await view.load();
  world.server.asked.length = 0;
  world.server.remove = () =>
    world.server.rows.map((row) => ((row as Authored).id === 'b' ? { ...row, author: 'u1' } : row));
  await controller.fetch(authors.delete, { id: 'u1' });
  await settle();
  expect([ids(), world.server.asked]).toEqual(['ac', ['']]);
  await view.loadNext();
  expect([ids(), world.server.asked]).toEqual(['acdef', ['', '?offset=3']]);
});
