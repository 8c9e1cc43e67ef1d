import { Controller, Lazy } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, listen, manual } from '../support/world.js';
import { Issue, issues, User } from '../support/sweeping.js';

/** A host in which the test says when the next slice runs, and each look at the clock costs time. */
function openSlices(step = 0.01) {
  let now = 1_000_000;
  let next: (() => void) | undefined;
  let isOver = false;
  const slices: number[] = [];
  const controller = new Controller({
    environment: {
      now: () => (now += step),
      whenIdle: (callback, milliseconds) => {
        next = callback;
        isOver = milliseconds > 0;
        return () => (next = undefined);
      },
    },
  });
  const slice = (): void => {
    const run = next;
    next = undefined;
    isOver = true;
    const start = now;
    run?.();
    slices.push(now - start);
  };
  return {
    controller,
    slices,
    later: (milliseconds: number) => (now += milliseconds),
    slice,
    isOver: () => isOver,
    /** Runs the sweep to its end. */
    finish: (): void => {
      for (let count = 0; count < 1_000 && (count === 0 || !isOver); count += 1) slice();
    },
  };
}

const rowsOf = (count: number): { id: string; title: string; author: { id: string } }[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    title: `title ${index}`,
    author: { id: `u${index}` },
  }));

describe('garbage collection', () => {
  it('works in slices of at most five milliseconds, whatever the store holds', () => {
    const { controller, slices, finish, later } = openSlices();
    const list = manual('list', issues);
    controller.setResponse(list.endpoint, {}, rowsOf(2_000));
    controller.setResponse(manual('plain', [Issue]).endpoint, {}, rowsOf(3_000));
    listen(controller.observeQuery(issues, {}));
    later(1_000_000);
    finish();
    expect(slices.length).toBeGreaterThan(10);
    expect(Math.max(...slices)).toBeLessThanOrEqual(5);
    expect(controller.get(Issue, { id: '2999' })).toBeUndefined();
    expect(controller.get(issues, {})?.length).toBe(2_000);
  });

  it('does so, too, for the many references of one plain result', () => {
    const { controller, slices, finish } = openSlices();
    const references = Array.from({ length: 3_000 }, () => '1');
    const schema = { found: [Issue], known: new Lazy([Issue]) };
    controller.set(Issue, { id: '1' }, {});
    controller.setResponse(
      manual('wide', schema).endpoint,
      {},
      {
        found: references,
        known: references,
      },
    );
    finish();
    expect(slices.length).toBeGreaterThan(10);
  });

  it('leaves alone what begins to be read while it runs, and what that leads to', () => {
    const { controller, slice, finish, later } = openSlices();
    controller.set(Issue, { id: 'read' }, { author: { id: 'a', friend: { id: 'b' } } });
    controller.set(Issue, { id: 'subscribed' }, { author: { id: 'c', friend: { id: 'd' } } });
    controller.setResponse(manual('plain', [Issue]).endpoint, {}, rowsOf(1_000));
    const view = controller.observeQuery(Issue, { id: 'subscribed' });
    const seen = dataOf(view);
    later(1_000_000);
    // Marking has begun: what is read now was not found when the roots were looked at.
    slice();
    const notified = listen(view);
    const read = controller.get(Issue, { id: 'read' });
    finish();
    expect(dataOf(view)).toBe(seen);
    expect(controller.get(Issue, { id: 'read' })).toBe(read);
    controller.set(User, { id: 'd' }, { name: 'dora' });
    expect([notified.count, dataOf(view)?.author?.friend?.name]).toEqual([1, 'dora']);
    expect(controller.get(User, { id: 'b' })).toBeDefined();
  });

  it('leaves alone a result that is read while it runs, with all records in it', () => {
    const { controller, slice, finish, later } = openSlices();
    const two = manual('two', [Issue]);
    const text = manual('text', undefined);
    controller.setResponse(two.endpoint, [{ id: 'x', author: { id: 'a' } }, { id: 'y' }]);
    controller.setResponse(text.endpoint, 'text');
    controller.setResponse(manual('plain', [Issue]).endpoint, {}, rowsOf(1_000));
    const view = controller.observe(two.endpoint);
    later(1_000_000);
    slice();
    const seen = view.getSnapshot();
    expect(controller.getResponse(text.endpoint)).toBe('text');
    finish();
    expect(view.getSnapshot()).toBe(seen);
    expect(controller.getResponse(two.endpoint)).toMatchObject([{ author: { id: 'a' } }, {}]);
    expect(controller.getResponse(text.endpoint)).toBe('text');
    // By the next one no reader has read it again.
    later(1_000_000);
    finish();
    finish();
    expect(controller.getResponse(text.endpoint)).toBeUndefined();
  });

  it('leaves alone a response that arrives while it runs', async () => {
    const { controller, slice, finish, later } = openSlices();
    const text = manual('text', undefined);
    controller.setResponse(text.endpoint, 'old');
    controller.setResponse(manual('plain', [Issue]).endpoint, {}, rowsOf(1_000));
    later(1_000_000);
    ignore(controller.fetch(text.endpoint));
    slice();
    await text.respond('new');
    finish();
    expect(controller.getResponse(text.endpoint)).toBe('new');
  });

  it('does not miss records that a write makes reachable while it runs', () => {
    /** What a row shows at last that is made to lead to another after so many slices; undefined: the sweep was over. */
    const attempt = (slices: number, readsAtOnce: boolean): string | undefined => {
      const { controller, slice, finish, isOver, later } = openSlices(10);
      controller.set(Issue, { id: 'held' }, { author: null });
      controller.set(User, { id: 'a' }, { friend: { id: 'b', friend: { id: 'c', name: 'c' } } });
      controller.setResponse(manual('plain', [Issue]).endpoint, {}, rowsOf(5));
      const view = controller.observeQuery(Issue, { id: 'held' });
      view.retain();
      later(1_000_000);
      for (let count = 0; count < slices; count += 1) slice();
      if (slices > 0 && isOver()) return undefined;
      controller.set(Issue, { id: 'held' }, { author: 'a' });
      const isThere = readsAtOnce && dataOf(view)?.author !== undefined;
      finish();
      const author = dataOf(view)?.author;
      if (readsAtOnce) return isThere ? 'c' : 'gone';
      return author ? (author.friend?.friend?.name ?? 'in part') : 'gone';
    };
    const outcomes: string[] = [];
    for (let slices = 0; slices < 500; slices += 1) {
      const outcome = attempt(slices, false);
      // What was gone already is gone; what was not is complete.
      expect(outcome).toBe(attempt(slices, true));
      if (outcome === undefined) break;
      outcomes.push(outcome);
    }
    expect(outcomes.filter((outcome) => outcome === 'c').length).toBeGreaterThan(20);
    expect(outcomes.at(-1)).toBe('gone');
  });

  it('completes with a write in its midst, which completes as well', () => {
    const { controller, slice, finish, later } = openSlices();
    const list = manual('list', issues);
    controller.setResponse(list.endpoint, {}, rowsOf(1_000));
    later(1_000_000);
    for (let count = 0; count < 3; count += 1) slice();
    controller.setResponse(list.endpoint, {}, rowsOf(500));
    finish();
    const rows = controller.get(issues, {});
    expect(rows?.length).toBe(500);
    expect(rows?.every(({ author }, index) => author?.id === `u${index}`)).toBe(true);
    expect(controller.get(Issue, { id: '700' })).toBeUndefined();
  });

  it('does not begin within a batch', () => {
    const { controller, slice, finish, later } = openSlices();
    controller.set(User, { id: '1' }, { name: 'ann' });
    later(1_000_000);
    controller.batch(() => {
      slice();
      slice();
      expect(controller.get(User, { id: '1' })?.name).toBe('ann');
    });
    finish();
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });
});
