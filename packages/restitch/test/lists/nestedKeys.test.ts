/** The fields of `nestKey`: which list the list in a record is. */
import { Collection, Controller, Entity, resource, type View } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { flush, manual, mutation } from '../support/world.js';

class Comment extends Entity {
  id = '';
  thread = '';
  static override key = 'NestedKeyComment';
}

const comments = new Collection([Comment], {
  name: 'comments by thread',
  nestKey: (ticket: { thread?: string | number | null; org?: string | null }) => ({
    thread: ticket.thread,
    ...('org' in ticket ? { org: ticket.org } : {}),
  }),
  argsKey: ({ thread }: { thread: string }) => ({ thread }),
});

class Ticket extends Entity {
  id = '';
  title = '';
  thread: string | null = '';
  comments: readonly Comment[] = [];
  static override key = 'NestedKeyTicket';
  static override schema = { comments };
}

interface Sent {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The server: answers by method and path. */
let answer: (method: string, path: string, body: unknown) => unknown;
let requests: string[] = [];
const send = async (url: string, init: RequestInit): Promise<Response> => {
  const method = init.method ?? 'GET';
  const path = new URL(url).pathname;
  requests.push(`${method} ${path}`);
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const value = await answer(method, path, body);
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value);
};

const shared = { urlPrefix: 'http://x.test', send } as const;
const declare = (optimistic: boolean) => ({
  Tickets: resource({
    ...shared,
    path: '/tickets/:id',
    schema: Ticket,
    optimistic,
    body: {} as { title?: string; thread?: string | null },
  }),
  Comments: resource({
    ...shared,
    path: '/threads/:thread/comments/:id',
    schema: Comment,
    optimistic,
  }).extend('getList', { schema: comments }),
});
const { Tickets, Comments } = declare(false);

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  requests = [];
});

const commentIds = (id: string): string =>
  String(controller.get(Ticket, { id })?.comments.map((comment) => comment.id));
const listed = (thread: string): string =>
  String(controller.get(comments, { thread })?.map(({ id }) => id));

const follow = (view: View<unknown>): void => {
  const load = (): void => {
    if (view.needsLoad(true)) void view.load()?.catch(() => undefined);
  };
  view.subscribe(load);
  load();
};

describe('a list whose record lacks a value of `nestKey` belongs to this record alone', () => {
  it.each<[string, object]>([
    ['undefined', {}],
    ['null', { thread: null }],
    ["''", { thread: '' }],
    ['null in one of several fields', { thread: 'T', org: null }],
    ["'' in one of several fields", { thread: 'T', org: '' }],
  ])('for %s', (_, fields) => {
    const sent = ['1', '2'].map((id) => ({ id, ...fields, comments: [{ id: `c${id}` }] }));
    controller.setResponse(Tickets.getList, sent);
    expect(['1', '2'].map(commentIds)).toEqual(['c1', 'c2']);
    // A second response replaces the same list.
    controller.setResponse(Tickets.getList, sent.slice(0, 1));
    expect(['1', '2'].map(commentIds)).toEqual(['c1', 'c2']);
  });

  it('0 is a value', () => {
    const sent = ['1', '2'].map((id) => ({ id, thread: 0, comments: [{ id: 'c' }] }));
    controller.setResponse(Tickets.getList, sent);
    expect(listed('0')).toBe('c');
  });

  it('NaN is no value', () => {
    const byNumber = new Collection([Comment], {
      nestKey: ({ thread }: { thread?: string }) => ({ thread: Number(thread) }),
    });
    class Numbered extends Entity {
      id = '';
      list: readonly Comment[] = [];
      static override schema = { list: byNumber };
    }
    for (const id of ['1', '2']) controller.set(Numbered, { id }, { list: [{ id: `c${id}` }] });
    expect(controller.get(Numbered, { id: '1' })?.list).toMatchObject([{ id: 'c1' }]);
  });

  it('an argument null of a list that an endpoint reads stays an argument', () => {
    const { endpoint } = manual('getThread', comments);
    controller.setResponse(endpoint, { thread: null }, [{ id: 'a', thread: null }]);
    controller.setResponse(endpoint, { thread: '' }, [{ id: 'b', thread: '' }]);
    expect(controller.getResponse(endpoint, { thread: null })).toMatchObject([{ id: 'a' }]);
  });
});

