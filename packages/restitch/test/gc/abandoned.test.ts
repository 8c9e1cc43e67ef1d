/** Views of a render that was given up before it was mounted: no reader ever subscribes to them, or releases them. */
import { describe, expect, it } from 'vitest';
import { dataOf, manual } from '../support/world.js';
import { settle } from '../support/clock.js';
import { retainedBytes } from '../support/heap.js';
import { isEmpty, MINUTE, openWorld, User } from '../support/sweeping.js';

const RENDERS = 10_000;

/** Bytes of heap: a tenth of what ten thousand views take. */
const MARGIN = 1_000_000;

describe('the views of abandoned renders', { tags: 'scale' }, () => {
  it('are evicted by the next garbage collection, however many there were', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    const renderAndAbandon = async (round: number): Promise<void> => {
      for (let count = 0; count < RENDERS; count += 1) {
        const id = `${round} ${count}`;
        controller.observeQuery(User, { id }).getSnapshot();
        const view = controller.observe(user.endpoint, { id });
        if (view.getSnapshot().status === 'pending') void view.load();
      }
      await settle();
      for (const { args, resolve, reject } of user.calls.splice(0)) {
        const [{ id }] = args as [{ id: string }];
        if (id.endsWith('1')) reject(new Error('not there'));
        else resolve({ id, name: id });
      }
      await clock.pass(10 * MINUTE);
    };
    expect(await retainedBytes(renderAndAbandon)).toBeLessThan(MARGIN);
    expect(await isEmpty(clock)).toBe(true);
  });

  it('are found again by the render that is tried anew, with the request that it waits for', async () => {
    const { clock, controller } = openWorld();
    const user = manual('user', User);
    const waited = controller.observe(user.endpoint, { id: '1' }).load();
    // One that takes longer than two minutes is joined by no reader.
    await clock.pass(1.9 * MINUTE);
    expect(controller.observe(user.endpoint, { id: '1' }).load()).toBe(waited);
    await user.respond({ id: '1', name: 'ann' });
    // React tries again a while after the promise has settled.
    await clock.pass(MINUTE);
    expect(dataOf(controller.observe(user.endpoint, { id: '1' }))?.name).toBe('ann');
    expect([user.calls.length, waited.status]).toEqual([1, 'fulfilled']);
    expect(await isEmpty(clock)).toBe(true);
  });
});
