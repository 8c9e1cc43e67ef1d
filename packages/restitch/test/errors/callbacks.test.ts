/** What a callback of the user's own throws names the class and the endpoint, and is never silent. */
import { Controller, Entity, type EntityMeta } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, listen, manual, mutation, openWorld } from '../support/world.js';

type Row = Readonly<Record<string, unknown>>;

/** A record whose callbacks throw for the number 13, each in a class of its own. */
const classes = {
  merge: class WithMerge extends Entity {
    id = '';
    n = 0;
    static override key = 'WithMerge';
    static override merge(existing: Row, incoming: Row): Record<string, unknown> {
      refuse(incoming);
      return { ...existing, ...incoming };
    }
  },
  shouldUpdate: class WithShouldUpdate extends Entity {
    id = '';
    n = 0;
    static override key = 'WithShouldUpdate';
    static override shouldUpdate(_: EntityMeta, __: EntityMeta, ___: Row, incoming: Row): boolean {
      refuse(incoming);
      return true;
    }
  },
  shouldReorder: class WithShouldReorder extends Entity {
    id = '';
    n = 0;
    static override key = 'WithShouldReorder';
    static override shouldReorder(_: EntityMeta, __: EntityMeta, ___: Row, incoming: Row): boolean {
      refuse(incoming);
      return false;
    }
  },
};

const cause = new TypeError('thirteen');
function refuse({ n }: Row): void {
  if (n === 13) throw cause;
}

describe.each(Object.entries(classes))('%s that throws', (callback, Class) => {
  const message = new RegExp(`^getRow: With${callback}\\.merge threw: thirteen$`, 'i');

  it('fails the request, with the class, the endpoint and the cause, and stores nothing', async () => {
    const { controller, reports } = openWorld();
    controller.set(Class, { id: '1' }, { n: 1 });
    const get = manual('getRow', Class);
    const request = controller.fetch(get.endpoint, {});
    request.catch(() => {});
    await get.respond({ id: '1', n: 13 });
    await expect(request).rejects.toMatchObject({ code: 'callback-failed', status: 400, cause });
    await expect(request).rejects.toThrow(message);
    expect(controller.get(Class, { id: '1' })?.n).toBe(1);
    expect(reports).toEqual([]);
  });

  it('in an optimistic update is reported, and the request goes on', async () => {
    const { controller, reports } = openWorld();
    controller.set(Class, { id: '1' }, { n: 1 });
    const save = mutation('getRow', Class, () => ({ id: '1', n: 13 }));
    const request = controller.fetch(save.endpoint);
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
    await save.respond({ id: '1', n: 2 });
    expect((await request).n).toBe(2);
  });

  it('while the response to another request is stored is reported with its own endpoint', async () => {
    const { controller, reports } = openWorld();
    controller.set(Class, { id: '1' }, { n: 1 });
    const older = manual('older', Class);
    const get = manual('getRow', Class);
    ignore(controller.fetch(older.endpoint, {}));
    const request = controller.fetch(get.endpoint, {});
    request.catch(() => {});
    // First there is nothing that it is merged into another way than by itself.
    let calls = 0;
    const original = Class.merge;
    Class.merge = function merge(this: typeof Class, existing: Row, incoming: Row) {
      calls += 1;
      if (calls > 1) throw cause;
      return original.call(this, existing, incoming);
    } as typeof original;
    try {
      await get.respond({ id: '1', n: 2 });
      await older.respond({ id: '1', n: 3 });
      await request;
    } finally {
      Class.merge = original;
    }
    for (const error of reports) {
      expect(error).toMatchObject({ code: 'callback-failed', cause });
      expect(String(error)).toMatch(/(getRow|older): With/);
    }
    expect(reports.length).toBeGreaterThan(0);
  });
});

