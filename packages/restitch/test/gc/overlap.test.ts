/** What overlapping requests keep, and when that goes. */
import { Collection } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { Issue, Wire } from '../support/wire.js';
import { ignore, manual } from '../support/world.js';
import { heapUsed, retainedBytes } from '../support/heap.js';
import { openWorld, User } from '../support/sweeping.js';

const POLLS = 200;
const LENGTH = 50_000;

/** A text of its own, which no other shares. */
function text(seed: number): string {
  return Buffer.alloc(LENGTH, 97 + (seed % 26)).toString('latin1');
}

describe('polls of one row while an older read is in flight', { tags: 'scale' }, () => {
  it('are one patch together, whose older texts are released', async () => {
    const wire = new Wire();
    const older = wire.poll('1');
    await wire.poll('1').respond({ id: '1', title: text(0) });
    const before = heapUsed();
    for (let n = 1; n <= POLLS; n++)
      await wire.poll('1').respond({ id: '1', title: text(n), x: n });
    expect(heapUsed() - before).toBeLessThan((POLLS * LENGTH) / 2);
    await older.respond({ id: '1', title: 'old', y: 7 });
    expect(wire.controller.get(Issue, { id: '1' })).toMatchObject({
      title: text(POLLS),
      x: POLLS,
      y: 7,
    });
  });
});

describe('responses to one list while an older read is in flight', { tags: 'scale' }, () => {
  it('are one patch together too, as long as they have no pages to keep', async () => {
    const { controller } = openWorld();
    const older = manual('older', User);
    ignore(controller.fetch(older.endpoint, { id: '1' }));
    const users = manual('users', { list: new Collection([User]), note: '' });
    const before = heapUsed();
    for (let n = 1; n <= POLLS; n++) {
      controller.setResponse(users.endpoint, { list: [{ id: String(n) }], note: text(n) });
    }
    expect(heapUsed() - before).toBeLessThan((POLLS * LENGTH) / 2);
    await older.respond({ id: '1', name: 'old' });
    const { list, note } = controller.getResponse(users.endpoint) ?? {};
    expect([list?.map(({ id }) => id), note]).toEqual([[String(POLLS)], text(POLLS)]);
  });
});

describe(
  'responses that repeat many rows while an older read is in flight',
  { tags: 'scale' },
  () => {
    const rowsOf = (length: number): object[] =>
      Array.from({ length }, (_, n) => ({ id: String(n), name: 'ann' }));

    it('are kept as one, which the later ones replace', async () => {
      const { controller } = openWorld();
      const rows = rowsOf(2_000);
      const users = manual('users', [User]);
      const poll = (): void => controller.setResponse(users.endpoint, rows);
      poll();
      const older = manual('older', User);
      ignore(controller.fetch(older.endpoint, { id: '1' }));
      poll();
      const pollOften = (): void => {
        for (let n = 0; n < POLLS; n++) poll();
      };
      expect(await retainedBytes(pollOften)).toBeLessThan(1_000_000);
      await older.respond({ id: '1', name: 'old' });
      expect(controller.get(User, { id: '1' })?.name).toBe('ann');
    }, 60_000);

    it('keep no more once they were exported', async () => {
      const rows = rowsOf(20_000);
      const users = manual('users', [User]);
      const controllers = [0, 1, 2].map(() => {
        const { controller } = openWorld();
        controller.setResponse(users.endpoint, rows);
        ignore(controller.fetch(manual('older', User).endpoint, { id: '1' }));
        controller.setResponse(users.endpoint, rows);
        return controller;
      });
      const retained = await retainedBytes((round) => {
        const state = getState(controllers[round] ?? openWorld().controller);
        expect(state.entities['User']?.length).toBe(rows.length);
      }, controllers.length);
      expect(retained).toBeLessThan(1_000_000);
      expect(controllers[0]?.get(User, { id: '1' })?.name).toBe('ann');
    });
  },
);
