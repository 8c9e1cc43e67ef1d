/** Two moves of one record overlap, and both get a 204. The second was predicted before the first was confirmed. */
import { Collection, Controller, Entity } from 'restitch';
import { expect, it } from 'vitest';
import { idsOf, ignore, manual, mutation } from '../support/world.js';

class Card extends Entity {
  id = '';
  column = '';
  status = '';
  static override key = 'OverlappingCard';
}

const cards = new Collection([Card], { name: 'overlapping cards' });

const columns = ['a', 'b'] as const;

/** The lists of both columns, with one card in column b. */
function open() {
  const controller = new Controller();
  const getList = manual('getList', cards);
  const views = columns.map((column) => controller.observe(getList.endpoint, { column }));
  controller.setResponse(getList.endpoint, { column: 'a' }, []);
  controller.setResponse(getList.endpoint, { column: 'b' }, [{ id: '1', column: 'b' }]);
  views.forEach((view) => view.getSnapshot());
  return { controller, getList, views };
}

it('the lists of both moves are fetched again', async () => {
  const { controller, getList, views } = open();
  const first = mutation('first', cards.move);
  const second = mutation('second', cards.move, () => ({ id: '1', status: 'done' }));
  ignore(controller.fetch(first.endpoint, { id: '1' }));
  ignore(controller.fetch(second.endpoint, { id: '1' }));
  await first.respond({ id: '1', column: 'a' });
  await second.respond(null);
  expect(controller.get(Card, { id: '1' })).toMatchObject({ column: 'a', status: 'done' });
  expect(views.map((view) => view.needsLoad(true))).toEqual([true, true]);
  for (const view of views) {
    ignore(view.load());
    const isOfA = view === views[0];
    await getList.respond(isOfA ? [{ id: '1', column: 'a', status: 'done' }] : []);
  }
  expect(controller.get(cards, { column: 'a' })).toHaveLength(1);
  expect(controller.get(cards, { column: 'b' })).toHaveLength(0);
});

it.each([
  ['before', 204, null],
  ['before', 'a partial response', { id: '1' }],
  ['after', 204, null],
  ['after', 'a partial response', { id: '1' }],
] as const)(
  'the lists are fetched again where the second move ends %s the first one fails, with %s',
  async (when, _, response) => {
    const { controller, getList, views } = open();
    const first = mutation('first', cards.move, () => ({ id: '1', column: 'a' }));
    const second = mutation('second', cards.move, () => ({ id: '1', status: 'done' }));
    ignore(controller.fetch(first.endpoint, { id: '1' }));
    ignore(controller.fetch(second.endpoint, { id: '1' }));
    if (when === 'before') await second.respond(response);
    await first.fail(new Error('no'));
    if (when === 'after') await second.respond(response);
    for (const view of views.filter((one) => one.needsLoad(true))) {
      ignore(view.load());
      await getList.respond(view === views[1] ? [{ id: '1', column: 'b', status: 'done' }] : []);
    }
    expect(controller.get(Card, { id: '1' })?.column).toBe('b');
    expect(columns.map((column) => controller.get(cards, { column })?.length)).toEqual([0, 1]);
  },
);

it('the lists of a function that runs again after its 204 are fetched again', async () => {
  const { controller, getList, views } = open();
  const [, view] = views;
  const other = mutation('other', cards.move);
  const toggle = mutation('toggle', cards.move, (snapshot) => {
    const card = snapshot.get(Card, { id: '2' });
    if (!card) throw snapshot.abort;
    return { id: '2', column: card.column === 'a' ? 'b' : 'a' };
  });
  ignore(controller.fetch(other.endpoint, { id: '1' }));
  ignore(controller.fetch(getList.endpoint, {}));
  ignore(controller.fetch(toggle.endpoint, { id: '2' }));
  await toggle.respond(null);
  if (view) ignore(view.load());
  await other.respond({ id: '1', column: 'b', status: '' });
  // The server has moved card 2 already, so the function moves it back.
  const moved = ['1', '2'].map((id) => ({ id, column: 'b', status: '' }));
  await getList.respond(moved, 0);
  await getList.respond(moved, 1);
  expect(view?.needsLoad(true)).toBe(true);
});

it.each([
  ['opposite order', [1, 0]],
  ['order of the requests, but the second one reverts the first', [0, 1]],
] as const)('a list in its first load is fetched again after two moves: %s', async (_, order) => {
  const controller = new Controller();
  const getList = manual('getList', cards);
  controller.set(Card, { id: '1' }, { id: '1', column: 'b', status: '' });
  const view = controller.observe(getList.endpoint, { column: 'a' });
  view.subscribe(() => {});
  ignore(view.load());
  const moves = [mutation('first', cards.move), mutation('second', cards.move)];
  ignore(controller.fetch(moves[0]?.endpoint ?? getList.endpoint, { id: '1' }, { column: 'a' }));
  ignore(controller.fetch(moves[1]?.endpoint ?? getList.endpoint, { id: '1' }, { status: 'done' }));
  // The server runs the second move first.
  const responses = ['a', 'b'].map((column) => ({ id: '1', column, status: 'done' }));
  for (const index of order) await moves[index]?.respond(responses[index]);
  await getList.respond([], 0);
  expect(view.needsLoad(true)).toBe(true);
  ignore(view.load());
  await getList.respond([{ id: '1', column: 'a', status: 'done' }]);
  expect(idsOf(controller.get(cards, { column: 'a' }))).toEqual(['1']);
  expect(view.needsLoad(true)).toBe(false);
});

it('bulk moves whose second response contains the old column are fetched again', async () => {
  const { controller, views } = open();
  const first = mutation('first', [cards.move]);
  const second = mutation('second', [cards.move]);
  const set = (fields: object) => ({ ids: ['1'], set: fields });
  ignore(controller.fetch(first.endpoint, {}, set({ column: 'a' })));
  ignore(controller.fetch(second.endpoint, {}, set({ status: 'done' })));
  await first.respond([{ id: '1', column: 'a', status: '' }]);
  await second.respond([{ id: '1', column: 'b', status: 'done' }]);
  expect(views.map((view) => view.needsLoad(true))).toEqual([true, true]);
});
