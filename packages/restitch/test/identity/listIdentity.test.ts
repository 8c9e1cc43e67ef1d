import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  RestEndpoint,
  Values,
  type View,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, idsOf, Item, listen, manual, openWorld } from '../support/world.js';

describe('lists are distinguished', () => {
  it('by positional arguments', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('issuesOf', new Collection([Item]));
    controller.setResponse(endpoint, 'a', [{ id: '1' }]);
    controller.setResponse(endpoint, 'b', [{ id: '2' }]);
    expect(idsOf(controller.getResponse(endpoint, 'a'))).toEqual(['1']);
    expect(idsOf(controller.getResponse(endpoint, 'b'))).toEqual(['2']);
  });

  it('by positional arguments, so that one that was never asked for is pending', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('issuesOf', new Collection([Item]));
    controller.setResponse(endpoint, 'a', [{ id: '1' }]);
    const view = controller.observe(endpoint, 'b');
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad()).toBe(true);
  });

  it('by BigInt arguments', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('itemsOf', new Collection([Item]), {
      key: ({ user }: { user: bigint }) => `itemsOf ${user}`,
    });
    controller.setResponse(endpoint, { user: 5n }, [{ id: '1' }]);
    controller.setResponse(endpoint, { user: 6n }, [{ id: '2' }]);
    expect(idsOf(controller.getResponse(endpoint, { user: 5n }))).toEqual(['1']);
    expect(idsOf(controller.getResponse(endpoint, { user: 6n }))).toEqual(['2']);
  });

  it('by their arguments in whatever order, without those that are absent', () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    controller.set(items, [{ team: 'a', state: 'open', page: undefined }], [{ id: '1' }]);
    expect(idsOf(controller.get(items, { state: 'open', team: 'a' }))).toEqual(['1']);
    const absent = { state: 'open', team: 'a', sort: undefined };
    expect(idsOf(controller.get(items, absent))).toEqual(['1']);
    expect(controller.get(items, { ...absent, sort: null })).toBeUndefined();
    expect(controller.get(items, { team: 'a' })).toBeUndefined();
    controller.set(items.push, [{}], { id: '2', name: 'b', team: 'a', state: 'open' } as object);
    expect(idsOf(controller.get(items, { state: 'open', team: 'a' }))).toEqual(['1', '2']);
  });

  it('by `argsKey` within one response, and by what `nestKey` makes of the record and the field', () => {
    const side = (name: string) => new Collection([Item], { argsKey: () => ({ side: name }) });
    const { controller } = openWorld();
    const { endpoint } = manual('sides', { left: side('left'), right: side('right') });
    controller.setResponse(endpoint, { left: [{ id: 'l' }], right: [{ id: 'r' }] });
    const { left, right } = controller.getResponse(endpoint) ?? {};
    expect([idsOf(left), idsOf(right)]).toEqual([['l'], ['r']]);

    const items = new Collection([Item], {
      nestKey: ({ team }: { team: string }, field: string) => ({ team, field }),
    });
    class Player extends Entity {
      id = '';
      home: Item[] = [];
      away: Item[] = [];
      static override key = 'ListIdentityPlayer';
      static override schema = { home: items, away: items };
    }
    controller.set([Player], {}, [
      { id: '1', team: 'a', home: [{ id: 'h' }], away: [{ id: 'w' }] },
      { id: '2', team: 'a', home: [{ id: 'h' }], away: [{ id: 'w' }] },
    ] as object[]);
    const [one, two] = ['1', '2'].map((id) => controller.get(Player, { id }));
    expect([idsOf(one?.home), idsOf(one?.away)]).toEqual([['h'], ['w']]);
    expect(two?.home).toBe(one?.home);
    expect(idsOf(controller.get(items, { team: 'a', field: 'away' }))).toEqual(['w']);
  });

  it('by nothing where `argsKey` gives null, or nothing', () => {
    const { controller } = openWorld();
    for (const nothing of [null, undefined]) {
      const items = new Collection([Item], {
        name: `by ${nothing}`,
        argsKey: (_args: { team: string }) => nothing as never,
      });
      controller.set(items, [{ team: 'a' }], [{ id: '1' }]);
      expect(idsOf(controller.get(items, { team: 'b' }))).toEqual(['1']);
    }
  });

  it('by their field, also below plain objects of one record', () => {
    class Board extends Entity {
      id = '';
      open = { items: [] as Item[] };
      closed = { items: [] as Item[] };
      static override key = 'Board';
      static override schema = {
        open: { items: new Collection([Item]) },
        closed: { items: new Collection([Item]) },
      };
    }
    const { controller } = openWorld();
    controller.set(
      Board,
      { id: '1' },
      { open: { items: [{ id: 'x' }] }, closed: { items: [{ id: 'y' }] } },
    );
    const board = controller.get(Board, { id: '1' });
    expect(idsOf(board?.open.items)).toEqual(['x']);
    expect(idsOf(board?.closed.items)).toEqual(['y']);
  });

  it('by their position in an array of one record', () => {
    class Wall extends Entity {
      id = '';
      boards: { items: Item[] }[] = [];
      static override key = 'Wall';
      static override schema = { boards: [{ items: new Collection([Item]) }] };
    }
    const { controller } = openWorld();
    controller.set(
      Wall,
      { id: '1' },
      { boards: ['x', 'y', 'z'].map((id) => ({ items: [{ id }] })) },
    );
    const wall = controller.get(Wall, { id: '1' });
    expect(wall?.boards.map(({ items }) => idsOf(items))).toEqual([['x'], ['y'], ['z']]);
  });
});

