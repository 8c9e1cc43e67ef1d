/** What random programs found: each disagreement with the naive model, by its shortest program. */
import type { Snapshot } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Issue, issues, User, Wire } from '../support/wire.js';

let wire: Wire;

beforeEach(() => {
  wire = new Wire();
});

const increment = (snapshot: Snapshot): { id: string; x: number } => {
  const issue = snapshot.get(Issue, { id: '1' });
  if (issue === undefined) throw snapshot.abort;
  return { id: '1', x: issue.x + 1 };
};

describe('a row or list that was not read before an optimistic update', () => {
  it('a related row is there after the update failed', async () => {
    await wire.poll('1').respond({ id: '1', author: 'u' });
    wire.controller.set(User, { id: 'u' }, { id: 'u', name: 'ann' });
    await wire.removeUser('u', true).fail();
    expect(wire.issue('1')?.author?.name).toBe('ann');
  });

  it('a list that was first asked for while unknown is there after a create failed', async () => {
    expect(wire.titles()).toBeUndefined();
    await wire.pollList().respond([]);
    await wire.create({ title: 'new' }).fail();
    expect(wire.titles()).toEqual([]);
  });
});

describe('references are kept, and no reader is notified', () => {
  let notified: number;

  beforeEach(() => {
    notified = 0;
    wire.controller.setResponse(wire.getList, {}, [
      { id: '1', title: 'a', author: { id: 'u', name: 'ann', friend: 'v' } },
    ]);
    wire.controller.observe(wire.getList, {}).subscribe(() => notified++);
  });

  it('when an unknown row is deleted to which a relation leads', () => {
    const before = wire.controller.get(issues, {});
    wire.removeUser('v', true);
    expect(wire.controller.get(issues, {})).toBe(before);
    expect(notified).toBe(0);
  });

  it('when a relation comes to lead to another unknown row', () => {
    const before = wire.controller.get(issues, {});
    wire.controller.set(User, { id: 'u' }, { id: 'u', friend: 'w' });
    expect(wire.controller.get(issues, {})).toBe(before);
    expect(notified).toBe(0);
  });

  it('when a local function changes what a pending optimistic update hides', () => {
    wire.patch('1', { id: '1', x: 5 });
    const before = wire.controller.get(issues, {});
    notified = 0;
    wire.controller.set(Issue, { id: '1' }, () => ({ id: '1', x: 1 }));
    expect(wire.controller.get(issues, {})).toBe(before);
    expect(notified).toBe(0);
  });
});

describe('out-of-order mutations of a row', () => {
  it('expire once: a view that is stale already keeps its snapshot', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    const seen: unknown[] = [];
    view.subscribe(() => seen.push(view.getSnapshot()));
    const flights = [wire.patch('1'), wire.patch('1'), wire.patch('1')] as const;
    await flights[2].respond({ id: '1', y: 3 });
    await flights[1].respond({ id: '1', y: 3 });
    const stale = view.getSnapshot();
    expect(stale).toMatchObject({ status: 'ready', stale: true });
    await flights[0].respond({ id: '1', y: 3 });
    expect(view.getSnapshot()).toBe(stale);
    expect(seen.at(-1)).toBe(stale);
    expect(seen).toHaveLength(2);
  });

  it('do not change a view with an error', async () => {
    await wire.readResult('1').respond({ id: '1', x: 0 });
    const view = wire.controller.observe(wire.getIssue, { id: '1' });
    view.subscribe(() => {});
    const flights = [wire.patch('1'), wire.patch('1')] as const;
    await wire.readResult('1').fail();
    const failed = view.getSnapshot();
    expect(failed.status).toBe('error');
    await flights[1].respond({ id: '1', x: 0 });
    await flights[0].respond({ id: '1', x: 0 });
    expect(view.getSnapshot()).toBe(failed);
  });
});

