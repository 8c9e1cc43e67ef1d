/** Moves of records that the store knows without the fields that decide their lists. */
import { Collection, Controller, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import { idsOf, ignore, manual, mutation } from '../support/world.js';

class Todo extends Entity {
  id = '';
  owner = '';
  done = false;
  static override key = 'IncompleteTodo';
}

const todos = new Collection([Todo], { name: 'incomplete todos' });
const getTodo = manual('getTodo', Todo);

/** The list of one owner's finished todos, and another todo of which the store does not know the owner. */
function open() {
  const controller = new Controller();
  const getList = manual('getList', todos);
  const view = controller.observe(getList.endpoint, { owner: '2', done: true });
  const plain = controller.observe(getList.endpoint, { search: 'a' });
  controller.setResponse(getList.endpoint, { owner: '2', done: true }, [{ id: '4' }]);
  controller.setResponse(getList.endpoint, { search: 'a' }, [{ id: '4' }]);
  [view, plain].forEach((one) => one.getSnapshot());
  return { controller, view, plain };
}

it.each([
  ['a 204', null, true],
  ['a partial response', { id: '2', done: true }, true],
  ['a full response', { id: '2', owner: '2', done: true }, false],
])('a list by an unknown field is fetched again after %s', async (_, response, isOpen) => {
  const { controller, view, plain } = open();
  controller.setResponse(getTodo.endpoint, { id: '2' }, { id: '2', done: false });
  const move = mutation('move', todos.move, () => ({ id: '2', done: true }));
  ignore(controller.fetch(move.endpoint, { id: '2' }));
  await move.respond(response);
  expect(view.needsLoad(true)).toBe(isOpen);
  expect(controller.get(todos, { owner: '2', done: true })).toHaveLength(isOpen ? 1 : 2);
  // No class declares `search`: a move never changed such a list.
  expect(plain.needsLoad(true)).toBe(false);
});

it('a list is fetched again if a read brings in the record while an action waits for its 204', async () => {
  const { controller, view } = open();
  const finish = mutation('finish', todos.move, () => ({ id: '2', done: true }));
  ignore(controller.fetch(finish.endpoint, { id: '2' }));
  controller.setResponse(getTodo.endpoint, { id: '2' }, { id: '2', owner: '2', done: false });
  await finish.respond(null);
  expect(controller.get(Todo, { id: '2' })).toMatchObject({ owner: '2', done: true });
  expect(view.needsLoad(true)).toBe(true);
});

class OwnCollection extends Collection<[typeof Todo]> {
  override createCollectionFilter(...args: any[]) {
    const usual = super.createCollectionFilter(...args);
    return (...given: Parameters<typeof usual>) => usual(...given);
  }
}
const ownFilters = [
  ['a subclass', new OwnCollection([Todo], { name: 'todos of a subclass' })],
  [
    'an option',
    new Collection([Todo], {
      name: 'todos with an option',
      createCollectionFilter: () => (wanted, record) => wanted['owner'] === record['owner'],
    }),
  ],
] as const;
const responses = [
  ['a 204', null],
  ['a partial response', { id: '2', updated: 1 }],
] as const;
const ownCases = responses.flatMap(([name, response]) =>
  [true, false].map((optimistic) => [name, optimistic, response] as const),
);

describe.each(ownFilters)('a list with the filter of %s', (_, list) => {
  function openOwn(optimistic = false) {
    const controller = new Controller();
    const getList = manual('getList', list);
    const view = controller.observe(getList.endpoint, { owner: '2' });
    const predict = (__: unknown, ...args: object[]): object => Object.assign({}, ...args);
    const move = mutation('move', list.move, optimistic ? predict : undefined);
    return { controller, getList, view, move };
  }

  it.each(ownCases)(
    'is fetched again after a move with %s of a row that lacks fields, with optimistic: %s',
    async (__, optimistic, response) => {
      const { controller, getList, view, move } = openOwn(optimistic);
      // The rows of this response omit their owner.
      controller.setResponse(getList.endpoint, { owner: '2' }, [{ id: '2' }, { id: '4' }]);
      view.getSnapshot();
      ignore(controller.fetch(move.endpoint, { id: '2' }, { done: true }));
      await move.respond(response);
      expect(view.needsLoad(true)).toBe(true);
      expect(idsOf(controller.get(list, { owner: '2' }))).toContain('4');
    },
  );

  it.each(ownCases)(
    'is fetched again if it arrives during a move with %s, with optimistic: %s',
    async (__, optimistic, response) => {
      const { controller, getList, view, move } = openOwn(optimistic);
      ignore(view.load());
      ignore(controller.fetch(move.endpoint, { id: '2' }, { done: true }));
      await move.respond(response);
      await getList.respond(['2', '4'].map((id) => ({ id, owner: '2', done: false })));
      expect(view.needsLoad(true)).toBe(true);
    },
  );

  it('is not fetched again after a full response', async () => {
    const { controller, getList, view, move } = openOwn();
    controller.setResponse(getList.endpoint, { owner: '2' }, [{ id: '2' }, { id: '4' }]);
    view.getSnapshot();
    ignore(controller.fetch(move.endpoint, { id: '2' }, { owner: '3' }));
    await move.respond({ id: '2', owner: '3', done: false });
    expect(view.needsLoad(true)).toBe(false);
    expect(idsOf(controller.get(list, { owner: '2' }))).toEqual(['4']);
  });
});

class Comment extends Entity {
  id = '';
  static override key = 'LateComment';
}
const comments = new Collection([Comment], {
  name: 'late comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});
class Ticket extends Entity {
  id = '';
  comments: Comment[] = [];
  static override key = 'LateTicket';
  static override schema = { comments };
}

it('a list inside a late response to an older mutation does not hide what a 204 created', async () => {
  const controller = new Controller();
  const getTicket = manual('getTicket', Ticket);
  const view = controller.observe(getTicket.endpoint, { id: '1' });
  const stop = view.subscribe(() => {});
  controller.setResponse(getTicket.endpoint, { id: '1' }, { id: '1', comments: [] });
  view.getSnapshot();
  const edit = mutation('edit', Ticket);
  const add = mutation('add', comments.push);
  ignore(controller.fetch(edit.endpoint, { id: '1' }));
  ignore(controller.fetch(add.endpoint, { ticket: '1' }, {}));
  await add.respond(null);
  ignore(view.load());
  await getTicket.respond({ id: '1', comments: [{ id: 'c' }] });
  await edit.respond({ id: '1', comments: [] });
  expect(view.needsLoad(true)).toBe(true);
  stop();
});
