/** A detail is read while the deletion of its record is under way. */
import { Collection, Controller, Entity, Invalidate, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, Item, manual, mutation, openWorld, outcomeOf } from '../support/world.js';
import { Clock } from '../support/clock.js';
import { follow } from './cases.js';

const params = { id: '1' };
const row = { id: '1', name: 'a' };
const notFound = new Error('404');

function open() {
  const world = openWorld();
  world.controller.set(Item, params, row);
  const get = manual('getItem', Item);
  const remove = mutation('deleteItem', new Invalidate(Item), (_, { id }: { id: string }) => ({
    id,
  }));
  const deletion = world.controller.fetch(remove.endpoint, params);
  ignore(deletion);
  return { ...world, get, remove, view: world.controller.observe(get.endpoint, params) };
}

describe('a reader that mounts while an optimistic deletion is under way', () => {
  it('waits for it, then fetches once and shows the response', async () => {
    const { get, remove, view } = open();
    follow(view);
    await flush();
    expect(get.calls).toHaveLength(0);
    expect(view.getSnapshot()).toEqual({ status: 'pending', deleted: true });
    await remove.respond(params);
    expect(get.calls).toHaveLength(1);
    await get.fail(notFound);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: notFound });
    expect(get.calls).toHaveLength(1);
  });

  it('shows the record without a request where the deletion fails', async () => {
    const { get, remove, view } = open();
    follow(view);
    const loading = view.load();
    await remove.fail(new Error('forbidden'));
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: row });
    expect(await outcomeOf(loading)).toMatchObject({ status: 'fulfilled', value: row });
    expect(get.calls).toHaveLength(0);
  });

  it('asks where the deletion fails and the record was never known in full', async () => {
    const { controller, clock } = openWorld();
    void clock;
    controller.set(Item, params, { id: '1' });
    const get = manual('getItem', Item);
    const remove = mutation('deleteItem', new Invalidate(Item), () => params);
    ignore(controller.fetch(remove.endpoint, params));
    const view = controller.observe(get.endpoint, params);
    follow(view);
    await remove.fail(new Error('forbidden'));
    expect(get.calls).toHaveLength(1);
    await get.respond(row);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: row });
  });

  it('waits for all of several deletions', async () => {
    const { controller, get, remove, view } = open();
    ignore(controller.fetch(remove.endpoint, params));
    follow(view);
    await remove.fail(new Error('forbidden'), 0);
    expect(get.calls).toHaveLength(0);
    expect(view.getSnapshot().status).toBe('pending');
    await remove.fail(new Error('forbidden'), 1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: row });
    expect(get.calls).toHaveLength(0);
  });

  it('gives all who wait one promise, which an abort of one of them leaves to the others', async () => {
    const { get, remove, view } = open();
    const abort = new AbortController();
    const [first, second] = [view.load(abort.signal), view.load()];
    expect(second).toBe(first);
    abort.abort();
    await remove.respond(params);
    expect(get.calls).toHaveLength(1);
    await get.fail(notFound);
    expect(await outcomeOf(second)).toMatchObject({ status: 'rejected', reason: notFound });
  });

  it('sends nothing where no reader waits any more', async () => {
    const { get, remove, view } = open();
    const abort = new AbortController();
    void view.load(abort.signal);
    abort.abort();
    await remove.respond(params);
    expect(get.calls).toHaveLength(0);
  });

  it('sends one request where its question is invalidated meanwhile', async () => {
    const { controller, get, remove, view } = open();
    follow(view);
    void controller.invalidate(get.endpoint, params);
    await flush();
    expect(get.calls.length).toBeLessThanOrEqual(1);
    await remove.respond(params);
    expect(get.calls).toHaveLength(1);
    await get.fail(notFound);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: notFound });
  });

  describe.each(['fetch', 'refetch'] as const)(
    'whose request a %s after another mutation replaces',
    (how) => {
      async function replace() {
        const world = open();
        const { controller, get, view } = world;
        follow(view);
        const loading = view.load();
        const other = mutation('updateOther', Item);
        const changed = controller.fetch(other.endpoint, {});
        await other.respond({ id: '2', name: 'b' });
        await changed;
        if (how === 'fetch') {
          ignore(controller.fetch(get.endpoint, params));
          await get.respond(row);
        } else {
          ignore(view.refetch());
        }
        return { ...world, loading };
      }

      it('receives the record where the deletion fails', async () => {
        const { remove, loading } = await replace();
        await remove.fail(new Error('forbidden'));
        expect(await outcomeOf(loading)).toMatchObject({ value: row });
      });

      it('receives the response after the deletion', async () => {
        const { get, remove, loading, view } = await replace();
        await remove.respond(params);
        await get.fail(notFound);
        expect(await outcomeOf(loading)).toMatchObject({ reason: notFound });
        expect(view.getSnapshot()).toMatchObject({ status: 'error', error: notFound });
      });
    },
  );

  it('starts again after a reset, which ends the waiting', async () => {
    const { controller, get, view } = open();
    follow(view);
    const loading = view.load();
    controller.resetEntireStore();
    expect(await outcomeOf(loading)).toMatchObject({ reason: { name: 'AbortError' } });
    await get.respond(row);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: row });
    expect(get.calls).toHaveLength(1);
  });

  it('asks at once where the deletion has stalled', async () => {
    const { controller, clock, get, view } = open();
    clock.now += 121_000;
    controller.set(Item, { id: '2' }, { id: '2', name: 'b' });
    follow(view);
    await get.respond(row);
    expect(get.calls.length).toBeLessThanOrEqual(2);
    await get.respond(row);
    expect(get.calls.length).toBeLessThanOrEqual(2);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
  });
});

