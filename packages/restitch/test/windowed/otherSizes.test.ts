/** Readers of one list that request pages of different sizes, or without a size. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  expireWhere,
  resource,
  RestEndpoint,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Row extends Entity {
  id = 0;
  isRead = false;
}

const styles = {
  page: byPage({ param: 'page', size: 'size', total: 'total' }),
  offset: byOffset({ param: 'offset', limit: 'size', total: 'total' }),
};

/** The page size of the server, if a request has none. */
const DEFAULT_SIZE = 2;

function open(style: keyof typeof styles, count: number, searchParams: { size?: number } = {}) {
  let rows = Array.from({ length: count }, (_, index) => ({ id: index + 1, isRead: false }));
  const asked: string[] = [];
  const pending: (() => void)[] = [];
  const world = { isWaiting: false };
  const answer = (input: string, { method }: RequestInit): Response => {
    const { pathname, search, searchParams: query } = new URL(input);
    asked.push(`${method} ${pathname}${search}`);
    if (method === 'DELETE') rows = rows.filter(({ id }) => !pathname.endsWith(`/${id}`));
    if (method === 'POST') rows = rows.map((row) => ({ ...row, isRead: true }));
    if (method !== 'GET') return new Response(null, { status: 204 });
    const size = Number(query.get('size') ?? DEFAULT_SIZE);
    const start = Number(query.get('offset') ?? (Number(query.get('page') ?? 1) - 1) * size);
    return Response.json({ results: rows.slice(start, start + size), total: rows.length });
  };
  const send = async (input: string, init: RequestInit): Promise<Response> => {
    const response = answer(input, init);
    if (world.isWaiting) await new Promise<void>((resolve) => pending.push(resolve));
    return response;
  };
  const shared = { urlPrefix: 'http://x', send, schema: Row };
  const Rows = resource({
    ...shared,
    path: '/rows/:id',
    searchParams,
    pagination: styles[style],
  }).extend('getList', {
    schema: { results: new Collection([Row], { argsKey: () => ({}) }), total: 0 },
  });
  const markAll = new RestEndpoint({
    ...shared,
    path: '/rows/read',
    method: 'POST',
    body: undefined,
  });
  const controller = new Controller();
  const read = (args: { size?: number }, start: number, end: number) => {
    const view = windowed(controller, Rows.getList, args);
    view.subscribe(() => {});
    const range = view.open({ start, end });
    const ids = () => idsOf(start, end).map((index) => readyData(view).at(index)?.id);
    return { range, ids };
  };
  const deliver = async (random: (count: number) => number): Promise<void> => {
    for (await settle(); pending.length > 0; await settle()) {
      pending.splice(random(pending.length), 1)[0]?.();
    }
  };
  return { controller, Rows, markAll, asked, world, read, deliver, rows: () => rows };
}

const idsOf = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe.each(['page', 'offset'] as const)('pages by %s', (style) => {
  it.each([[[5, undefined]], [[undefined, 5]], [[5, undefined, 4]], [[4, 5, 3]]])(
    'readers with the sizes %j have the rows of their ranges',
    async (sizes) => {
      const { asked, read } = open(style, 12);
      const readers = [];
      for (const size of sizes) {
        readers.push(read(size === undefined ? {} : { size }, 2, 11));
        await settle();
      }
      for (let turn = 0; turn < 20; turn += 1) await settle();
      for (const { ids } of readers) expect(ids()).toEqual(idsOf(3, 12));
      expect(asked.length).toBeLessThan(24);
    },
  );

  it.each([
    [10, 5],
    [10, 2],
    [5, 10],
    [10, 10],
  ])('a delete while a reader loads: sizes %s and %s', async (size, other) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      let state = seed * 7_919;
      const random = (count: number): number => {
        state = (state * 48_271) % 2_147_483_647;
        return state % count;
      };
      const { controller, Rows, world, read, deliver, rows } = open(style, 60);
      const big = read({ size }, 30, 58);
      await settle();
      world.isWaiting = true;
      read({ size: other }, 0, 32);
      await settle();
      void controller.fetch(Rows.delete, { id: 33 });
      await deliver(random);
      expect(big.ids()).toEqual(
        rows()
          .slice(30, 58)
          .map(({ id }) => id),
      );
    }
  });

  it.each(['an action', 'expireWhere'])(
    'a row that a delete moves into the range is not outdated after %s',
    async (how) => {
      const { controller, Rows, markAll, read } = open(style, 12, { size: 5 });
      const { range } = read({}, 5, 10);
      await settle();
      range.move({ start: 0, end: 5 });
      await settle();
      await controller.fetch(markAll);
      if (how === 'expireWhere') await expireWhere(controller, { entity: Row });
      await settle();
      await controller.fetch(Rows.delete, { id: 2 });
      await settle();
      const view = windowed(controller, Rows.getList, {});
      const shown = idsOf(0, 5).map((index) => readyData(view).at(index));
      expect(shown.map((row) => row?.id)).toEqual([1, 3, 4, 5, 6]);
      expect(shown.every((row) => row?.isRead)).toBe(true);
    },
  );
});