describe('page fields of a list', () => {
  it('says nothing of the list of another object, where there is none in its own', () => {
    class Wall extends Entity {
      id = '';
      boards: { items: Item[] | null; next: string }[] = [];
      static override key = 'ListIdentityWall';
      static override schema = { boards: [{ items: new Collection([Item]), next: '' }] };
    }
    const { controller } = openWorld();
    const boards = [
      { items: [{ id: 'x' }], next: 'x2' },
      { items: null, next: 'none' },
      { next: 'no list' },
    ];
    controller.set(Wall, { id: '1' }, { boards } as object);
    expect(controller.get(Wall, { id: '1' })?.boards).toStrictEqual([
      { items: [controller.get(Item, { id: 'x' })], next: 'x2' },
      { items: null, next: 'none' },
      { next: 'no list' },
    ]);
  });

  it('is the identical object as long as it is equal, whatever else changes', () => {
    const { controller } = openWorld();
    const list = { items: new Collection([Item]), at: Date };
    const { endpoint } = manual('items', list);
    const view: View<object> = controller.observe(endpoint);
    listen(view);
    const write = (ids: string[], cursor: string): Record<string, unknown> => {
      const items = ids.map((id) => ({ id }));
      const response = { items, meta: { total: { n: 2 } }, at: '2026-01-01', cursor };
      controller.setResponse(endpoint, response);
      return { ...dataOf(view) };
    };
    const before = write(['1'], 'a');
    const grown = write(['1', '2'], 'a');
    expect(grown).toMatchObject({ items: [{ id: '1' }, { id: '2' }] });
    expect(grown['meta']).toBe(before['meta']);
    expect(grown['at']).toBe(before['at']);
    expect(write(['1'], 'b')['meta']).toBe(before['meta']);
  });
});

describe('page fields of a record', () => {
  it('says nothing of the lists in it', () => {
    class Blog extends Entity {
      id = '';
      posts = { items: [] as Item[], next: '' };
      static override key = 'ListIdentityBlog';
      static override schema = { posts: { items: new Collection([Item]), next: '' } };
    }
    const { controller } = openWorld();
    const { endpoint } = manual('blog', { blog: Blog, next: '' });
    const posts = { items: [{ id: 'x' }], next: 'of the posts' };
    controller.setResponse(endpoint, { blog: { id: '1', posts }, next: 'of the blogs' });
    const { blog, next } = controller.getResponse(endpoint) ?? {};
    expect([next, blog?.posts.next]).toEqual(['of the blogs', 'of the posts']);
  });
});

