/**
 * Patches fold into the base of a row once nothing is in flight, and no sooner: whatever the requests come to, the row then shows what the
 * confirmed responses make of it in rank order.
 */
import { Entity, type EntityMeta, Invalidate, type Snapshot } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { flush, ignore, manual, mutation, openWorld } from '../support/world.js';
import { Issue, issues, Wire } from '../support/wire.js';

let wire: Wire;

beforeEach(() => {
  wire = new Wire();
  wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a', x: 0, y: 0 });
});

const increment = (snapshot: Snapshot): { id: string; x: number } => {
  const issue = snapshot.get(Issue, { id: '1' });
  if (issue === undefined) throw snapshot.abort;
  return { id: '1', x: issue.x + 1 };
};

describe('a confirmed write while older requests are in flight', () => {
  const endings = ['success', 'fail'] as const;
  const cases = endings.flatMap((mutation) =>
    endings.flatMap((read) => [
      { mutation, read, first: 'mutation' as const },
      { mutation, read, first: 'read' as const },
    ]),
  );

  it.each(cases)(
    'is the same in the end, the $first settling first, the mutation by $mutation, the read by $read',
    async ({ mutation, read, first }) => {
      const olderRead = wire.poll('1');
      const older = wire.patch('1', { id: '1', x: 1 });
      await wire.patch('1', { id: '1', x: 2 }).respond({ id: '1', x: 2 });
      await wire.poll('1').respond({ id: '1', title: 'b', x: 9, y: 9 });
      const settle = {
        mutation: () =>
          mutation === 'success' ? older.respond({ id: '1', x: 1, y: 1 }) : older.fail(),
        read: () =>
          read === 'success'
            ? olderRead.respond({ id: '1', title: 'old', status: 'open', x: 5, y: 5 })
            : olderRead.fail(),
      };
      await settle[first]();
      await settle[first === 'read' ? 'mutation' : 'read']();
      expect(wire.issue('1')).toMatchObject({
        title: 'b',
        status: read === 'success' ? 'open' : '',
        // When its response arrives, the older mutation lifts the later one above the read that began between their responses.
        ...(mutation === 'success' ? { x: 2, y: 1 } : { x: 9, y: 9 }),
      });
    },
  );
});

