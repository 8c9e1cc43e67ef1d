/** By cursor with `maxPages`: lists that open in the middle, at a page that moves on the server. */
import { byCursor, Collection, Controller, Entity, infinite, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = 0;
  static override key = 'Row';
}

/** The pages before another one name the next page if they are `linked`. */
type Linked = 'linked' | 'unlinked';

/** A server with the rows 1 to 9. The list opens at row 5. */
async function open(linked: Linked, size = 1, maxPages = 2) {
  const server = { rows: [1, 2, 3, 4, 5, 6, 7, 8, 9], opening: 5, asked: [] as string[] };
  const answer = (url: URL): unknown => {
    const after = url.searchParams.get('after');
    const before = url.searchParams.get('before');
    const { rows, opening } = server;
    const from = after === null ? opening : Number(after) + 0.1;
    const page =
      before === null
        ? rows.filter((id) => id >= from).slice(0, size)
        : rows.filter((id) => id < Number(before)).slice(-size);
    const [first = 0] = page;
    const last = page.at(-1) ?? Infinity;
    const isNamed = before === null || linked === 'linked';
    return {
      results: page.map((id) => ({ id })),
      older: rows.some((id) => id < first) ? first : null,
      newer: isNamed && rows.some((id) => id > last) ? last : null,
    };
  };
  let block: Promise<void> | undefined;
  const controller = new Controller();
  const Rows = resource({
    urlPrefix: 'http://x',
    path: '/rows/:id',
    schema: Row,
    async send(input: string, init: RequestInit): Promise<Response> {
      const url = new URL(input);
      if (init.method === 'DELETE') {
        await block;
        server.rows = server.rows.filter((id) => id !== Number(url.pathname.split('/')[2]));
        return new Response(null, { status: 204 });
      }
      server.asked.push(url.search);
      return Response.json(answer(url));
    },
    pagination: byCursor({
      param: 'after',
      next: 'newer',
      previousParam: 'before',
      previous: 'older',
      maxPages,
    }),
  }).extend('getList', {
    schema: {
      results: new Collection([Row]),
      older: null as number | null,
      newer: null as number | null,
    },
  });
  const view = infinite(controller, Rows.getList, {});
  view.subscribe(() => {});
  await view.load();
  const list = () => readyData(view);
  const ids = (): readonly number[] => list().items.map(({ id }) => id);
  /** The loaded rows are rows of the server without a hole. */
  const look = (): void => {
    const start = server.rows.indexOf(ids()[0] ?? 0);
    expect(ids()).toEqual(server.rows.slice(start, start + ids().length));
    expect(list().gapAfter).toBeUndefined();
  };
  /** Loads to the start, and fills each gap first. Each row before the list shows on the way. */
  const toStart = async (): Promise<void> => {
    const seen = new Set(ids());
    const wanted = server.rows.filter((id) => id <= (ids().at(-1) ?? 0));
    for (let turn = 0; list().hasPrevious; turn += 1) {
      expect(turn).toBeLessThan(20);
      await view.loadPrevious();
      while (list().gapAfter !== undefined) await view.loadNext();
      look();
      ids().forEach((id) => seen.add(id));
    }
    expect(wanted.filter((id) => !seen.has(id))).toEqual([]);
    expect(ids()[0]).toBe(server.rows[0]);
  };
  /** Starts a delete of a row. The returned function lets the response arrive. */
  const remove = (id: number): (() => Promise<void>) => {
    let release = (): void => {};
    block = new Promise((resolve) => (release = resolve));
    const deleted = controller.fetch(Rows.delete, { id });
    return async () => {
      release();
      await deleted;
      for (let turn = 0; turn < 20; turn += 1) await settle();
    };
  };
  const poll = () => controller.fetch(Rows.getList, {});
  return { server, controller, Rows, view, list, ids, look, toStart, remove, poll };
}

describe.each(['linked', 'unlinked'] as const)('a list whose previous pages are %s', (linked) => {
  it('reaches a dropped page again without a gap', async () => {
    const { view, list, ids, look } = await open(linked);
    await view.loadPrevious();
    await view.loadPrevious();
    await view.loadNext();
    await view.loadNext();
    while (list().hasPrevious) {
      look();
      await view.loadPrevious();
    }
    look();
    expect(ids()[0]).toBe(1);
  });

  it("skips no row after `refresh('loaded')`", async () => {
    const { server, view, ids, look, toStart } = await open(linked);
    await view.loadPrevious();
    await view.loadNext();
    expect(ids()).toEqual([5, 6]);
    server.opening = 7;
    server.asked.length = 0;
    await view.refresh('loaded');
    look();
    await view.loadPrevious();
    expect(server.asked.at(-1)).toBe('?before=7');
    await toStart();
  });

  it('skips no row after all pages loaded again because a delete overlapped a page', async () => {
    const { server, view, ids, look, toStart, remove } = await open(linked);
    await view.loadPrevious();
    const end = remove(4);
    await view.loadNext();
    server.opening = 7;
    await end();
    expect(ids()).toEqual([7, 8]);
    look();
    await toStart();
  });

  it('skips no row if the new opening page is the first on the server', async () => {
    const { server, view, list, ids } = await open(linked);
    await view.loadPrevious();
    await view.loadNext();
    server.rows = [5, 6, 7];
    await view.refresh('loaded');
    expect(ids()).toEqual([5, 6]);
    expect(list().hasPrevious).toBe(false);
  });

  it.each([7, 8, 9])('skips no row after a poll whose page begins at row %d', async (opening) => {
    const { server, view, look, toStart, poll } = await open(linked, 2, 3);
    await view.loadPrevious();
    await view.loadNext();
    await view.loadNext();
    server.opening = opening;
    await poll();
    for (let turn = 0; turn < 20; turn += 1) await settle();
    look();
    await toStart();
    await view.refresh('loaded');
    await toStart();
  });

  it('skips no row that others created between two dropped pages', async () => {
    const { server, view, ids, toStart } = await open(linked, 2);
    await view.loadPrevious();
    await view.loadPrevious();
    await view.loadNext();
    await view.loadNext();
    await view.loadNext();
    expect(ids()).toEqual([7, 8, 9]);
    server.rows = [1, 2, 3, 4, 4.5, 5, 6, 7, 8, 9];
    await view.refresh('loaded');
    await toStart();
  });

  it('skips no row if the opening page was dropped before others moved it', async () => {
    const { server, view, ids, look, toStart } = await open(linked, 1, 1);
    await view.loadNext();
    expect(ids()).toEqual([6]);
    server.opening = 9;
    server.asked.length = 0;
    await view.loadPrevious();
    expect(server.asked).toEqual(['', '?before=6']);
    look();
    expect(ids()[0]).toBe(5);
    await toStart();
  });

  it.each(['loaded', 'poll'] as const)(
    'has no row before the opening page if others moved this page to the start: %s',
    async (what) => {
      const { server, view, list, ids, look, poll } = await open(linked, 2, Infinity);
      await view.loadPrevious();
      expect(ids()).toEqual([3, 4, 5, 6]);
      server.opening = 1;
      await (what === 'poll' ? poll() : view.refresh('loaded'));
      for (let turn = 0; turn < 20; turn += 1) await settle();
      look();
      expect(ids()[0]).toBe(1);
      expect(list().hasPrevious).toBe(false);
    },
  );
});