describe('a local function', () => {
  it('writes the fields that it returns and keeps the others', () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a', x: 0 });
    wire.controller.set(Issue, { id: '1' }, (issue) => ({ id: '1', x: (issue?.x ?? 0) + 1 }));
    expect(wire.issue('1')).toMatchObject({ title: 'a', x: 1 });
  });
});

describe('an increment that a 204 confirmed', () => {
  it('does not keep values of an older increment that then fails', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    const first = wire.patch('1', increment);
    const second = wire.patch('1', increment);
    await second.respond(null);
    expect(wire.issue('1')?.x).toBe(2);
    await first.fail();
    expect(wire.issue('1')?.x).toBe(1);
  });

  it('is added to the response of a read that started before it', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    const read = wire.poll('1');
    await wire.patch('1', increment).respond(null);
    await read.respond({ id: '1', x: 10 });
    expect(wire.issue('1')?.x).toBe(11);
  });

  it('takes effect between the responses that it came between, when an older read brings the row', async () => {
    const read = wire.pollList();
    const increased = wire.patch('1', increment);
    const between = wire.poll('1');
    const created = wire.create({ id: '1' });
    await increased.respond(null);
    await between.respond({ id: '1', title: 'a', x: 0 });
    wire.controller.set(Issue, { id: '1' }, { id: '1' });
    await created.fail();
    await read.respond([{ id: '1' }]);
    expect(wire.issue('1')).toMatchObject({ title: 'a', x: 1 });
  });

  it('takes effect when an older read brings the row that it had missed', async () => {
    const read = wire.poll('1');
    await wire.patch('1', increment).respond(null);
    expect(wire.issue('1')).toBeUndefined();
    await read.respond({ id: '1', x: 10 });
    expect(wire.issue('1')?.x).toBe(11);
  });

  it('that had nothing to add to does not count on a row that was created after it', async () => {
    const increased = wire.patch('1', increment);
    await wire.create({ title: 'new' }).respond({ id: '1', title: 'new', x: 0 });
    const read = wire.poll('1');
    await increased.respond(null);
    expect(wire.issue('1')?.x).toBe(0);
    await read.fail();
    expect(wire.issue('1')?.x).toBe(0);
  });

  it('is final once nothing older is in flight', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', x: 0 });
    await wire.patch('1', increment).respond(null);
    await wire.poll('1').respond({ id: '1', x: 7 });
    expect(wire.issue('1')?.x).toBe(7);
  });
});

describe('an optimistic update that runs again', () => {
  it('stays under writes that began after its 204, also in a record that it never looked at before', async () => {
    wire.controller.set(Issue, { id: '1' }, { id: '1', title: 'a', x: 0 });
    const older = wire.poll('2');
    const copied = wire.patch('1', (snapshot) => {
      const other = snapshot.get(Issue, { id: '2' });
      if (other === undefined) throw snapshot.abort;
      return { id: '1', title: 'copied', x: other.x };
    });
    await copied.respond(null);
    await wire.poll('1').respond({ id: '1', x: 9 });
    await older.respond({ id: '2', x: 5 });
    expect(wire.issue('1')).toMatchObject({ title: 'copied', x: 9 });
  });

  it('sees a record that comes into its view as it was when the optimistic update started, whatever was written since', async () => {
    wire.controller.setResponse(wire.getList, { status: 'open' }, [{ id: '1', status: 'open' }]);
    const creation = wire.create({ status: 'open' });
    const poll = wire.poll('1');
    // Withheld, since it might be the created one.
    wire.controller.setResponse(wire.getList, { status: 'open' }, [{ id: '4' }]);
    const change = wire.patch('1', (snapshot) => ({
      id: '1',
      x: snapshot.get(issues, { status: 'open' })?.length ?? 0,
    }));
    wire.controller.set(Issue, { id: '4' }, { title: 'written later' });
    await creation.fail();
    expect(wire.issue('1')?.x).toBe(1);
    await change.respond(null);
    await poll.fail();
    expect(wire.issue('1')?.x).toBe(1);
  });
});
