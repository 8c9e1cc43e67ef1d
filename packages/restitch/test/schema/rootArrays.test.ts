/** Arrays that are the whole response: after a change of one record, each item is what the response said it is. */
import { Controller, Endpoint, Entity, type Schema } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
}

const ada = { id: '1', name: 'Ada' };
const bob = { id: '2', name: 'Bob' };
const renamed = { id: '1', name: 'Grace' };

const CASES: readonly [name: string, schema: Schema, response: object, changed: unknown][] = [
  [
    'a record in each item',
    [{ user: User, score: 0 }],
    [
      { user: ada, score: 10 },
      { user: bob, score: 5 },
    ],
    [
      { user: renamed, score: 10 },
      { user: bob, score: 5 },
    ],
  ],
  [
    'two records in one item, and null',
    [{ home: User, away: User }],
    [{ home: bob, away: ada }, null],
    [{ home: bob, away: renamed }, null],
  ],
  ['an array in each item', [[User]], [[ada], [bob]], [[renamed], [bob]]],
  ['no record in one item and two in another', [[User]], [[], [ada, bob]], [[], [renamed, bob]]],
  ['a record twice', [User], [ada, bob, ada], [renamed, bob, renamed]],
];

describe('an array that is the whole response', () => {
  it.each(CASES)(
    'shows a changed record in its place: %s',
    async (_name, schema, response, changed) => {
      const controller = new Controller();
      const list = new Endpoint(async (): Promise<unknown> => response, { name: 'list', schema });
      const view = controller.observe(list);
      await controller.fetch(list);
      view.getSnapshot();
      controller.set(User, { id: '1' }, renamed);
      expect(JSON.parse(JSON.stringify(dataOf(view)))).toEqual(changed);
    },
  );

  it('shows many changed records in their places', async () => {
    const users = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, name: 'a' }));
    const items = users.map((user, score) => ({ user, score }));
    const controller = new Controller();
    const schema = [{ user: User, score: 0 }];
    const list = new Endpoint(async (): Promise<unknown> => items, { name: 'list', schema });
    const view = controller.observe(list);
    await controller.fetch(list);
    view.getSnapshot();
    const next = users.map(({ id }) => ({ id, name: 'b' }));
    controller.set([User], {}, next);
    const current: unknown = JSON.parse(JSON.stringify(dataOf(view)));
    expect(current).toEqual(next.map((user, score) => ({ user, score })));
  });
});
