/** Who wins when requests overlap: ranks, not arrivals. */
import { Endpoint, type Snapshot } from 'restitch';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Issue, Wire } from '../support/wire.js';

let wire: Wire;

const increment = (snapshot: Snapshot): { id: string; x: number } => ({
  id: '1',
  x: (snapshot.get(Issue, { id: '1' })?.x ?? 0) + 1,
});

/** Of a row that is not there from the start. */
const incrementOther = (snapshot: Snapshot): { id: string; x: number } => {
  const issue = snapshot.get(Issue, { id: '9' });
  if (issue === undefined) throw snapshot.abort;
  return { id: '9', x: issue.x + 1 };
};

/** Only while `y` is set. */
const incrementWithY = (snapshot: Snapshot): { id: string; x: number } => {
  const issue = snapshot.get(Issue, { id: '1' });
  if (!issue?.y) throw snapshot.abort;
  return { id: '1', x: issue.x + 1 };
};

beforeEach(() => {
  wire = new Wire();
  wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a', x: 0, y: 0 });
});

describe('reads', () => {
  it('rank by when they started: an older response that arrives later changes nothing', async () => {
    const older = wire.poll('1');
    const newer = wire.poll('1');
    await newer.respond({ id: '1', title: 'new' });
    const current = wire.issue('1');
    await older.respond({ id: '1', title: 'old' });
    expect(wire.issue('1')).toBe(current);
    expect(current?.title).toBe('new');
  });

  it('that are older still fill in the fields that the newer response lacks', async () => {
    const older = wire.poll('1');
    const newer = wire.poll('1');
    await newer.respond({ id: '1', x: 2 });
    await older.respond({ id: '1', x: 1, y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
  });
});

describe('reads against mutations', () => {
  it('a poll that began before a PATCH was confirmed does not undo it', async () => {
    const patch = wire.patch('1', { id: '1', x: 1 });
    const poll = wire.poll('1');
    await patch.respond({ id: '1', x: 1 });
    await poll.respond({ id: '1', x: 0 });
    expect(wire.issue('1')?.x).toBe(1);
  });

  it('a poll that began after a PATCH was confirmed replaces its values', async () => {
    await wire.patch('1').respond({ id: '1', x: 1 });
    await wire.poll('1').respond({ id: '1', x: 7 });
    expect(wire.issue('1')?.x).toBe(7);
  });

  it('a cycle of wishes is resolved by raising the later mutation above the poll', async () => {
    // The poll began after the response to the second mutation; the response to the first arrived after the poll began.
    // The second started later
    // than the first: each wants to be above the one before.
    const first = wire.patch('1', { id: '1', x: 1 });
    const second = wire.patch('1', { id: '1', x: 2 });
    await second.respond({ id: '1', x: 2 });
    const poll = wire.poll('1');
    await poll.respond({ id: '1', x: 9, y: 9 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 9 });
    await first.respond({ id: '1', x: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 9 });
  });

  it('the raise acts backwards when an older mutation without an optimistic update gets its response', async () => {
    const first = wire.patch('1');
    const second = wire.patch('1');
    await second.respond({ id: '1', x: 2 });
    await wire.poll('1').respond({ id: '1', x: 9 });
    expect(wire.issue('1')?.x).toBe(9);
    await first.respond({ id: '1', y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
  });

  it('a read whose response arrives later raises nothing over a newer poll', async () => {
    const stalled = wire.poll('1');
    const old = wire.poll('1');
    const change = wire.patch('1');
    await change.respond({ id: '1', x: 1 });
    const newer = wire.poll('1');
    await old.respond({ id: '1', x: 0, y: 1 });
    await newer.respond({ id: '1', x: 2 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
    await stalled.fail();
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
  });

  it('a mutation raises only the rows that it touches', async () => {
    wire.controller.set(Issue, { id: '2' }, { id: '2', x: 0 });
    const upload = wire.patch('2', { id: '2', x: 1 });
    await wire.patch('1').respond({ id: '1', x: 1 });
    await wire.poll('1').respond({ id: '1', x: 5 });
    expect(wire.issue('1')?.x).toBe(5);
    await upload.respond({ id: '2', x: 1 });
    expect(wire.issue('1')?.x).toBe(5);
  });
});

describe('mutations among themselves', () => {
  it('are ordered by start, whatever order the responses arrive in', async () => {
    const first = wire.patch('1', { id: '1', x: 1 });
    const second = wire.patch('1', { id: '1', x: 2 });
    await second.respond({ id: '1', x: 2 });
    await first.respond({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(2);
  });

  it('a later optimistic update stays above an earlier response', async () => {
    const first = wire.patch('1', { id: '1', x: 1 });
    const second = wire.patch('1', { id: '1', x: 2 });
    await first.respond({ id: '1', x: 1, y: 1 });
    expect(wire.issue('1')).toMatchObject({ x: 2, y: 1 });
    await second.fail();
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 1 });
  });

  it('whole-row responses in the other order than the starts make results with the row stale', async () => {
    await wire.readResult('1').respond({ id: '1', title: 'a', x: 0, y: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    const stop = view.subscribe(() => {});
    const first = wire.patch('1');
    const second = wire.patch('1');
    await second.respond({ id: '1', x: 2, y: 0 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    await first.respond({ id: '1', x: 2, y: 1 });
    // Start order ends in `y: 0`, a confirmed write lost until the next fetch: the order is unknown, so the result is fetched again.
    expect(view.getSnapshot()).toMatchObject({
      status: 'ready',
      stale: true,
      data: { x: 2, y: 0 },
    });
    expect(view.needsLoad()).toBe(true);
    stop();
  });

  it('out-of-order mutations of a row make results without a reader stale, too', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0, y: 0 });
    const [first, second] = [wire.patch('1'), wire.patch('1')];
    await second.respond({ id: '1', x: 2, y: 0 });
    await first.respond({ id: '1', x: 2, y: 1 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(view.needsLoad()).toBe(true);
  });

  it('a success without a row in its response counts as out of order as well', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    view.subscribe(() => {});
    const [first, second] = [wire.patch('1', { id: '1', x: 1 }), wire.patch('1')];
    await second.respond({ id: '1', x: 0 });
    await first.respond(null);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true, data: { x: 0 } });
  });

  it('a counter whose second increment the server ran first keeps start order, and is fetched again', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    const stop = view.subscribe(() => {});
    const [first, second] = [wire.patch('1', increment), wire.patch('1', increment)];
    expect(wire.issue('1')?.x).toBe(2);
    await second.respond({ id: '1', x: 1 });
    expect(wire.issue('1')?.x).toBe(1);
    await first.respond({ id: '1', x: 2 });
    // The server holds 2, but the client cannot know which of the two it ran last.
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true, data: { x: 1 } });
    expect(view.needsLoad()).toBe(true);
    stop();
  });

  it('responses in the order of the starts expire nothing', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0, y: 0 });
    const first = wire.patch('1');
    const second = wire.patch('1');
    await first.respond({ id: '1', y: 1 });
    await second.respond({ id: '1', x: 2, y: 1 });
    expect(wire.controller.observe(wire.getIssue, { id: '1' }).getSnapshot()).toMatchObject({
      status: 'ready',
      stale: false,
    });
  });
});

