import { All, Controller } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, Item, idsOf, listen, manual } from './kit.js';

/** A host in which a sweep makes one step each time, and the test says when. */
function openSteps() {
  let now = 1_000_000;
  let next: (() => void) | undefined;
  let isOver = false;
  const controller = new Controller({
    environment: {
      // Each look at the clock takes longer than a slice may.
      now: () => (now += 5),
      whenIdle: (callback, milliseconds) => {
        next = callback;
        isOver = milliseconds > 0;
        return () => (next = undefined);
      },
    },
  });
  return {
    controller,
    later: (milliseconds: number) => (now += milliseconds),
    /** Makes so many steps of the sweep, fewer where it ends before; tells whether it has ended. */
    step: (count: number): boolean => {
      for (let made = 0; made < count && !(made > 0 && isOver); made += 1) next?.();
      return isOver;
    },
  };
}

describe('a view that begins to be observed anywhere in the middle of a sweep', () => {
  const steps = Array.from({ length: 40 }, (_, index) => index + 1);

  it.each(steps)('hears of what enters a selection (step %i)', (count) => {
    const { controller, later, step } = openSteps();
    controller.set(Item, { id: '1' }, { name: 'one' });
    // Others are looked at before it.
    controller.observeQuery(Item, { id: '1' }).getSnapshot();
    controller.observeQuery(Item, { id: '2' }).getSnapshot();
    const view = controller.observeQuery(new All(Item));
    view.getSnapshot();
    later(1_000_000);
    step(count);
    const told = listen(view);
    const before = dataOf(view)?.length ?? 0;
    step(1_000);
    controller.set(Item, { id: '2' }, { name: 'two' });
    expect([told.count, dataOf(view)?.length]).toEqual([1, before + 1]);
  });

  it.each(steps)('hears of the next answer to its question (step %i)', (count) => {
    const { controller, later, step } = openSteps();
    const list = manual('list', [Item]);
    controller.setResponse(list.endpoint, {}, [{ id: '1' }]);
    const view = controller.observe(list.endpoint, {});
    view.getSnapshot();
    later(1_000_000);
    step(count);
    const told = listen(view);
    step(1_000);
    controller.setResponse(list.endpoint, {}, [{ id: '1' }, { id: '2' }]);
    expect([told.count, idsOf(dataOf(view))]).toEqual([1, ['1', '2']]);
    expect(controller.observe(list.endpoint, {})).toBe(view);
  });
});