describe('a record whose stored fields complete `nestKey`', () => {
  beforeEach(() => {
    controller.setResponse(
      Tickets.get,
      { id: '1' },
      { id: '1', thread: 'T', comments: [{ id: 'a' }] },
    );
  });

  it('keeps its list if a response lacks a field of `nestKey`', () => {
    controller.setResponse(
      Tickets.get,
      { id: '1' },
      { id: '1', comments: [{ id: 'a' }, { id: 'b' }] },
    );
    expect(listed('T')).toBe('a,b');
    const created = { id: 'c', thread: 'T' };
    controller.setResponse(Comments.getList.push, { thread: 'T' }, {}, created);
    expect(commentIds('1')).toBe('a,b,c');
  });

  it('keeps its list if a fetched response lacks a field of `nestKey`', async () => {
    answer = () => ({ id: '1', comments: [{ id: 'b' }] });
    await controller.fetch(Tickets.get, { id: '1' });
    expect([listed('T'), commentIds('1')]).toEqual(['b', 'b']);
  });

  it('keeps its list after hydration', () => {
    const restored = new Controller();
    hydrate(restored, getState(controller));
    controller = restored;
    controller.setResponse(Tickets.get, { id: '1' }, { id: '1', comments: [{ id: 'b' }] });
    expect([listed('T'), commentIds('1')]).toEqual(['b', 'b']);
  });

  it('gets a list of its own if the field becomes null', () => {
    controller.setResponse(Tickets.get, { id: '1' }, { id: '1', thread: null, comments: [] });
    expect([listed('T'), commentIds('1')]).toEqual(['a', '']);
  });

  it('has no list of the next user after a reset', () => {
    controller.resetEntireStore();
    controller.setResponse(Tickets.get, { id: '1' }, { id: '1', comments: [{ id: 'b' }] });
    expect([listed('T'), commentIds('1')]).toEqual(['undefined', 'b']);
  });

  it('shows the list of the new key after an update function', () => {
    controller.setResponse(Comments.getList, { thread: 'B' }, [{ id: 'z' }]);
    controller.set(Ticket, { id: '1' }, (ticket) => ({ ...ticket, thread: 'B' }));
    expect(commentIds('1')).toBe('z');
  });
});

describe.each([false, true])('a changed field of `nestKey` (optimistic: %s)', (optimistic) => {
  const { Tickets: Own } = declare(optimistic);
  const rows = new Map<string, Sent>();
  const lists: Record<string, readonly object[]> = { A: [{ id: 'a' }], B: [{ id: 'b' }], C: [] };
  const whole = (row: Sent | undefined): Sent | undefined =>
    row && { ...row, comments: lists[String(row['thread'])] ?? [] };

  const open = async (...threads: readonly string[]): Promise<void> => {
    rows.clear();
    threads.forEach((thread, index) => {
      const id = String(index + 1);
      rows.set(id, { id, title: '', thread });
    });
    follow(controller.observe(Own.getList));
    await flush();
    requests = [];
  };

  const respondTo = (kind: '204' | 'partial' | 'full'): void => {
    answer = (method, path, body) => {
      const id = path.split('/')[2] ?? '';
      if (method === 'PATCH') {
        const next = { ...rows.get(id), ...Object(body), id } as Sent;
        rows.set(id, next);
        return { '204': undefined, partial: next, full: whole(next) }[kind];
      }
      return id === '' ? Array.from(rows.values(), whole) : whole(rows.get(id));
    };
  };

  it.each(['204', 'partial', 'full'] as const)(
    'shows the known list of the new key: %s',
    async (kind) => {
      respondTo(kind);
      await open('A', 'B');
      const done = controller.fetch(Own.partialUpdate, { id: '1' }, { thread: 'B' });
      if (optimistic) expect(commentIds('1')).toBe('b');
      await done;
      expect([commentIds('1'), commentIds('2')]).toEqual(['b', 'b']);
      await flush();
      expect(commentIds('1')).toBe('b');
    },
  );

  it.each(['204', 'partial'] as const)(
    'fetches an unknown list of the new key: %s',
    async (kind) => {
      respondTo(kind);
      await open('A');
      await controller.fetch(Own.partialUpdate, { id: '1' }, { thread: 'B' });
      await flush();
      expect(requests).toEqual(['PATCH /tickets/1', 'GET /tickets']);
      expect(commentIds('1')).toBe('b');
    },
  );

  it('keeps the list if another field changes', async () => {
    respondTo('204');
    await open('A');
    await controller.fetch(Own.partialUpdate, { id: '1' }, { title: 'new' });
    await flush();
    expect(requests).toEqual(['PATCH /tickets/1']);
    expect(commentIds('1')).toBe('a');
  });

  it('keeps the list if the request fails', async () => {
    respondTo('204');
    await open('A', 'B');
    answer = () => {
      throw new TypeError('Failed to fetch');
    };
    await controller.fetch(Own.partialUpdate, { id: '1' }, { thread: 'B' }).catch(() => undefined);
    expect(commentIds('1')).toBe('a');
  });
});