describe('a patch stays apart', () => {
  it('from a mutation, while an older read or an older mutation is in flight', async () => {
    const read = wire.poll('1');
    const older = wire.patch('1');
    await wire.patch('1').respond({ id: '1', x: 3 });
    await older.respond({ id: '1', x: 2, y: 2 });
    await read.respond({ id: '1', title: 'read', x: 1, y: 1 });
    expect(wire.issue('1')).toMatchObject({ title: 'read', x: 3, y: 2 });
  });

  it('from a read, while an older read is in flight, but not for mutations: those settle later', async () => {
    const older = wire.poll('1');
    const mutation = wire.patch('1');
    await wire.poll('1').respond({ id: '1', x: 2 });
    await older.respond({ id: '1', x: 1, y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
    await mutation.respond({ id: '1', x: 3 });
    expect(wire.issue('1')).toMatchObject({ x: 3, y: 1 });
  });

  it('from a read, while an older mutation is raised by one that may fail', async () => {
    const first = wire.patch('1', { id: '1', y: 1 });
    await wire.patch('1').respond({ id: '1', x: 2 });
    await wire.poll('1').respond({ id: '1', x: 9 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
    await first.fail();
    expect(wire.issue('1')).toMatchObject({ x: 9, y: 0 });
  });

  it('from a read, while an older function is pending: it may hold what that counts', async () => {
    const older = wire.patch('1');
    const counting = wire.patch('1', increment);
    await wire.poll('1').respond({ id: '1', x: 5 });
    expect(wire.issue('1')?.x).toBe(1);
    // The function runs again.
    await older.respond({ id: '1', y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 1 });
    await counting.fail();
    expect(wire.issue('1')).toMatchObject({ x: 5, y: 1 });
  });

  it('from a list, while an older create has a temporary row: it may hold the created one', async () => {
    await wire.pollList().respond([]);
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond([{ id: '7', title: 'new' }]);
    expect(wire.titles()).toEqual(['new']);
    await creation.fail();
    expect(wire.titles()).toEqual(['new']);
    expect(wire.controller.get(Issue, { id: '7' })).toBeDefined();
  });
});

describe('writes of one row around an older read', () => {
  const write = (fields: Partial<Issue>): void => wire.controller.set(Issue, { id: '1' }, fields);

  it('keeps the place of the first where a read began between them', async () => {
    wire.poll('9');
    write({ x: 1 });
    const between = wire.poll('1');
    write({ title: 'b' });
    await between.respond({ id: '1', x: 5, title: 'read' });
    expect(wire.issue('1')).toMatchObject({ x: 5, title: 'b' });
  });

  it('keeps the place of the first where an optimistic update was made between them', async () => {
    const older = wire.poll('1');
    write({ x: 1 });
    const counting = wire.patch('1', increment);
    write({ x: 7, title: 'b' });
    expect(wire.issue('1')).toMatchObject({ x: 2, title: 'b' });
    await older.respond({ id: '1', y: 4 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 4, title: 'b' });
    await counting.fail();
    expect(wire.issue('1')).toMatchObject({ x: 7, y: 4, title: 'b' });
  });

  it('is one after the other in a response that holds the row twice, below a newer one', async () => {
    wire.poll('9');
    const list = wire.pollList();
    await wire.poll('1').respond({ id: '1', title: 'newer' });
    await list.respond([
      { id: '1', x: 1, author: { id: 'u', name: 'first' } },
      { id: '1', x: 2, title: 'older', author: { id: 'u', name: 'second' } },
    ]);
    expect(wire.issue('1')).toMatchObject({ x: 2, title: 'newer', author: { name: 'second' } });
  });

  it('starts from nothing where it was deleted between', async () => {
    wire.poll('9');
    write({ title: 'gone', x: 3 });
    wire.controller.set(new Invalidate(Issue), {}, '1');
    write({ y: 4 });
    write({ status: 'new' });
    expect(wire.issue('1')).toMatchObject({ title: '', x: 0, y: 4, status: 'new' });
  });

  it('is still there when the older read settles, with or without success', async () => {
    const older = wire.poll('1');
    for (const x of [1, 2, 3]) write({ x });
    await older.respond({ id: '1', x: 9, y: 9 });
    expect(wire.issue('1')).toMatchObject({ x: 3, y: 9 });
    await wire.poll('1').respond({ id: '1', x: 4 });
    expect(wire.issue('1')).toMatchObject({ x: 4, y: 9 });
  });
});

describe('a list with two responses around an older read', () => {
  it('keeps what was added to it after the first response, until the second', async () => {
    wire.poll('9');
    await wire.pollList().respond([{ id: '2', title: 'b' }]);
    wire.controller.set(issues.push, [{}], { id: '3', title: 'c' });
    expect(wire.titles()).toEqual(['b', 'c']);
    await wire.pollList().respond([{ id: '4', title: 'd' }]);
    expect(wire.titles()).toEqual(['d']);
  });

  it('knows a member that the first response had before a create', async () => {
    await wire.pollList().respond([]);
    wire.poll('9');
    await wire.pollList().respond([{ id: '2', title: 'b' }]);
    wire.create({ title: 'new' });
    await wire.pollList().respond([{ id: '2', title: 'b' }]);
    expect(wire.titles()).toEqual(['b', 'new']);
  });
});

describe('a write that a request in flight makes ambiguous', () => {
  it('is withheld where it would count twice, and visible where saying it twice changes nothing', async () => {
    const setting = wire.patch('1', { id: '1', x: 1 });
    await wire.poll('1').respond({ id: '1', x: 1, title: 'value' });
    expect(wire.issue('1')).toMatchObject({ x: 1, title: 'value' });
    await setting.respond(null);
    const counting = wire.patch('1', increment);
    await wire.poll('1').respond({ id: '1', x: 2, title: 'counted' });
    expect(wire.issue('1')?.x).toBe(2);
    await counting.respond({ id: '1', x: 2 });
    expect(wire.issue('1')).toMatchObject({ x: 2, title: 'counted' });
  });
});

/** A record that counts how often it is merged. */
class Merged extends Entity {
  id = '';
  n = 0;
  static override key = 'Merged';
  static merges = 0;

  static override merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    Merged.merges += 1;
    return { ...existing, ...incoming };
  }
}

describe('a request that settles', () => {
  it('only rows are folded that waited for it, however many wait for others', async () => {
    const ROWS = 200;
    const { controller } = openWorld();
    const rows = Array.from({ length: ROWS }, (_, n) => ({ id: String(n), n }));
    controller.set([Merged], {}, rows);
    const [hung, one] = [manual('hung', Merged), manual('one', Merged)];
    ignore(controller.fetch(hung.endpoint, { id: '0' }));
    for (const { id } of rows) controller.set(Merged, { id }, { id, n: -1 });
    Merged.merges = 0;
    ignore(controller.fetch(one.endpoint, { id: '1' }));
    await one.respond({ id: '1', n: 7 });
    // The row itself, each patch in its stack at most twice.
    expect(Merged.merges).toBeLessThanOrEqual(4);
    Merged.merges = 0;
    await hung.fail(new Error('gone'));
    expect(Merged.merges).toBeLessThanOrEqual(2 * (ROWS + 1));
    expect(controller.get(Merged, { id: '1' })?.n).toBe(7);
  });
});

describe('a write while nothing else is in flight is merged for good', () => {
  function openRow() {
    const { controller } = openWorld();
    controller.set(Merged, { id: '1' }, { id: '1', n: 0 });
    const send = (
      kind: 'read' | 'mutation',
      id = '1',
      optimistic?: (snapshot: Snapshot) => object,
    ) => {
      const { endpoint, respond, fail } = manual(kind, Merged, {
        sideEffect: kind === 'mutation',
        ...(optimistic && { getOptimisticResponse: optimistic }),
      });
      ignore(controller.fetch(endpoint, { id }));
      return {
        respond: (n: number) => respond({ id, n }),
        succeed: () => respond(null),
        fail: () => fail(new Error('no')),
      };
    };
    const merges = async (write: () => unknown): Promise<number> => {
      Merged.merges = 0;
      await write();
      return Merged.merges;
    };
    /** A further write merges itself, and again what is still kept apart. */
    const set = () => controller.set(Merged, { id: '1' }, { id: '1', n: -1 });
    return { controller, send, merges, set };
  }

  it.each(['read', 'mutation'] as const)('the response to a %s alone', async (kind) => {
    const { send, merges, set } = openRow();
    const request = send(kind);
    expect(await merges(() => request.respond(1))).toBe(1);
    expect(await merges(set)).toBe(1);
  });

  it('an optimistic update that read the row and got a response without one', async () => {
    const { send, merges, set } = openRow();
    const optimistic = (snapshot: Snapshot) => ({
      id: '1',
      n: snapshot.get(Merged, { id: '1' })?.n,
    });
    await send('mutation', '1', optimistic).succeed();
    expect(await merges(set)).toBe(1);
    set();
    expect(await merges(set)).toBe(1);
  });

  it('a write made while requests were in flight, when the last of them has settled', async () => {
    const { send, merges, set } = openRow();
    const [first, second] = [send('mutation', '2'), send('read', '3')];
    set();
    set();
    expect(await merges(set)).toBeGreaterThan(1);
    await first.respond(1);
    await second.fail();
    expect(await merges(set)).toBe(1);
  });

  it('a write while a request is in flight that can write no rows', async () => {
    const { controller, merges, set } = openRow();
    for (const sideEffect of [false, true]) {
      ignore(controller.fetch(manual('ping', undefined, { sideEffect }).endpoint));
    }
    set();
    expect(await merges(set)).toBe(1);
  });
});

describe('a class that joins records by their time', () => {
  class Timed extends Entity {
    id = '';
    n = 0;
    static override key = 'Timed';
    static notified: [existing: number, incoming: number][] = [];

    static override mergeWithStore(
      existingMeta: EntityMeta,
      incomingMeta: EntityMeta,
      existing: Readonly<Record<string, unknown>>,
      incoming: Readonly<Record<string, unknown>>,
    ): Record<string, unknown> {
      Timed.notified.push([existingMeta.fetchedAt, incomingMeta.fetchedAt]);
      if (incoming['n'] === 'none') {
        throw new Error('No number.');
      }
      return Number(incoming['n']) < Number(existing['n']) ? existing : incoming;
    }
  }

  beforeEach(() => {
    Timed.notified = [];
  });

  it('gets the newest request that the stored record comes from', async () => {
    const { controller, clock } = openWorld();
    const [patch, poll] = [mutation('patch', Timed), manual('poll', Timed)];
    const setAt = (now: number, n: number) => {
      clock.now = now;
      controller.set(Timed, { id: '1' }, { n });
    };
    setAt(1, 1);
    // Handed back: nothing of it comes from the newer one.
    setAt(2, 0);
    setAt(3, 2);
    clock.now = 4;
    ignore(controller.fetch(patch.endpoint));
    clock.now = 5;
    ignore(controller.fetch(poll.endpoint));
    await poll.respond({ id: '1', n: 3 });
    await patch.respond({ id: '1', n: 4 });
    setAt(6, 5);
    // While something is in flight it may be asked the same again.
    expect([...new Set(Timed.notified.map(String))]).toEqual(['1,2', '1,3', '3,5', '5,4', '5,6']);
    expect(controller.get(Timed, { id: '1' })?.n).toBe(5);
  });

  it('gets it when another class wrote the row of a response before this one was known', async () => {
    class Plain extends Entity {
      id = '';
      n = 0;
      static override key = 'Timed';
    }
    const { controller, clock } = openWorld();
    const get = manual('get', [Plain]);
    clock.now = 1;
    const request = controller.fetch(get.endpoint);
    clock.now = 2;
    await get.respond([
      { id: '1', n: 1 },
      { id: '2', n: 1 },
    ]);
    await request;
    clock.now = 3;
    controller.set(Timed, { id: '1' }, { n: 2 });
    clock.now = 4;
    controller.set(Plain, { id: '1' }, { n: 3 });
    clock.now = 5;
    controller.set(Timed, { id: '1' }, { n: 4 });
    controller.set(Timed, { id: '2' }, { n: 4 });
    expect(Timed.notified).toEqual([
      [2, 3],
      // What any class writes from then on is noted with its own request.
      [4, 5],
      [2, 5],
    ]);
  });

  it('gets the same when another class of the same records becomes known, whether that joins by time or not', async () => {
    class Plain extends Entity {
      id = '';
      static override key = 'Timed';
    }
    class Other extends Timed {}
    const { controller, clock } = openWorld();
    const get = manual('get', Timed);
    clock.now = 1;
    ignore(controller.fetch(get.endpoint));
    clock.now = 2;
    await get.respond({ id: '1', n: 1 });
    for (const [entity, id] of [
      [Plain, 'plain'],
      [Other, 'other'],
    ] as const) {
      controller.set(entity, { id }, {});
    }
    clock.now = 3;
    controller.set(Timed, { id: '1' }, { n: 2 });
    expect(Timed.notified).toEqual([[1, 3]]);
  });

  it('decides about a record that has to wait for an older read', async () => {
    const { controller, clock } = openWorld();
    const [older, newer] = [manual('older', Timed), manual('newer', Timed)];
    clock.now = 1;
    controller.set(Timed, { id: '1' }, { n: 5 });
    clock.now = 2;
    ignore(controller.fetch(older.endpoint));
    clock.now = 3;
    ignore(controller.fetch(newer.endpoint));
    await newer.respond({ id: '1', n: 3 });
    expect(Timed.notified).toEqual([[1, 3]]);
    expect(controller.get(Timed, { id: '1' })?.n).toBe(5);
  });

  it('gets a request that it took, though its response repeated the stored record', () => {
    const { controller, clock } = openWorld();
    for (const [now, n] of [
      [1, 1],
      [2, 1],
      [3, 2],
    ] as const) {
      clock.now = now;
      controller.set(Timed, { id: '1' }, { n });
    }
    expect(Timed.notified).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('gets no request whose response it refused', async () => {
    const { controller, clock } = openWorld();
    const list = manual('list', [Timed]);
    clock.now = 1;
    for (const id of ['1', '2']) controller.set(Timed, { id }, { n: 1 });
    clock.now = 2;
    ignore(controller.fetch(list.endpoint));
    await list.respond([
      { id: '1', n: 2 },
      { id: '2', n: 'none' },
    ]);
    clock.now = 3;
    controller.set(Timed, { id: '1' }, { n: 3 });
    expect(Timed.notified.at(-1)).toEqual([1, 3]);
  });
});

describe('a callback that runs in a fold', () => {
  it('is named in the error when it gives no record', () => {
    class Textual extends Entity {
      id = '';
      static override key = 'Textual';
      static override merge(): Record<string, unknown> {
        return 'text' as never;
      }
    }
    const { controller } = openWorld();
    controller.set(Textual, { id: '1' }, {});
    expect(() => controller.set(Textual, { id: '1' }, {})).toThrow(/^Textual\.merge must return/);
  });

  it('spoils its own patch alone when it throws as another request settles, and is reported once', async () => {
    const { controller, reports } = openWorld();
    const [slow, slower] = [manual('slow', Merged), manual('slower', Merged)];
    const asked = [slow, slower].map(({ endpoint }) => controller.fetch(endpoint, { id: '1' }));
    controller.set(Merged, { id: '1' }, (row: Partial<Merged> | undefined) => {
      if (row !== undefined) throw new Error('not twice');
      return { id: '1', n: 1 };
    });
    expect(controller.get(Merged, { id: '1' })?.n).toBe(1);
    await slow.respond({ id: '1', n: 10 });
    await slower.respond({ id: '1', n: 20 });
    await flush();
    expect(await Promise.all(asked)).toMatchObject([{ n: 10 }, { n: 20 }]);
    expect(controller.get(Merged, { id: '1' })?.n).toBe(20);
    const notified = { message: 'Merged.update threw: not twice', cause: new Error('not twice') };
    expect(reports).toEqual([expect.objectContaining(notified)]);
  });

  it('changes nothing when it throws at once, and throws to its own caller', () => {
    const { controller, reports } = openWorld();
    controller.set(Merged, { id: '1' }, { id: '1', n: 1 });
    const before = controller.get(Merged, { id: '1' });
    const refuse = (): never => {
      throw new Error('no');
    };
    expect(() => controller.set(Merged, { id: '1' }, refuse)).toThrow('no');
    expect(controller.get(Merged, { id: '1' })).toBe(before);
    expect(reports).toEqual([]);
  });
});

describe('the result of a key', () => {
  it('is that of the latest start, an error alike, and an older one still writes its rows', async () => {
    const { controller } = openWorld();
    const { endpoint, respond } = manual('one', Merged);
    const view = controller.observe(endpoint, { id: '1' });
    const asked = controller.fetch(endpoint, { id: '1' });
    const error = new Error('said meanwhile');
    controller.setError(endpoint, { id: '1' }, error);
    await respond({ id: '1', n: 1 });
    expect(await asked).toMatchObject({ n: 1 });
    expect(view.getSnapshot()).toMatchObject({ status: 'error', error });
    expect(controller.get(Merged, { id: '1' })?.n).toBe(1);
    controller.setResponse(endpoint, { id: '1' }, { id: '1', n: 2 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { n: 2 } });
  });
});
