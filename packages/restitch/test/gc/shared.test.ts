/** A record that stays, while those that refer to it come and go. */
import { expect, it } from 'vitest';
import { dataOf, manual } from '../support/world.js';
import { retainedBytes } from '../support/heap.js';
import { isEmpty, issues, MINUTE, openWorld, User } from '../support/sweeping.js';

const ROWS = 10_000;

/** Bytes of heap: a fifth of what so many rows take that were read. */
const MARGIN = 1_000_000;

it(
  'a record that stays holds on to none of those that referred to it',
  { tags: 'scale' },
  async () => {
    const { clock, controller } = openWorld();
    const list = manual('list', issues);
    controller.set(User, { id: 'u' }, { name: 'ann' });
    const user = controller.observeQuery(User, { id: 'u' });
    const stop = user.subscribe(() => {});
    const comeAndGo = async (round: number): Promise<void> => {
      const rows = Array.from({ length: ROWS }, (_, index) => ({
        id: `${round} ${index}`,
        author: { id: 'u' },
      }));
      controller.setResponse(list.endpoint, rows);
      expect(dataOf(controller.observe(list.endpoint))).toHaveLength(ROWS);
      await clock.pass(20 * MINUTE);
    };
    expect(await retainedBytes(comeAndGo)).toBeLessThan(MARGIN);
    controller.set(User, { id: 'u' }, { name: 'bob' });
    expect(dataOf(user)?.name).toBe('bob');
    stop();
    expect(await isEmpty(clock)).toBe(true);
  },
);