describe.each(['createIfValid', 'fromJS'] as const)('%s that throws', (callback) => {
  let isBroken = true;
  class Fragile extends Entity {
    id = '';
    n = 0;
    static override key = `Fragile${callback}`;
  }
  const original = Fragile[callback] as (...args: unknown[]) => unknown;
  Object.defineProperty(Fragile, callback, {
    configurable: true,
    value(this: unknown, ...args: unknown[]): unknown {
      if (isBroken) throw cause;
      return original.apply(this, args);
    },
  });
  const named = `getRow: Fragile${callback}.createIfValid threw: thirteen`;

  it('rejects the call and is thrown to readers, with the class and the endpoint', async () => {
    isBroken = true;
    const { controller, reports } = openWorld();
    const get = manual('getRow', Fragile);
    const view = controller.observe(get.endpoint, {});
    listen(view);
    const request = controller.fetch(get.endpoint, {});
    request.catch(() => {});
    await get.respond({ id: '1', n: 1 });
    await expect(request).rejects.toMatchObject({ code: 'callback-failed', cause, message: named });
    expect(() => view.getSnapshot()).toThrow(named);
    expect(() => controller.get(Fragile, { id: '1' })).toThrow(/^Fragile\w+\.createIfValid threw/);
    expect(reports).toEqual([expect.objectContaining({ message: named })]);
  });

  it('is over as soon as it does not', async () => {
    isBroken = true;
    const { controller } = openWorld();
    const get = manual('getRow', Fragile);
    const request = controller.fetch(get.endpoint, {});
    request.catch(() => {});
    await get.respond({ id: '1', n: 1 });
    await expect(request).rejects.toThrow(named);
    isBroken = false;
    expect(dataOf(controller.observe(get.endpoint, {}))?.n).toBe(1);
  });
});

describe('getOptimisticResponse that throws', () => {
  class Item extends Entity {
    id = '';
    n = 0;
    static override key = 'GuessedItem';
  }

  it('is reported once for each request, however often it runs', async () => {
    const { controller, reports } = openWorld();
    const poll = manual('poll', Item);
    ignore(controller.fetch(poll.endpoint, {}));
    const edit = mutation('edit', Item, (snapshot) => {
      snapshot.get(Item, { id: '1' });
      throw cause;
    });
    for (let sent = 1; sent <= 2; sent += 1) {
      ignore(controller.fetch(edit.endpoint));
      expect(reports).toHaveLength(sent);
    }
    await poll.respond({ id: '1', n: 2 });
    expect(reports).toHaveLength(2);
    const message = 'edit: getOptimisticResponse threw: thirteen';
    expect(reports[0]).toMatchObject({ code: 'callback-failed', cause, message });
  });

  it('goes to the console where `report` is not set', () => {
    const reported: unknown[] = [];
    const controller = new Controller();
    const original = console.error;
    console.error = (error: unknown) => void reported.push(error);
    try {
      const edit = mutation('edit', Item, () => {
        throw cause;
      });
      ignore(controller.fetch(edit.endpoint));
    } finally {
      console.error = original;
    }
    expect(reported).toEqual([expect.objectContaining({ cause })]);
  });

  it('by `snapshot.abort` is reported nowhere', () => {
    const { controller, reports } = openWorld();
    const edit = mutation('edit', Item, (snapshot) => {
      throw snapshot.abort;
    });
    ignore(controller.fetch(edit.endpoint));
    expect(reports).toEqual([]);
  });
});

it('errorPolicy that throws is reported with its endpoint, and readers get the error', async () => {
  class Item extends Entity {
    id = '';
    static override key = 'PolicyItem';
  }
  const { controller, reports } = openWorld();
  const get = manual('getRow', Item, {
    errorPolicy: () => {
      throw cause;
    },
  });
  const request = controller.fetch(get.endpoint, {});
  request.catch(() => {});
  await get.fail(new Error('down'));
  await expect(request).rejects.toThrow('down');
  expect(reports).toEqual([
    expect.objectContaining({ message: 'getRow: errorPolicy threw: thirteen', cause }),
  ]);
});
