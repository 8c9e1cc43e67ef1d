import type { Manager } from 'restitch';
import { describe, expect, it } from 'vitest';
import { flush, ignore, Item, manual, mutation, openWorld, outcomeOf } from '../support/world.js';

/** Throws on the first action of one type. */
const throwOnce = (type: string): Manager => {
  let isDone = false;
  return {
    middleware: () => (next) => (action) => {
      if (action.type === type && !isDone) {
        isDone = true;
        throw new Error(`no ${type}`);
      }
      next(action);
    },
  };
};

describe('a manager that throws', () => {
  it('on fetch fails that request and not the next one of its key', async () => {
    const { controller } = openWorld({ managers: [throwOnce('fetch')] });
    const { endpoint, respond } = manual('getItem', Item);
    const first = await outcomeOf(controller.fetch(endpoint, { id: '1' }));
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'no fetch' } });
    const second = controller.fetch(endpoint, { id: '1' });
    await respond({ id: '1', name: 'a' });
    expect((await second).name).toBe('a');
  });

  it.each(['receive', 'fail'])('on %s leaves no caller waiting', async (type) => {
    const { controller } = openWorld({ managers: [throwOnce(type)] });
    const { endpoint, respond, fail } = manual('getItem', Item);
    const first = controller.fetch(endpoint, { id: '1' });
    ignore(first);
    if (type === 'receive') await respond({ id: '1' });
    else await fail(new Error('500'));
    expect(await outcomeOf(first)).toMatchObject({ status: 'rejected' });
    const second = controller.fetch(endpoint, { id: '1' });
    await flush();
    await respond({ id: '1', name: 'a' });
    expect((await second).name).toBe('a');
  });
});

describe('a manager that throws on a response', () => {
  it('takes the optimistic update of the request back', async () => {
    const { controller } = openWorld({ managers: [throwOnce('receive')] });
    const edit = mutation('edit', Item, () => ({ id: '1', name: 'optimistic' }));
    controller.set(Item, { id: '1' }, { name: 'a' });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(controller.get(Item, { id: '1' })?.name).toBe('optimistic');
    await edit.respond({ id: '1', name: 'b' });
    expect(controller.get(Item, { id: '1' })?.name).toBe('a');
  });
});

describe('a controller that was disposed of', () => {
  it('does not start its managers again for a response that arrives afterwards', async () => {
    let starts = 0;
    const { controller } = openWorld({ managers: [{ init: () => void (starts += 1) }] });
    const { endpoint, respond } = manual('getItem', Item);
    ignore(controller.fetch(endpoint, { id: '1' }));
    controller.dispose();
    await respond({ id: '1' });
    expect(starts).toBe(1);
  });
});
