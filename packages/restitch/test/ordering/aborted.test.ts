/** A mutation that is aborted: its optimistic update is removed before its promise rejects. */
import { Collection, Controller, Endpoint, Invalidate, type Snapshot } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { ignore, Item, listen, manual, mutation, outcomeOf } from '../support/world.js';

const params = { id: '1' };
const items = new Collection([Item], { name: 'items' });
const optimistic = (_: Snapshot, given: object, body?: object) => ({ ...given, ...body });

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  controller.set(items, {}, [{ id: '1', name: 'old' }]);
});

const shownNow = () => controller.get(items, {})?.map(({ id, name }) => [id, name]);
const OLD = [['1', 'old']];

/** A mutation whose requests end when the test says so, whatever the signal, and how to abort it. */
function deaf<S>(schema: S, getOptimisticResponse: typeof optimistic) {
  const abort = new AbortController();
  const ends: { resolve: (value: unknown) => void; reject: (reason: Error) => void }[] = [];
  const send = new Endpoint(
    (..._: any[]): Promise<any> => new Promise((resolve, reject) => ends.push({ resolve, reject })),
    { name: 'deaf', sideEffect: true, schema, signal: abort.signal, getOptimisticResponse },
  );
  return { send, abort, ends };
}

describe('an aborted mutation', () => {
  it.each<[string, () => unknown, object[]]>([
    ['update', () => Item, [params, { name: 'new' }]],
    ['create', () => items.push, [{ name: 'new' }]],
    ['deletion', () => new Invalidate(Item), [params]],
  ])('removes the %s when its signal aborts and the promise rejects', async (_, schema, args) => {
    const { endpoint } = mutation('change', schema(), optimistic);
    const abort = new AbortController();
    const fetching = controller.fetch(endpoint.extend({ signal: abort.signal }), ...args);
    const seen = fetching.catch(() => shownNow());
    expect(shownNow()).not.toEqual(OLD);
    abort.abort();
    expect(await seen).toEqual(OLD);
  });

  it.each<[string, () => unknown, object[]]>([
    ['update', () => Item, [params, { name: 'new' }]],
    ['create', () => items.push, [{ name: 'new' }]],
    ['deletion', () => new Invalidate(Item), [params]],
  ])('takes back the %s at once, and once, while its request goes on', async (_, schema, args) => {
    const { send, abort, ends } = deaf(schema(), optimistic);
    const fetching = controller.fetch(send, ...args);
    ignore(fetching);
    const notified = listen(controller.observeQuery(items, {}));
    abort.abort();
    expect(shownNow()).toEqual(OLD);
    expect(notified.count).toBe(1);
    expect(controller.countFetching()).toBe(0);
    expect(await outcomeOf(fetching)).toMatchObject({ reason: { name: 'AbortError' } });
    ends[0]?.reject(new Error('late'));
    await outcomeOf(fetching);
    expect(shownNow()).toEqual(OLD);
    expect(notified.count).toBe(1);
  });

  it('that gets a response all the same ranks by when it was sent', async () => {
    const { send, abort, ends } = deaf(Item, optimistic);
    const first = controller.fetch(send, params, { name: 'first' });
    ignore(first);
    abort.abort();
    const second = mutation('second', Item);
    ignore(controller.fetch(second.endpoint, params));
    await second.respond({ id: '1', name: 'second' });
    ends[0]?.resolve({ id: '1', name: 'first' });
    await outcomeOf(first);
    expect(shownNow()).toEqual([['1', 'second']]);
  });

  it('that created a row all the same adds it under its real key', async () => {
    const { send, abort, ends } = deaf(items.push, optimistic);
    const creating = controller.fetch(send, { name: 'new' });
    ignore(creating);
    abort.abort();
    ends[0]?.resolve({ id: '7', name: 'new' });
    await outcomeOf(creating);
    expect(shownNow()).toEqual([...OLD, ['7', 'new']]);
  });

  it('that waited for the key of its row does not show again when that is known', async () => {
    const create = mutation('create', items.push, optimistic);
    ignore(controller.fetch(create.endpoint, { name: 'new' }));
    const temporary = controller.get(items, {})?.at(-1)?.id;
    const { send, abort } = deaf(Item, optimistic);
    const renaming = controller.fetch(send, { id: temporary }, { name: 'renamed' });
    ignore(renaming);
    expect(shownNow()?.at(-1)?.[1]).toBe('renamed');
    abort.abort();
    expect(shownNow()?.at(-1)?.[1]).toBe('new');
    await create.respond({ id: '7', name: 'new' });
    expect(shownNow()).toEqual([...OLD, ['7', 'new']]);
  });

  it('lets edits of the row that it would have created fail', async () => {
    const { send, abort, ends } = deaf(items.push, optimistic);
    ignore(controller.fetch(send, { name: 'new' }));
    const temporary = controller.get(items, {})?.at(-1)?.id;
    const rename = mutation('rename', Item, optimistic);
    const renaming = controller.fetch(rename.endpoint, { id: temporary }, { name: 'renamed' });
    abort.abort();
    expect(shownNow()).toEqual(OLD);
    ends[0]?.reject(new Error('late'));
    expect(await outcomeOf(renaming)).toMatchObject({ reason: { code: 'never-created' } });
    expect(shownNow()).toEqual(OLD);
  });

  it('no longer hides what it deleted from a fetch', async () => {
    const { send, abort } = deaf(new Invalidate(Item), optimistic);
    ignore(controller.fetch(send, params));
    const get = manual('get', Item);
    const fetching = controller.fetch(get.endpoint, params);
    ignore(fetching);
    abort.abort();
    await get.respond({ id: '1', name: 'fetched' });
    expect(await outcomeOf(fetching)).toMatchObject({ value: { name: 'fetched' } });
  });
});