it('a list in an object of the record becomes the list of the new key', () => {
  class Framed extends Entity {
    id = '';
    thread = '';
    frame: { comments: readonly Comment[]; status: string } = { comments: [], status: '' };
    static override schema = { frame: { comments } };
  }
  const { endpoint } = manual('getFramed', [Framed]);
  controller.setResponse(endpoint, {}, [
    { id: '1', thread: 'A', frame: { comments: [{ id: 'a' }], status: 'x' } },
    { id: '2', thread: 'B', frame: { comments: [{ id: 'b' }], status: 'y' } },
  ]);
  controller.set(Framed, { id: '1' }, { thread: 'B' });
  expect(controller.get(Framed, { id: '1' })?.frame).toMatchObject({
    comments: [{ id: 'b' }],
    status: 'x',
  });
  controller.set(Framed, { id: '1' }, { thread: '' });
  expect(controller.get(Framed, { id: '1' })?.frame.comments ?? []).toEqual([]);
});

it('an own prediction of a field of `nestKey` is fetched again after a 204', async () => {
  const getList = manual('getTickets', [Ticket]);
  const assign = mutation('assign', Ticket, (_, { id }) => ({ id: String(id), thread: 'B' }));
  const view = controller.observe(getList.endpoint);
  follow(view);
  await getList.respond([{ id: '1', title: '', thread: 'A', comments: [{ id: 'a' }] }]);
  const done = controller.fetch(assign.endpoint, { id: '1' });
  expect(commentIds('1')).toBe('');
  await assign.respond(null);
  await done;
  expect(getList.calls).toHaveLength(2);
  await getList.respond([{ id: '1', title: '', thread: 'B', comments: [{ id: 'b' }] }]);
  expect(commentIds('1')).toBe('b');
});

it('a record in a list that lacks the nested list and a relation in `nestKey` keeps its list', () => {
  class User extends Entity {
    id = '';
  }
  const byAuthor = new Collection([Comment], {
    nestKey: ({ author }: { author: { id: string } }) => ({ author: author.id }),
  });
  class Article extends Entity {
    id = '';
    title = '';
    author: User | null = null;
    list: readonly Comment[] = [];
    static override schema = { author: User, list: byAuthor };
  }
  controller.set(Article, { id: '1' }, { author: { id: '7' }, list: [{ id: 'a' }] });
  controller.set(Article, { id: '1' }, { title: 'x' });
  controller.set(Article, { id: '1' }, { title: 'y', author: { id: '7' } });
  expect(controller.get(Article, { id: '1' })?.list).toMatchObject([{ id: 'a' }]);
  controller.set(Article, { id: '2' }, { author: null });
  controller.set(Article, { id: '2' }, { title: 'z' });
  expect(controller.get(Article, { id: '2' })).toMatchObject({ title: 'z', list: [] });
});