it('a reader waits two minutes for a deletion, then it asks, and shows data or an error', async () => {
  const clock = new Clock();
  clock.now = 1_000_000;
  const controller = new Controller({ environment: clock.environment });
  controller.set(Item, params, row);
  const get = manual('getItem', Item);
  const remove = mutation('deleteItem', new Invalidate(Item), () => params);
  ignore(controller.fetch(remove.endpoint, params));
  const view = controller.observe(get.endpoint, params);
  const stop = follow(view);
  await clock.pass(119_000);
  expect(get.calls).toHaveLength(0);
  await clock.pass(2_000);
  expect(get.calls).toHaveLength(1);
  await get.respond(row);
  if (get.calls.length > 1) await get.respond(row);
  expect(get.calls.length).toBeLessThanOrEqual(2);
  expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
  stop();
});

describe('a response that comes while a deletion hides its record', () => {
  it('is shown where the deletion fails, without another request', async () => {
    const { controller } = openWorld();
    const get = manual('getItem', Item);
    const remove = mutation('deleteItem', new Invalidate(Item), () => params);
    const view = controller.observe(get.endpoint, params);
    follow(view);
    ignore(controller.fetch(remove.endpoint, params));
    const loading = view.load();
    await get.respond(row);
    expect(view.getSnapshot().status).toBe('pending');
    expect(await outcomeOf(loading)).toEqual({ status: 'pending' });
    await remove.fail(new Error('forbidden'));
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: row });
    expect(await outcomeOf(loading)).toMatchObject({ status: 'fulfilled', value: row });
    expect(get.calls).toHaveLength(1);
  });

  it('is requested once more where the deletion is confirmed', async () => {
    const { controller } = openWorld();
    const get = manual('getItem', Item);
    const remove = mutation('deleteItem', new Invalidate(Item), () => params);
    const view = controller.observe(get.endpoint, params);
    follow(view);
    ignore(controller.fetch(remove.endpoint, params));
    await get.respond(row);
    await remove.respond(params);
    expect(get.calls).toHaveLength(2);
    await get.fail(notFound);
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: notFound });
    expect(get.calls).toHaveLength(2);
  });

  it('is asked for once more where the record was deleted after it was sent', async () => {
    const { controller } = openWorld();
    const get = manual('getItem', Item);
    const remove = mutation('deleteItem', new Invalidate(Item));
    const view = controller.observe(get.endpoint, params);
    follow(view);
    const loading = view.load();
    ignore(controller.fetch(remove.endpoint, params));
    await remove.respond(params);
    await get.respond(row, 0);
    expect(get.calls).toHaveLength(2);
    await get.fail(notFound);
    expect(await outcomeOf(loading)).toMatchObject({ status: 'rejected', reason: notFound });
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error: notFound });
    expect(get.calls).toHaveLength(2);
  });
});

describe('a reader of a record that requires one whose deletion is under way', () => {
  class Book extends Entity {
    id = '';
    author: Item = Item.fromJS({ id: 'nobody' });
    static override schema = { author: Item };
  }

  it('waits for the deletion', async () => {
    const { controller, get, remove } = open();
    void get;
    controller.set(Book, { id: 'b' }, { id: 'b', author: '1' });
    const getBook = manual('getBook', Book);
    const view = controller.observe(getBook.endpoint, { id: 'b' });
    follow(view);
    await flush();
    expect(getBook.calls).toHaveLength(0);
    await remove.respond(params);
    expect(getBook.calls).toHaveLength(1);
    await getBook.respond({ id: 'b', author: { id: '2', name: 'other' } });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { author: { id: '2' } } });
  });
});

it('a reader that may not request the record again is notified when the deletion ends', async () => {
  class Summary extends Entity {
    id = '';
    title = '';
    // As plain data, which the other class cannot read.
    items: unknown[] = [];
    static override key = 'DeletedNote';
  }
  class Note extends Entity {
    id = '';
    title = '';
    items: Item[] = [];
    static override key = 'DeletedNote';
    static override schema = { items: new Collection([Item]) };
  }
  const held: { readonly method: string | undefined; readonly respond: () => void }[] = [];
  const options = {
    urlPrefix: 'http://x',
    path: '/notes/:id',
    optimistic: true,
    send: (_: RequestInfo, { method }: RequestInit) =>
      new Promise<Response>((resolve) => {
        const response =
          method === 'DELETE'
            ? new Response(null, { status: 204 })
            : Response.json({ id: '1', title: 'a', items: [{ id: 'i' }] });
        held.push({ method, respond: () => resolve(response) });
      }),
  } as const;
  const Notes = resource({ ...options, schema: Note });
  const Summaries = resource({ ...options, schema: Summary });
  const { controller } = openWorld();
  const respond = async (method: string): Promise<void> => {
    const index = held.findIndex((one) => one.method === method);
    held.splice(index, 1)[0]?.respond();
    await flush();
  };
  const send = async (request: Promise<unknown>): Promise<void> => {
    ignore(request);
    await flush();
  };
  const view = controller.observe(Notes.get, params);
  let shown: string | undefined;
  await send(controller.fetch(Summaries.partialUpdate, params, { title: 'b' }));
  follow(view);
  view.subscribe(() => (shown = view.getSnapshot().status));
  await flush();
  await send(controller.fetch(Notes.partialUpdate, params, { title: 'c' }));
  await respond('PATCH');
  await respond('GET');
  await send(controller.fetch(Notes.delete, params));
  for (const method of ['GET', 'PATCH', 'DELETE', 'GET']) {
    if (held.some((one) => one.method === method)) await respond(method);
  }
  expect(held).toEqual([]);
  expect(view.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unreadable' } });
  expect(shown).toBe('error');
});
