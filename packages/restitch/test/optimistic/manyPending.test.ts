/** F20: what many pending edits of one row cost. */
import { Collection, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  flush,
  idsOf,
  ignore,
  Item,
  listen,
  manual,
  mutation,
  openWorld,
} from '../support/world.js';

let merges = 0;

class Merged extends Entity {
  id = '';
  n = 0;
  static override key = 'Merged';
  static override merge(existing: object, incoming: object): Record<string, unknown> {
    merges += 1;
    return { ...existing, ...incoming };
  }
}

/** How often the class merges while a number of optimistic edits of one row are shown. */
function mergesOf(count: number): number {
  const { controller } = openWorld();
  controller.set(Merged, { id: '1' }, { id: '1', n: -1 });
  const edit = mutation('edit', Merged, (_, { n }: { n: number }) => ({ id: '1', n }));
  merges = 0;
  for (let n = 0; n < count; n += 1) {
    ignore(controller.fetch(edit.endpoint, { n }));
  }
  expect(controller.get(Merged, { id: '1' })?.n).toBe(count - 1);
  return merges;
}

it('F20: shows each pending edit of a row with one call of the merge of its class', () => {
  expect(mergesOf(50)).toBe(50);
  expect(mergesOf(100)).toBe(100);
});

let looks = 0;

/** A value that counts how often it is compared. */
class Counted extends Date {
  override getTime(): number {
    looks += 1;
    return super.getTime();
  }
}

class Meeting extends Entity {
  id = '';
  at = new Date(0);
  count = 0;
  static override key = 'Meeting';
}

type Order = 'in order' | 'in reverse' | 'from the middle';

const ORDERS: Readonly<Record<Order, (length: number) => readonly number[]>> = {
  'in order': (length) => [...Array(length).keys()],
  'in reverse': (length) => [...Array(length).keys()].reverse(),
  'from the middle': (length) =>
    [...Array(length).keys()].sort((a, b) => Math.abs(a - length / 2) - Math.abs(b - length / 2)),
};

/** How often values of a row with a reader are compared while its pending edits settle, and what is shown then. */
async function looksOf(length: number, order: Order, isFailing: boolean): Promise<[number, Date?]> {
  const { controller } = openWorld();
  controller.set(Meeting, { id: '1' }, { id: '1', at: new Counted(0) });
  listen(controller.observeQuery(Meeting, { id: '1' }));
  const edits = ORDERS[order](length).map((n) => ({
    n,
    ...mutation('edit', Meeting, (_, { at }: { at: Date }) => ({ id: '1', at })),
  }));
  for (const { n, endpoint } of edits.toSorted((a, b) => a.n - b.n)) {
    ignore(controller.fetch(endpoint, { at: new Counted(n + 1) }));
  }
  looks = 0;
  for (const { n, respond, fail } of edits) {
    await (isFailing ? fail(new Error('no')) : respond({ id: '1', at: new Counted(n + 1) }));
  }
  await flush();
  return [looks, controller.get(Meeting, { id: '1' })?.at];
}

describe.each(Object.keys(ORDERS) as Order[])('F20: many pending edits of one row, %s', (order) => {
  it.each([
    ['are confirmed', false],
    ['fail', true],
  ])('cost no look at the others when they %s', async (_, isFailing) => {
    const [few, first] = await looksOf(100, order, isFailing);
    const [many, second] = await looksOf(200, order, isFailing);
    expect(many / few).toBeLessThan(2.2);
    expect([first?.getTime(), second?.getTime()]).toEqual(isFailing ? [0, 0] : [100, 200]);
  });
});

it('F20: increments that are confirmed as predicted run once each, and look at no other', async () => {
  const cost = async (length: number): Promise<number> => {
    const { controller } = openWorld();
    controller.set(Meeting, { id: '1' }, { id: '1', at: new Counted(0), count: 0 });
    let runs = 0;
    const edits = Array.from({ length }, () =>
      mutation('count', Meeting, (snapshot) => {
        runs += 1;
        const { at, count } = snapshot.get(Meeting, { id: '1' }) ?? { at: new Date(), count: 0 };
        return { id: '1', at: new Counted(at), count: count + 1 };
      }),
    );
    looks = 0;
    for (const { endpoint } of edits) ignore(controller.fetch(endpoint, {}));
    for (const [index, { respond }] of edits.entries()) {
      await respond({ id: '1', at: new Counted(0), count: index + 1 });
    }
    expect([runs, controller.get(Meeting, { id: '1' })?.count]).toEqual([length, length]);
    return looks;
  };
  expect((await cost(200)) / (await cost(100))).toBeLessThan(2.2);
});

const items = new Collection([Item], { name: 'items' });

type End = 'push' | 'unshift';

/** A list and a number of pending creates, and their responses by number. */
async function openCreates(length: number, end: End, hasOwnKeys = false) {
  const { controller } = openWorld();
  const list = manual('list', items);
  const read = controller.fetch(list.endpoint);
  await list.respond([{ id: 'a', name: 'a' }]);
  await read;
  const view = controller.observe(list.endpoint);
  const creates = Array.from({ length }, () =>
    mutation('create', items[end], (_, body: object) => body),
  );
  for (const [n, { endpoint }] of creates.entries()) {
    ignore(controller.fetch(endpoint, { name: `${n}`, ...(hasOwnKeys && { id: `k${n}` }) }));
  }
  await flush();
  return {
    view,
    names: () => dataOf(view)?.map(({ name }: Item) => name),
    ids: () => idsOf(dataOf(view)),
    respond: (n: number) => creates[n]?.calls[0]?.resolve({ id: `k${n}`, name: `${n}` }),
    fail: (n: number) => creates[n]?.calls[0]?.reject(new Error('no')),
  };
}

/** The names of a list as they were pushed or unshifted. */
const inPlace = (names: readonly string[], end: End): string[] =>
  end === 'push' ? ['a', ...names] : [...names.toReversed(), 'a'];

describe.each(Object.keys(ORDERS) as Order[])(
  'F20: many pending creates in one list, %s',
  (order) => {
    it.each(['push', 'unshift'] as const)(
      'keep their places by %s, whatever fails',
      async (end) => {
        const world = await openCreates(20, end);
        listen(world.view);
        const left = new Set(ORDERS['in order'](20));
        for (const n of ORDERS[order](20)) {
          if (n % 2 === 1) {
            world.fail(n);
            left.delete(n);
          } else {
            world.respond(n);
          }
          await flush();
          expect(world.names()).toEqual(inPlace([...left].map(String), end));
        }
        expect(world.ids()).toEqual(
          inPlace(
            [...left].map((n) => `k${n}`),
            end,
          ),
        );
      },
    );

    it('keep their places when the client chooses their keys', async () => {
      const world = await openCreates(20, 'push', true);
      listen(world.view);
      expect(world.ids()).toEqual(
        inPlace(
          ORDERS['in order'](20).map((n) => `k${n}`),
          'push',
        ),
      );
      for (const n of ORDERS[order](20)) {
        world.respond(n);
        await flush();
      }
      expect(world.ids()).toEqual(
        inPlace(
          ORDERS['in order'](20).map((n) => `k${n}`),
          'push',
        ),
      );
    });
  },
);