describe('a created member enters', () => {
  it('every list whose other arguments a regular expression with the flag g passes over', () => {
    const { controller } = openWorld();
    const items = new Collection([Item], { nonFilterArgumentKeys: /^sort/g });
    const sorts = ['a', 'b', 'c'];
    for (const sort of sorts) controller.set(items, [{ sort }], []);
    controller.set(items.push, [{}], { id: '1' });
    expect(sorts.map((sort) => idsOf(controller.get(items, { sort })))).toEqual([
      ['1'],
      ['1'],
      ['1'],
    ]);
  });

  it('the list of a date that is given as a Date, and no other date', () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    const [first, second] = [new Date(0), new Date(86_400_000)];
    controller.set(items, [{ day: first }], []);
    controller.set(items, [{ day: second }], []);
    controller.set(items.push, [{}], { id: '1', day: first.toISOString() });
    expect(idsOf(controller.get(items, { day: first }))).toEqual(['1']);
    expect(controller.get(items, { day: second })).toEqual([]);
  });

  it('the store although a field of it is a BigInt that a list filters by', () => {
    const { controller } = openWorld();
    const items = new Collection([Item]);
    controller.set(items, [{ owner: 5 }], []);
    controller.set(items, [{ owner: 6 }], []);
    controller.set(items.push, [{}], { id: '1', name: 'a', owner: 5n });
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
    expect(idsOf(controller.get(items, { owner: 5 }))).toEqual(['1']);
    expect(controller.get(items, { owner: 6 })).toEqual([]);
  });
});

describe('a list', () => {
  it('keeps null and leaves out a row that is not there, also after one of its rows changes', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('list', new Collection([Item]));
    controller.setResponse(endpoint, {}, [null, { id: '1', name: 'a' }, 'missing']);
    const view = controller.observe(endpoint, {});
    const names = () => dataOf(view)?.map((row: Item | null) => row && row.name);
    const notified = listen(view);
    expect(names()).toEqual([null, 'a']);
    controller.set(Item, { id: '1' }, { name: 'z' });
    expect(notified.count).toBe(1);
    expect(names()).toEqual([null, 'z']);
  });

  it('shows a change of a row behind one that is not there', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('list', new Collection([Item]));
    controller.setResponse(endpoint, {}, [{ id: '1' }, 'missing', { id: '2', name: 'b' }]);
    const view = controller.observe(endpoint, {});
    listen(view);
    expect(dataOf(view)).toMatchObject([{ id: '1' }, { name: 'b' }]);
    controller.set(Item, { id: '2' }, { name: 'changed' });
    expect(dataOf(view)).toMatchObject([{ id: '1' }, { name: 'changed' }]);
  });

  it('keeps its identity when it gets a member that is missing, and so does a map', () => {
    const { controller } = openWorld();
    const list = manual('list', new Collection([Item])).endpoint;
    const map = manual('map', new Collection(new Values(Item))).endpoint;
    controller.setResponse(list, {}, [{ id: '1' }]);
    controller.setResponse(map, {}, { one: '1' });
    const views: View<unknown>[] = [controller.observe(list, {}), controller.observe(map, {})];
    const notified = views.map(listen);
    const before = views.map((view) => dataOf(view));
    controller.setResponse(list, {}, ['1', 'missing']);
    controller.setResponse(map, {}, { one: '1', other: 'missing' });
    for (const [index, view] of views.entries()) expect(dataOf(view)).toBe(before[index]);
    expect(notified.map(({ count }) => count)).toEqual([0, 0]);
  });

  it('keeps the wrapper objects of members that did not change', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('edges', { edges: [{ node: Item }] });
    controller.setResponse(endpoint, {
      edges: [{ node: { id: '1', name: 'a' } }, { node: { id: '2', name: 'b' } }],
    });
    const before = controller.getResponse(endpoint);
    controller.set(Item, { id: '1' }, { name: 'z' });
    const after = controller.getResponse(endpoint);
    expect(after?.edges[0]?.node.name).toBe('z');
    expect(after?.edges[0]).not.toBe(before?.edges[0]);
    expect(after?.edges[1]).toBe(before?.edges[1]);
  });
});

