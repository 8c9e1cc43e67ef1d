import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { ignore, Item, listen, manual, mutation, openWorld } from '../support/world.js';

const overloaded = new Error('overloaded');
const soft = { errorPolicy: () => 'soft' as const };

/** An item that was read, whose refresh failed softly. */
async function failedRefresh() {
  const world = openWorld();
  const { controller } = world;
  const item = manual('getItem', Item, { ...soft, dataExpiryLength: 60_000 });
  const args = { id: '1' };
  const view = controller.observe(item.endpoint, args);
  const notified = listen(view);
  ignore(view.load());
  await item.respond({ id: '1', name: 'a' });
  const refresh = async (error: unknown = overloaded): Promise<void> => {
    ignore(view.refetch());
    await item.fail(error);
  };
  await refresh();
  const error = (): Error | undefined => controller.getError(item.endpoint, args);
  return { ...world, item, args, view, notified, refresh, error };
}

describe('a refresh that failed softly', () => {
  it('is visible along with the data, in the snapshot of the view and in getError', async () => {
    const { view, notified, error, item, args, controller } = await failedRefresh();
    expect(view.getSnapshot()).toEqual({
      status: 'ready',
      data: { id: '1', name: 'a' },
      stale: false,
      error: overloaded,
    });
    expect(error()).toBe(overloaded);
    expect(controller.getResponse(item.endpoint, args)).toMatchObject({ name: 'a' });
    expect(notified.count).toBe(2);
  });

  it('notifies no reader a second time when it fails with the same error', async () => {
    const { notified, refresh } = await failedRefresh();
    await refresh();
    expect(notified.count).toBe(2);
    await refresh(new Error('still'));
    expect(notified.count).toBe(3);
  });

  it('is ended by a response, an equal one too', async () => {
    const { view, notified, error, item } = await failedRefresh();
    ignore(view.refetch());
    await item.respond({ id: '1', name: 'a' });
    expect(error()).toBeUndefined();
    expect(view.getSnapshot()).toEqual({
      status: 'ready',
      data: { id: '1', name: 'a' },
      stale: false,
    });
    expect(notified.count).toBe(3);
  });

  it('is ended by an invalidation, a local response and a reset, and not by an expiry', async () => {
    const first = await failedRefresh();
    void first.controller.invalidate(first.item.endpoint, first.args);
    expect(first.error()).toBeUndefined();
    const second = await failedRefresh();
    second.controller.setResponse(second.item.endpoint, second.args, { id: '1', name: 'a' });
    expect(second.error()).toBeUndefined();
    const third = await failedRefresh();
    third.controller.resetEntireStore();
    expect(third.error()).toBeUndefined();
    const last = await failedRefresh();
    last.controller.expireAll(last.item.endpoint);
    expect(last.error()).toBe(overloaded);
  });

  it('is not replaced by an abort, nor by a failure that began before a newer response', async () => {
    const { error, refresh, view, item, controller } = await failedRefresh();
    await refresh(new DOMException('stopped', 'AbortError'));
    expect(error()).toBe(overloaded);
    const save = mutation('save', undefined);
    const older = item.calls.length;
    ignore(view.refetch());
    ignore(controller.fetch(save.endpoint));
    await save.respond(null);
    ignore(view.refetch());
    await item.respond({ id: '1', name: 'b' });
    await item.fail(new Error('late'), older);
    expect(error()).toBeUndefined();
  });

  it('shows along with a row that another response brought', async () => {
    const { controller } = openWorld();
    const item = manual('getOther', Item, soft);
    controller.set(Item, { id: '7' }, { id: '7', name: 'seven' });
    ignore(controller.fetch(item.endpoint, { id: '7' }));
    await item.fail(overloaded);
    expect(controller.observe(item.endpoint, { id: '7' }).getSnapshot()).toMatchObject({
      status: 'ready',
      data: { name: 'seven' },
      error: overloaded,
    });
  });

  it('is not exported', async () => {
    const { controller } = await failedRefresh();
    expect(JSON.stringify(getState(controller))).not.toContain('overloaded');
  });
});
