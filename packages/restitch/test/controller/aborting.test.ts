import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { flush, Item, manual, openWorld, outcomeOf, ignore } from '../support/world.js';

describe('a request whose signal is aborted before it starts', () => {
  it('sends nothing, and the next caller of the same gets a response', async () => {
    const { controller } = openWorld();
    const { endpoint, calls, respond } = manual('getItem', Item);
    const first = controller.fetch(endpoint.extend({ signal: AbortSignal.abort() }), { id: '1' });
    const second = controller.fetch(endpoint, { id: '1' });
    expect(await outcomeOf(first)).toMatchObject({
      status: 'rejected',
      reason: { name: 'AbortError' },
    });
    expect(calls).toHaveLength(1);
    await respond({ id: '1', name: 'a' });
    expect((await second).name).toBe('a');
  });
});

describe('a request that its only caller aborted', () => {
  it('is not joined by the next caller, who gets a response', async () => {
    const { controller } = openWorld();
    const { endpoint, calls, respond } = manual('getItem', Item);
    const abort = new AbortController();
    const first = controller.fetch(endpoint.extend({ signal: abort.signal }), { id: '1' });
    abort.abort();
    const second = controller.fetch(endpoint, { id: '1' });
    expect(await outcomeOf(first)).toMatchObject({
      status: 'rejected',
      reason: { name: 'AbortError' },
    });
    await respond({ id: '1', name: 'a' });
    expect((await second).name).toBe('a');
    expect(calls.at(-1)?.signal?.aborted).toBe(false);
  });

  it('is not joined by a reader that loads, who gets a response', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getItem', Item);
    const abort = new AbortController();
    ignore(controller.fetch(endpoint.extend({ signal: abort.signal }), { id: '1' }));
    abort.abort();
    const loaded = controller.observe(endpoint, { id: '1' }).load();
    await respond({ id: '1', name: 'a' });
    expect((await loaded).name).toBe('a');
  });

  it('leaves no error for readers', async () => {
    const { controller } = openWorld();
    const { endpoint, calls } = manual('getItem', Item);
    const abort = new AbortController();
    const request = controller.fetch(endpoint.extend({ signal: abort.signal }), { id: '1' });
    ignore(request);
    await flush();
    abort.abort();
    expect(await outcomeOf(request)).toMatchObject({ status: 'rejected' });
    expect(calls[0]?.signal?.aborted).toBe(true);
    expect(controller.observe(endpoint, { id: '1' }).getSnapshot()).toEqual({ status: 'pending' });
    expect(controller.getError(endpoint, { id: '1' })).toBeUndefined();
  });
});

describe('a request that was replaced while under way', () => {
  it('is aborted too when no reader wants a response any more', async () => {
    const { controller } = openWorld();
    const { endpoint, calls } = manual('getItem', Item);
    const abort = new AbortController();
    const mine = endpoint.extend({ signal: abort.signal });
    const request = controller.fetch(mine, { id: '1' });
    ignore(request);
    const other = manual('other', Item);
    ignore(controller.fetch(other.endpoint, {}));
    await flush();
    controller.expireAll(endpoint);
    controller.expireAll(other.endpoint);
    await flush();
    abort.abort();
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
    expect(other.calls.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
  });

  it('is aborted too when the store is reset', async () => {
    const { controller } = openWorld();
    const { endpoint, calls } = manual('getItem', Item);
    const request = outcomeOf(controller.fetch(endpoint, { id: '1' }));
    await flush();
    controller.expireAll(endpoint);
    await flush();
    controller.resetEntireStore();
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
    await request;
  });

  it('does not show its failure over data that is being renewed', async () => {
    const { controller } = openWorld();
    const { endpoint, respond, fail } = manual('getItem', Item);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', name: 'a' });
    const view = controller.observe(endpoint, { id: '1' });
    const seen: string[] = [];
    view.subscribe(() => seen.push(view.getSnapshot().status));
    const loaded = view.load();
    await flush();
    controller.expireAll(endpoint);
    await fail(new Error('too early'), 0);
    await respond({ id: '1', name: 'b' }, 1);
    expect((await loaded).name).toBe('b');
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'b' } });
    expect(seen).not.toContain('error');
  });
});

describe("a caller's signal", () => {
  it('keeps one listener at most, however many requests have ended', async () => {
    const { controller } = openWorld();
    const { endpoint } = manual('getItem', Item);
    const abort = new AbortController();
    // It responds at once, and never touches the signal itself.
    const direct = endpoint.extend({ fetch: async () => ({ id: '1' }), signal: abort.signal });
    for (let count = 0; count < 20; count += 1) await controller.fetch(direct, { id: '1' });
    expect(getEventListeners(abort.signal, 'abort').length).toBeLessThanOrEqual(1);
  });
});

describe('a reader that waits when the store is reset', () => {
  it('is notified, and requests again', async () => {
    const { controller } = openWorld();
    const { endpoint, calls, respond } = manual('getItem', Item);
    const view = controller.observe(endpoint, { id: '1' });
    view.subscribe(() => {
      if (view.needsLoad(true)) ignore(view.load());
    });
    ignore(view.load());
    for (let resets = 1; resets <= 2; resets += 1) {
      controller.resetEntireStore();
      await flush();
      expect(calls).toHaveLength(resets + 1);
    }
    await respond({ id: '1', name: 'a' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'a' } });
    expect(calls).toHaveLength(3);
  });
});