describe('endpoints that are made anew with one key and equal schemas share one result', () => {
  const toDate = (value: number) => new Date(value);

  it.each<[string, () => unknown, unknown]>([
    ['a Collection', () => new Collection([Item]), [{ id: '1' }]],
    [
      'a Collection in an object',
      () => ({ list: new Collection([Item]) }),
      { list: [{ id: '1' }] },
    ],
    ['a plain object', () => ({ item: Item }), { item: { id: '1' } }],
    ['a function', () => ({ at: toDate }), { at: 1 }],
  ])('%s', (_, makeSchema, response) => {
    const { controller } = openWorld();
    const make = () =>
      new Endpoint(async (): Promise<unknown> => response, {
        name: 'inline',
        key: () => 'inline',
        schema: makeSchema(),
      });
    controller.setResponse(make(), response);
    const view = controller.observe(make());
    expect(view.getSnapshot().status).toBe('ready');
    expect(view.needsLoad()).toBe(false);
  });
});

it('a nested list whose record lacks all fields of `nestKey` belongs to the record alone', () => {
  class Reply extends Entity {
    id = 0;
  }
  class Question extends Entity {
    id = 0;
    slug: string | undefined = undefined;
    replies: Reply[] = [];
    static override schema = {
      replies: new Collection([Reply], {
        name: 'replies',
        nestKey: ({ slug }: { slug?: string }) => ({ question: slug }),
      }),
    };
  }
  const getQuestions = new RestEndpoint({ path: '/questions', schema: [Question] });
  const controller = new Controller();
  const rows = [1, 2].map((id) => ({ id, replies: [{ id: id * 10 }] }));
  controller.setResponse(getQuestions, rows as never);
  const shown = controller.getResponse(getQuestions)?.map(({ replies }) => replies[0]?.id);
  expect(shown).toEqual([10, 20]);
});

describe('a list in an object of a record', () => {
  class Reply extends Entity {
    id = 0;
  }
  const replies = new Collection([Reply], {
    name: 'replies of threads',
    nestKey: ({ id }: { id: number }) => ({ question: id }),
    argsKey: ({ question }: { question: number }) => ({ question }),
  });
  class Question extends Entity {
    id = 0;
    title = '';
    thread: { status: string; replies: Reply[] } | undefined = undefined;
    static override schema = { thread: { status: '', replies } };
  }
  const getQuestion = new RestEndpoint({ path: '/threads/:id', schema: Question });
  const getReplies = new RestEndpoint({
    path: '/threads/:question/replies',
    schema: { status: '', replies },
  });
  const open = () => {
    const controller = new Controller();
    const question = { id: 7, title: 'a', thread: { status: 'locked', replies: [{ id: 1 }] } };
    controller.setResponse(getQuestion, { id: 7 }, question as never);
    return { controller, status: () => controller.get(Question, { id: 7 })?.thread?.status };
  };

  it('keeps the fields next to it when another response contains the list', () => {
    const { controller, status } = open();
    const response = { status: 'success', replies: [{ id: 1 }, { id: 2 }] };
    controller.setResponse(getReplies, { question: 7 }, response as never);
    expect(status()).toBe('locked');
    expect(controller.get(Question, { id: 7 })?.thread?.replies).toHaveLength(2);
    expect(controller.getResponse(getReplies, { question: 7 })?.status).toBe('success');
  });

  it('has the fields that a function sets', () => {
    const { controller, status } = open();
    controller.set(
      Question,
      { id: 7 },
      (question) =>
        ({
          ...question,
          thread: { ...(question as Question).thread, status: 'closed' },
        }) as never,
    );
    expect(status()).toBe('closed');
    expect(controller.get(Question, { id: 7 })?.thread?.replies).toHaveLength(1);
  });
});

