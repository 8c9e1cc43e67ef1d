/** F20: what many pending edits of one row cost. */
import { Entity } from 'restitch';
import { expect, it } from 'vitest';
import { ignore, mutation, openWorld } from '../regressions/kit.js';

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