describe('expiry by out-of-order mutations', () => {
  /** A read of one row, and a response for each request that was sent for it. */
  const openIssue = () => {
    const requests: ((row: object) => void)[] = [];
    const getIssue = new Endpoint(
      ({ id: _ }: { id: string }) => new Promise<unknown>((resolve) => requests.push(resolve)),
      { name: 'getIssue', schema: Issue },
    );
    return { requests, getIssue };
  };

  const isStale = async (...flights: readonly ('read' | 'write')[]): Promise<boolean> => {
    await wire.readResult('1').respond({ id: '1', x: 0, y: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    const stop = view.subscribe(() => {});
    const started = flights.map((kind) => (kind === 'read' ? wire.poll('1') : wire.patch('1')));
    // The response to the first one that started arrives last.
    for (const [index, flight] of [...started.entries()].reverse()) {
      await flight.respond({ id: '1', x: index, y: index });
    }
    const snapshot = view.getSnapshot();
    stop();
    return snapshot.status !== 'ready' || snapshot.stale;
  };

  it.each([
    ['an older read', ['read', 'write']],
    ['a newer read', ['write', 'read']],
    ['two reads', ['read', 'read']],
  ] as const)('is not caused by %s', async (_, flights) => {
    expect(await isStale(...flights)).toBe(false);
  });

  it('happens while a read is in flight, too', async () => {
    expect(await isStale('write', 'write', 'read')).toBe(true);
  });

  it('is not caused by responses in order that an older read keeps apart', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    view.subscribe(() => {});
    wire.poll('1');
    const [first, second] = [wire.patch('1', increment), wire.patch('1', { id: '1', y: 1 })];
    await first.respond({ id: '1', x: 1 });
    await second.respond({ id: '1', x: 1, y: 1 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
  });

  it('is not caused by an optimistic update that runs again below a response and fails', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    view.subscribe(() => {});
    const poll = wire.poll('1');
    const [failing, other] = [wire.patch('1', increment), wire.patch('1')];
    await other.respond({ id: '1', y: 2 });
    await poll.respond({ id: '1', x: 5 });
    expect(wire.issue('1')).toMatchObject({ x: 6, y: 2 });
    await failing.fail();
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
  });

  it('refetches the row that only a list contained, and changes no query', async () => {
    wire.controller.setResponse(wire.getList, {}, [{ id: '1', title: '', status: '', x: 0, y: 0 }]);
    wire.controller.observeQuery(Issue, { id: '1' }).subscribe(() => {});
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    view.subscribe(() => {});
    expect(view.needsLoad()).toBe(false);
    const list = wire.controller.observe(wire.getList, {});
    list.subscribe(() => {});
    const [first, second] = [wire.patch('1'), wire.patch('1')];
    await second.respond({ id: '1', x: 2 });
    await first.respond({ id: '1', x: 1 });
    expect([view.needsLoad(), list.needsLoad()]).toEqual([true, true]);
  });

  it('expires no result with other rows', async () => {
    const ids = ['1', '2', '3'];
    for (const id of ids) await wire.readResult(id).respond({ id, x: 0 });
    const views = ids.map((id) => wire.controller.observe(wire.getIssue, { id }));
    const stale = () => views.map((view) => view.needsLoad());
    for (const view of views) view.getSnapshot();
    views[1]?.subscribe(() => {});
    const [first, second] = [wire.patch('1'), wire.patch('1')];
    await second.respond({ id: '1', x: 2 });
    await first.respond({ id: '1', x: 1 });
    expect(stale()).toEqual([true, false, false]);
  });

  it('expires a list into which the row comes with the response that causes it', async () => {
    await wire.start(wire.getList, {}).respond([]);
    const view = wire.controller.observe(wire.getList, {});
    const stop = view.subscribe(() => {});
    const [first, second] = [wire.create({ id: '1' }, false), wire.patch('1')];
    await second.respond({ id: '1', x: 2 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    await first.respond({ id: '1', x: 0 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: true, data: [{ x: 2 }] });
    stop();
  });

  it('that comes later leaves alone requests that were sent after both responses', async () => {
    const older = wire.poll('9');
    const [first, second] = [wire.patch('9', incrementOther), wire.patch('9')];
    await second.respond({ id: '9', x: 0 });
    await first.respond(null);
    await wire.readResult('9').respond({ id: '9', x: 5 });
    const view = wire.controller.observe(wire.getIssue, { id: '9' });
    // Only now the first one has something to add to, below the second.
    await older.respond({ id: '9', x: 0 });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false, data: { x: 5 } });
  });

  it.each([
    ['with it the record changes', { id: '1', x: 2 }, { x: 2, y: 1 }],
    ['it changes nothing to look at', { id: '1', x: 2, y: 0 }, { x: 2, y: 0 }],
  ])(
    'that comes later repeats no request that was sent after both responses: %s',
    async (_, response, data) => {
      const { requests, getIssue } = openIssue();
      wire.controller.setResponse(getIssue, { id: '1' }, { id: '1', x: 0, y: 0 });
      const view = wire.controller.observe(getIssue, { id: '1' });
      const stop = view.subscribe(() => {});
      const older = wire.poll('1');
      const [first, second] = [wire.patch('1', incrementWithY), wire.patch('1')];
      await second.respond(response);
      await first.respond(null);
      void wire.controller.fetch(getIssue, { id: '1' });
      expect(view.getSnapshot()).toMatchObject({ data: { x: 2, y: 0 }, stale: true });
      // Only now the first one has something to say, below the second.
      await older.respond({ id: '1', y: 1 });
      expect(view.getSnapshot()).toMatchObject({ data, stale: true });
      requests[0]?.({ id: '1', x: 3 });
      await vi.waitFor(() =>
        expect(view.getSnapshot()).toMatchObject({ data: { x: 3 }, stale: false }),
      );
      expect(requests).toHaveLength(1);
      stop();
    },
  );

  it('that a 204 to a declining function causes repeats the request of its callers', async () => {
    const { requests, getIssue } = openIssue();
    const view = wire.controller.observe(getIssue, { id: '9' });
    // As a binding does.
    const stop = view.subscribe(() => void (view.needsLoad() && view.load()));
    const notified: unknown[] = [];
    void wire.controller.fetch(getIssue, { id: '9' }).then((issue) => notified.push(issue));
    const [first, second] = [wire.patch('9', incrementOther), wire.patch('9')];
    await second.respond({ id: '9', x: 0 });
    await first.respond(null);
    requests[0]?.({ id: '9', x: 0 });
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(notified).toEqual([]);
    requests[1]?.({ id: '9', x: 5 });
    await vi.waitFor(() =>
      expect(view.getSnapshot()).toMatchObject({ data: { x: 5 }, stale: false }),
    );
    expect(notified).toEqual([wire.issue('9')]);
    expect(requests).toHaveLength(2);
    stop();
  });
});

describe('local writes', () => {
  it('rank below the mutations in flight and above older reads', async () => {
    const poll = wire.poll('1');
    const patch = wire.patch('1', { id: '1', x: 5 });
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 1, y: 1 });
    await poll.respond({ id: '1', x: 0, y: 0 });
    expect(wire.issue('1')).toMatchObject({ x: 5, y: 1 });
    await patch.fail();
    expect(wire.issue('1')).toMatchObject({ x: 1, y: 1 });
  });

  it('a message that repeats the old value does not hide the response to the mutation in flight', async () => {
    const patch = wire.patch('1');
    wire.controller.setResponse(wire.getIssue, { id: '1' }, { id: '1', x: 0 });
    await patch.respond({ id: '1', x: 10 });
    expect(wire.issue('1')?.x).toBe(10);
  });

  it('a function stays a function while an older read is in flight', async () => {
    const poll = wire.poll('1');
    wire.controller.set(Issue, { id: '1' }, (issue) => ({ id: '1', x: (issue?.x ?? 0) + 1 }));
    expect(wire.issue('1')?.x).toBe(1);
    await poll.respond({ id: '1', x: 10 });
    expect(wire.issue('1')?.x).toBe(11);
  });

  it('a change and its reversal in one batch are no change', () => {
    const before = wire.issue('1');
    let notified = 0;
    const stop = wire.controller.observeQuery(Issue, { id: '1' }).subscribe(() => notified++);
    wire.controller.batch(() => {
      wire.controller.set(Issue, { id: '1' }, { id: '1', x: 1 });
      wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    });
    expect(wire.issue('1')).toBe(before);
    expect(notified).toBe(0);
    stop();
  });
});

describe('responses in any order', () => {
  const orders: readonly (readonly number[])[] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];

  it.each(orders)('end in the same state: %i, %i, %i', async (...order) => {
    const poll = wire.poll('1');
    const first = wire.patch('1', { id: '1', x: 1 });
    const second = wire.patch('1', { id: '1', y: 2 });
    const ends = [
      () => poll.respond({ id: '1', title: 'b', x: 0, y: 0 }),
      () => first.respond({ id: '1', x: 1 }),
      () => second.respond({ id: '1', y: 2 }),
    ];
    for (const index of order) await ends[index]?.();
    expect(wire.issue('1')).toMatchObject({ title: 'b', x: 1, y: 2 });
  });
});