describe('the fields next to a named list belong to its endpoint', () => {
  const shared = new Collection([Item], { name: 'items of two endpoints' });
  const getAll = new RestEndpoint({ path: '/all', schema: { items: shared, title: '' } });
  const getOpen = new RestEndpoint({ path: '/open', schema: { items: shared, title: '' } });
  const deep = new RestEndpoint({ path: '/deep', schema: { data: { items: shared }, title: '' } });
  const reorder = new RestEndpoint({
    path: '/order',
    method: 'POST',
    schema: { items: shared, title: '' },
  });
  const both = () => {
    const { controller } = openWorld();
    controller.setResponse(getAll, { items: [{ id: '1' }], title: 'all' } as never);
    controller.setResponse(getOpen, { items: [{ id: '2' }], title: 'open' } as never);
    return controller;
  };
  const members = (value: { readonly items: readonly Item[] } | undefined) => idsOf(value?.items);

  it('for two reads', () => {
    const controller = both();
    expect(controller.getResponse(getAll)?.title).toBe('all');
    expect(controller.getResponse(getOpen)?.title).toBe('open');
    expect(members(controller.getResponse(getAll))).toEqual(['2']);
    controller.setResponse(deep, { data: { items: [{ id: '3' }] }, title: 'deep' } as never);
    expect(controller.getResponse(getAll)?.title).toBe('all');
    expect(controller.getResponse(deep)?.title).toBe('deep');
    expect(members(controller.getResponse(deep)?.data)).toEqual(['3']);
  });

  it('for a field that only one of them has', () => {
    const controller = both();
    controller.setResponse(getOpen, { items: [{ id: '2' }], title: 'open', more: 1 } as never);
    expect(controller.getResponse(getAll)).not.toHaveProperty('more');
    controller.setResponse(getAll, { items: [{ id: '2' }] } as never);
    expect(controller.getResponse(getAll)).not.toHaveProperty('title');
    expect(controller.getResponse(getOpen)).toHaveProperty('more', 1);
  });

  it('for the response to a mutation, unless it has the schema of the endpoint', () => {
    const controller = both();
    const response = { items: [{ id: '1' }, { id: '2' }], title: 'ordered' } as never;
    controller.setResponse(reorder, response);
    expect(controller.getResponse(getAll)?.title).toBe('all');
    expect(members(controller.getResponse(getAll))).toEqual(['1', '2']);
    controller.setResponse(reorder.extend({ schema: getAll.schema }), response);
    expect(controller.getResponse(getAll)?.title).toBe('ordered');
    expect(controller.getResponse(getOpen)?.title).toBe('open');
  });

  it('also after the state is kept', () => {
    const controller = new Controller();
    hydrate(controller, structuredClone(getState(both())));
    expect(controller.getResponse(getAll)?.title).toBe('all');
    expect(controller.getResponse(getOpen)?.title).toBe('open');
  });

  it('for a further page', () => {
    const controller = both();
    const page = { items: [{ id: '3' }], title: 'page 2' } as never;
    controller.setResponse(getAll.paginated('cursor'), { cursor: 'c' } as never, page);
    expect(controller.getResponse(getAll)?.title).toBe('page 2');
    expect(controller.getResponse(getOpen)?.title).toBe('open');
    expect(members(controller.getResponse(getOpen))).toEqual(['2', '3']);
  });
});

