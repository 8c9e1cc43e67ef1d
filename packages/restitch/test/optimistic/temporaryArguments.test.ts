/** Reads whose arguments contain the temporary key of a record that gets its real key meanwhile. */
import {
  All,
  byCursor,
  byLink,
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  expireWhere,
  infinite,
  type Pagination,
  PollingManager,
  resource,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Room extends Entity {
  id = '';
  name = '';
}
/** The key combines two fields. Arguments contain one of them. */
class CombinedRoom extends Room {
  org = 'o';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}
class Message extends Entity {
  id = '';
  room = '';
}

const SIZE = 2;

describe.each([
  ['a simple key', Room],
  ['a combined key', CombinedRoom],
] as const)('a record with %s', (_, schema) => {
  /** A room is being created: `room` is its temporary key. The server gives it the key `r1`. */
  function open(pagination?: Pagination) {
    const asked: string[] = [];
    let answer: ((response: Response) => void) | undefined;
    const rows = ['m1', 'm2', 'm3', 'm4', 'm5'];
    const send = async (input: string, init: RequestInit): Promise<Response> => {
      if (init.method === 'POST') return new Promise((resolve) => (answer = resolve));
      const { pathname, search, searchParams } = new URL(input);
      asked.push(pathname.replace('/rooms/', '') + search);
      if (!pathname.endsWith('/messages')) return Response.json({ id: 'r1', name: 'General' });
      const cursor = searchParams.get('cursor');
      const page = Number(searchParams.get('page') ?? 1) - 1;
      const index = cursor === null ? page * SIZE : rows.findIndex((id) => id > cursor);
      const start = Number(searchParams.get('offset') ?? index);
      const end = start + SIZE;
      const next = end < rows.length ? rows[end - 1] : null;
      const link = next === null ? '' : `<http://x/rooms/r1/messages?cursor=${next}>; rel="next"`;
      const results = rows.slice(start, end).map((id) => ({ id, room: 'r1' }));
      return Response.json({ results, total: rows.length, next }, { headers: { link } });
    };
    const clock = new Clock();
    const managers = [new PollingManager()];
    const controller = new Controller({ environment: clock.environment, managers });
    const shared = { urlPrefix: 'http://x', send };
    const Rooms = resource({ ...shared, path: '/rooms/:id', schema, optimistic: true });
    const list = { results: new Collection([Message]), total: 0, next: null as string | null };
    const paged = { ...shared, path: '/rooms/:room/messages/:id', schema: Message } as const;
    const Messages = resource({
      ...paged,
      pagination: pagination ?? byPage({ param: 'page', total: 'total' }),
    }).extend('getList', { schema: list });
    const Plain = resource({ ...paged, paginationField: 'cursor' }).extend('getList', {
      schema: list,
    });
    const creating = controller.fetch(Rooms.getList.push, { name: 'General' });
    const [created] = controller.get(new All(schema)) ?? [];
    const room = created?.id ?? '';
    /** The server responds to the create. */
    const create = async (): Promise<void> => {
      await settle();
      answer?.(Response.json({ id: 'r1', name: 'General' }));
      await creating;
      await settle();
    };
    return { asked, rows, controller, clock, Rooms, Messages, Plain, creating, room, create };
  }

  const styles: [string, Pagination][] = [
    ['page', byPage({ param: 'page', total: 'total' })],
    ['offset', byOffset({ param: 'offset', total: 'total' })],
    ['cursor', byCursor({ param: 'cursor', next: 'next' })],
    ['link', byLink({ params: ['cursor'] })],
  ];

  describe.each(styles)('an infinite list by %s of a record that is being created', (_, paging) => {
    function openList() {
      const opened = open(paging);
      const view = infinite(opened.controller, opened.Messages.getList, { room: opened.room });
      view.subscribe(() => {
        if (view.needsLoad(true)) void view.load();
      });
      const ids = (): string[] => readyData(view).items.map(({ id }) => id);
      const loadAll = async (): Promise<void> => {
        for (let count = 0; readyData(view).hasNext && count < 9; count += 1) await view.loadNext();
      };
      const ready = async (): Promise<void> => {
        const loading = view.load();
        await opened.create();
        await loading;
      };
      return { ...opened, view, ids, loadAll, ready };
    }

    it('loads and refreshes all its pages with one request each', async () => {
      const { asked, rows, view, ids, loadAll, ready } = openList();
      await ready();
      await loadAll();
      expect(ids()).toEqual(rows);
      expect(asked).toHaveLength(3);
      await view.refresh('loaded');
      expect(asked).toHaveLength(6);
      expect(ids()).toEqual(rows);
      expect(readyData(view)).toMatchObject({ hasNext: false, nextError: undefined });
    });

    it('settles after its endpoint expires', async () => {
      const { asked, rows, controller, Messages, view, ids, loadAll, ready } = openList();
      await ready();
      await loadAll();
      asked.length = 0;
      controller.expireAll(Messages.getList);
      await settle();
      await loadAll();
      expect(ids()).toEqual(rows);
      expect(readyData(view)).toMatchObject({ hasNext: false, isRefreshing: false });
      expect(asked.length).toBeLessThanOrEqual(3);
      expect(new Set(asked).size).toBe(asked.length);
    });

    it('is the list that the real key names', async () => {
      const { asked, controller, Messages, view, room, loadAll, ready } = openList();
      await ready();
      await loadAll();
      asked.length = 0;
      const real = infinite(controller, Messages.getList, { room: 'r1' });
      expect(real).toBe(view);
      expect(infinite(controller, Messages.getList, { room })).toBe(view);
      void controller.invalidate(Messages.getList, { room: 'r1' });
      expect(view.getSnapshot().status).toBe('pending');
      await settle();
      expect(asked).toEqual(['r1/messages']);
    });

    it('joins the list that another reader has loaded under the real key', async () => {
      const { rows, controller, Messages, view, ids, loadAll, create } = openList();
      const real = infinite(controller, Messages.getList, { room: 'r1' });
      const stop = real.subscribe(() => {});
      await real.load();
      const loading = view.load();
      await create();
      await loading;
      await loadAll();
      expect(ids()).toEqual(rows);
      expect(readyData(real).items).toBe(readyData(view).items);
      stop();
      await view.refresh('loaded');
      expect(ids()).toEqual(rows);
      expect(readyData(view)).toMatchObject({ hasNext: false, isRefreshing: false });
    });

    it('loads again after a reset', async () => {
      const { rows, controller, ids, view, loadAll, ready } = openList();
      await ready();
      await loadAll();
      controller.resetEntireStore();
      await settle();
      expect(readyData(view).items).toHaveLength(SIZE);
      await loadAll();
      expect(ids()).toEqual(rows);
    });
  });

  describe('a read with the temporary key of a record that has its real key', () => {
    it('adds all pages of `getPage`', async () => {
      const { rows, controller, Plain, room, create } = open();
      const view = controller.observe(Plain.getList, { room });
      view.subscribe(() => {});
      const loading = view.load();
      await create();
      await loading;
      for (let next; (next = readyData(view).next) && controller;) {
        await controller.fetch(Plain.getList.getPage, { room, cursor: next });
        expect(readyData(view).next).not.toBe(next);
      }
      expect(readyData(view).results.map(({ id }) => id)).toEqual(rows);
    });

    it('loads the pages of a windowed list', async () => {
      const { asked, rows, controller, Messages, room, create } = open();
      const view = windowed(controller, Messages.getList, { room });
      view.subscribe(() => {});
      const range = view.open({ start: 0, end: 2 });
      await settle();
      await create();
      range.move({ start: 2, end: 5 });
      await settle();
      await settle();
      const ids = () => rows.map((__, index) => readyData(view).at(index)?.id);
      expect(ids()).toEqual(rows);
      expect(asked).toHaveLength(3);
      expect(windowed(controller, Messages.getList, { room: 'r1' })).toBe(view);
      controller.resetEntireStore();
      await settle();
      await settle();
      range.move({ start: 0, end: 5 });
      await settle();
      await settle();
      expect(ids()).toEqual(rows);
    });

    it('shares its result with a reader that uses the real key', async () => {
      const { asked, controller, Messages, Rooms, room, create } = open();
      const view = controller.observe(Messages.getList, { room });
      const detail = controller.observe(Rooms.get, { id: room });
      let count = 0;
      view.subscribe(() => (count += 1));
      detail.subscribe(() => {});
      const loading = view.load();
      await create();
      const list = await loading;
      expect(count).toBeLessThanOrEqual(2);
      expect(asked).toEqual(['r1/messages']);
      expect(controller.getResponse(Messages.getList, { room: 'r1' })).toBe(list);
      expect(controller.getResponse(Messages.getList, { room })).toBe(list);
      expect(controller.observe(Messages.getList, { room: 'r1' })).toBe(view);
      expect(controller.observe(Rooms.get, { id: 'r1' })).toBe(detail);
      await controller.fetchIfStale(Messages.getList, { room });
      expect(asked).toHaveLength(1);
      const fetching = controller.fetch(Messages.getList, { room });
      expect(controller.countFetching(Messages.getList, { room: 'r1' })).toBe(1);
      await Promise.all([fetching, controller.fetch(Messages.getList, { room: 'r1' })]);
      expect(asked).toHaveLength(2);
      controller.setResponse(
        Messages.getList,
        { room },
        { results: [{ id: 'm9', room: 'r1' }], total: 1, next: null },
      );
      expect(readyData(view).results.map(({ id }) => id)).toEqual(['m9']);
    });

    it('ends the polling that began with the temporary key', async () => {
      const { asked, controller, clock, Messages, room, create } = open();
      const polled = Messages.getList.extend({ pollFrequency: 1_000 });
      controller.subscribe(polled, { room });
      await settle();
      await create();
      await clock.pass(3_500);
      expect(asked.length).toBeGreaterThan(2);
      controller.unsubscribe(polled, { room });
      asked.length = 0;
      await clock.pass(10_000);
      expect(asked).toEqual([]);
      expect(clock.reported).toEqual([]);
    });

    it('keeps the error of a change that waited for the real key', async () => {
      const { controller, Rooms, room, create } = open();
      const update = Rooms.partialUpdate.extend({
        send: async () => Response.json({}, { status: 409 }),
      });
      const changing = controller.fetch(update, { id: room }, { name: 'x' }).catch(() => {});
      await create();
      await changing;
      expect(controller.getError(update, { id: room }, { name: 'x' })).toMatchObject({
        status: 409,
      });
    });

    it('finds the list of a query, and the result of a filter', async () => {
      const { asked, controller, Plain, room, create } = open();
      const { schema: list } = Plain.getList;
      const before = controller.observeQuery(list, { room });
      before.subscribe(() => {});
      const loading = controller.fetch(Plain.getList, { room });
      await create();
      await loading;
      const read = controller.get(list, { room: 'r1' });
      expect(read?.results).toHaveLength(SIZE);
      expect(controller.get(list, { room })).toEqual(read);
      expect(readyData(before)).toEqual(read);
      expect(readyData(controller.observeQuery(list, { room }))).toEqual(read);
      await expireWhere(controller, { endpoint: Plain.getList, args: [{ room }] });
      await controller.fetchIfStale(Plain.getList, { room: 'r1' });
      expect(asked).toHaveLength(2);
    });
  });
});
