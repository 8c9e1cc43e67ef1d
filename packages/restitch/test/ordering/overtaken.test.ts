/** A mutation that is confirmed by an empty response overtakes a stalled one of the same row. */
import { Controller, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, manual, mutation } from '../support/world.js';
import { Clock } from '../support/clock.js';

class Issue extends Entity {
  id = '';
  title = '';
  votes = 0;
  static override key = 'Issue';
}

const ID = { id: '1' };

function open() {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const get = manual('get', Issue);
  const hung = mutation('hung', Issue, () => ({ ...ID, votes: 33 }));
  return {
    clock,
    controller,
    get,
    votes: () => controller.get(Issue, ID)?.votes,
    read: async (votes: number): Promise<void> => {
      ignore(controller.fetch(get.endpoint, ID));
      await get.respond({ ...ID, votes });
    },
    hang: () => ignore(controller.fetch(hung.endpoint, ID)),
    stall: async (isNoted: boolean): Promise<void> => {
      await clock.pass(130_000);
      if (isNoted) controller.set(Issue, { id: 'unrelated' }, { title: 'something settles' });
    },
  };
}

/** Adds 1 to the stored votes, or declines if the row is not stored. */
const predicted = () =>
  mutation('vote', Issue, (snapshot) => {
    const issue = snapshot.get(Issue, ID);
    if (!issue) throw snapshot.abort;
    return { ...ID, votes: issue.votes + 1 };
  });
const plain = () => mutation('vote', Issue);

describe.each([
  ['that the store has noted', true],
  ['that the store has not noted', false],
])('a stalled edit of a row that is not stored, %s,', (_, isNoted) => {
  it.each([
    ['without a prediction', plain],
    ['whose function declines', predicted],
  ])('does not hide the server after a later mutation %s', async (__, create) => {
    const { controller, votes, read, hang, stall } = open();
    hang();
    await stall(isNoted);
    const vote = create();
    ignore(controller.fetch(vote.endpoint, ID));
    await vote.respond(null);
    await read(34);
    expect(votes()).toBe(34);
    await read(99);
    expect(votes()).toBe(99);
  });
});

describe.each([
  ['that the store has noted', true],
  ['that the store has not noted', false],
])('when an empty response confirms a mutation above a stalled edit, %s,', (_, isNoted) => {
  it.each([
    ['an increment', predicted],
    ['new fields', () => mutation('rename', Issue, () => ({ ...ID, title: 'renamed' }))],
    ['an unknown change', plain],
  ])('readers fetch the row: %s', async (__, create) => {
    const { controller, get, votes, read, hang, stall } = open();
    await read(0);
    const view = controller.observe(get.endpoint, ID);
    view.subscribe(() => view.needsLoad(true) && void view.load());
    hang();
    await stall(isNoted);
    const later = create();
    ignore(controller.fetch(later.endpoint, ID));
    expect(get.calls).toHaveLength(1);
    await later.respond(null);
    expect(get.calls).toHaveLength(2);
    await get.respond({ ...ID, votes: 34 });
    expect(votes()).toBe(34);
    expect(view.getSnapshot()).toMatchObject({ stale: false });
    // The stalled edit is gone, so a further mutation needs no fetch.
    const again = predicted();
    ignore(controller.fetch(again.endpoint, ID));
    await again.respond(null);
    expect(votes()).toBe(35);
    expect(get.calls).toHaveLength(2);
  });

  it('readers do not fetch if the stalled edit did not change the row', async () => {
    const { controller, get, votes, read, stall } = open();
    await read(0);
    const view = controller.observe(get.endpoint, ID);
    view.subscribe(() => view.needsLoad(true) && void view.load());
    const other = mutation('other', Issue, () => ({ id: '2', votes: 33 }));
    ignore(controller.fetch(other.endpoint, { id: '2' }));
    await stall(isNoted);
    const vote = predicted();
    ignore(controller.fetch(vote.endpoint, ID));
    await vote.respond(null);
    expect(votes()).toBe(1);
    expect(get.calls).toHaveLength(1);
  });
});