describe('the fields next to a list are those of the last response of its endpoint', () => {
  const comments = new Collection([Item], {
    name: 'comments with an order',
    argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
    nestKey: ({ id }: { id: string }) => ({ ticket: id }),
  });
  class Ticket extends Entity {
    id = '';
    static override key = 'TicketWithComments';
    static override schema = { comments };
  }
  const shared = { searchParams: {} as { ticket: string; sort?: string } };
  const getComments = new RestEndpoint({
    ...shared,
    path: '/comments',
    schema: { data: { results: comments, total: 0 }, at: '' },
  });
  const getThread = new RestEndpoint({
    ...shared,
    path: '/thread',
    schema: { items: comments, count: 0 },
  });
  const getPlain = new RestEndpoint({ ...shared, path: '/plain', schema: comments });
  const sort = getPlain.extend({ method: 'POST', body: undefined });
  const getTicket = new RestEndpoint({ path: '/tickets/:id', schema: Ticket });
  const first = { ticket: '1' };
  const newest = { ticket: '1', sort: 'new' };
  const rows = (ids: string) => [...ids].map((id) => ({ id }));
  const answer = (ids: string, total: number) =>
    ({ data: { results: rows(ids), total }, at: `at ${total}` }) as never;
  const thread = (ids: string, count: number) => ({ items: rows(ids), count }) as never;
  const open = () => {
    const { controller } = openWorld();
    controller.setResponse(getComments, first, answer('a', 1));
    controller.setResponse(getComments, newest, answer('ba', 2));
    return controller;
  };
  const shown = (controller: Controller) =>
    [first, newest].map((args) => {
      const { data, at } = controller.getResponse(getComments, args) ?? {};
      return `${idsOf(data?.results)?.join('')} ${data?.total} ${at}`;
    });
  const all = (text: string) => [text, text];
  const ways: readonly [string, (controller: Controller) => void][] = [
    ['another endpoint', (one) => one.setResponse(getThread, first, thread('ab', 7))],
    ['a plain list', (one) => one.setResponse(getPlain, first, rows('ab') as never)],
    ['a mutation', (one) => one.setResponse(sort, first, rows('ab') as never)],
    ['a local write', (one) => one.set(getComments.schema.data.results, first, rows('ab'))],
    [
      'a record',
      (one) => one.setResponse(getTicket, { id: '1' }, { id: '1', comments: rows('ab') } as never),
    ],
  ];

  it.each(ways)('also after the list came from %s', (_, write) => {
    const controller = open();
    expect(shown(controller)).toEqual(all('ba 2 at 2'));
    write(controller);
    expect(shown(controller)).toEqual(all('ab 2 at 2'));
    controller.setResponse(getComments, first, answer('c', 3));
    expect(shown(controller)).toEqual(all('c 3 at 3'));
  });

  it.each(ways)('also in the state after the list came from %s', (_, write) => {
    const controller = open();
    write(controller);
    const { controller: other } = openWorld();
    hydrate(other, structuredClone(getState(controller)));
    expect(shown(other)).toEqual(all('ab 2 at 2'));
  });

  it('while a prediction of another endpoint shows, and after it failed', async () => {
    const controller = open();
    let fail: ((error: Error) => void) | undefined;
    const failing = sort.extend({
      getOptimisticResponse: () => rows('ab') as never,
      fetch: () => new Promise<never>((_, reject) => (fail = reject)),
    });
    const request = controller.fetch(failing, first);
    expect(shown(controller)).toEqual(all('ab 2 at 2'));
    await expect.poll(() => fail).toBeDefined();
    fail?.(new Error('offline'));
    await expect(request).rejects.toThrow('offline');
    expect(shown(controller)).toEqual(all('ba 2 at 2'));
  });

  it('for each endpoint of a list with further pages', () => {
    const controller = open();
    const counts = () =>
      [first, newest].map((args) => controller.getResponse(getThread, args)?.count);
    const getPage = getComments.paginated('cursor');
    controller.setResponse(getThread, first, thread('ab', 7));
    controller.setResponse(getPage, { ...first, cursor: 'b' } as never, answer('c', 8));
    expect(shown(controller)).toEqual(all('abc 8 at 8'));
    controller.setResponse(getThread, newest, thread('xab', 9));
    expect(counts()).toEqual([9, 9]);
    // The response contains the last row of the first page, so the page and its cursor stay.
    expect(shown(controller)).toEqual(all('xabc 8 at 8'));
    controller.setResponse(getThread, first, thread('yxab', 10));
    expect(counts()).toEqual([10, 10]);
    // The list starts again without the page, so its cursor does not stay.
    controller.setResponse(getThread, first, thread('z', 11));
    expect(shown(controller)).toEqual(['z 1 at 1', 'z 2 at 2']);
    expect(counts()).toEqual([11, 11]);
  });
});
