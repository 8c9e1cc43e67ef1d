/** A request that waits for the key of a row takes its rank when it is sent, not when it was asked for. */
import { Collection, Controller, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';
import { idsOf, ignore, manual, mutation } from '../support/world.js';
import { Clock } from '../support/clock.js';

class Todo extends Entity {
  id = '';
  title = '';
  status = '';
  votes = 0;
  static override key = 'Todo';
}

const todos = new Collection([Todo]);

/** A list with one row, and a second one whose create is under way. */
async function open() {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const getList = manual('getList', todos);
  ignore(controller.fetch(getList.endpoint, {}));
  await getList.respond([{ id: '1', title: 'one' }]);
  const create = mutation('create', todos.push, (_, body) => body);
  ignore(controller.fetch(create.endpoint, { title: 'new' }));
  const id = controller.get(todos, {})?.at(-1)?.id ?? '';
  const edit = (name: string, row: string, fields: object) => {
    const sent = mutation(name, Todo, (_, args) => ({ ...args, ...fields }));
    ignore(controller.fetch(sent.endpoint, { id: row }));
    return sent;
  };
  return {
    clock,
    controller,
    getList,
    create,
    edit,
    /** The temporary key of that row. */
    id,
    seven: () => controller.get(Todo, { id: '7' }),
    titles: () => controller.get(todos, {})?.map(({ title }) => title),
  };
}

describe('an edit of a row whose create is under way', () => {
  it('is not lost under another edit of the row that was sent, and saved, before it was', async () => {
    const { create, edit, id, seven } = await open();
    const waiting = edit('waiting', id, { title: 'mine' });
    const other = edit('other', '7', { status: 'done' });
    await other.respond({ id: '7', title: 'new', status: 'done' });
    await create.respond({ id: '7', title: 'new' });
    await waiting.respond({ id: '7', title: 'mine', status: 'done' });
    expect(seven()).toMatchObject({ title: 'mine', status: 'done' });
  });

  it('goes under an edit that is sent after it', async () => {
    const { create, edit, id, seven } = await open();
    const waiting = edit('waiting', id, { title: 'first' });
    await create.respond({ id: '7', title: 'new' });
    const later = edit('later', '7', { title: 'second' });
    await later.respond({ id: '7', title: 'second' });
    await waiting.respond({ id: '7', title: 'first' });
    expect(seven()?.title).toBe('second');
  });

  it('sees values that changed before it is sent, and shows them', async () => {
    const { controller, create, edit, id, seven } = await open();
    const vote = mutation('vote', Todo, (snapshot, args: { id: string }) => ({
      ...args,
      votes: (snapshot.get(Todo, args)?.votes ?? 0) + 1,
    }));
    ignore(controller.fetch(vote.endpoint, { id }));
    const other = edit('other', '7', { votes: 5 });
    await create.respond({ id: '7', title: 'new' });
    expect(seven()?.votes).toBe(6);
    await other.respond({ id: '7', votes: 5 });
    await vote.respond({ id: '7', votes: 6 });
    expect(seven()?.votes).toBe(6);
  });

  it('keeps its order among others that wait, and is never shown in another', async () => {
    const { controller, create, edit, id, titles } = await open();
    const seen = new Set<string | undefined>();
    controller.observeQuery(todos, {}).subscribe(() => seen.add(titles()?.at(-1)));
    edit('first', id, { title: 'first' });
    edit('second', id, { title: 'second' });
    await create.respond({ id: '7', title: 'new' });
    expect([...seen]).toEqual(['first', 'second']);
  });

  it('is sent, and shows, also where the create took so long that both were stalled', async () => {
    const { clock, controller, create, edit, id, titles } = await open();
    const waiting = edit('waiting', id, { title: 'mine' });
    await clock.pass(150_000);
    controller.set(Todo, { id: '1' }, { title: 'something settles' });
    expect(waiting.calls).toHaveLength(0);
    await create.respond({ id: '7', title: 'new' });
    expect(waiting.calls[0]?.args).toEqual([{ id: '7' }]);
    expect(titles()).toEqual(['something settles', 'mine']);
    await waiting.respond({ id: '7', title: 'mine' });
    expect(titles()?.at(-1)).toBe('mine');
  });
});

it('a child that waits for its parent keeps its temporary key, and requests that wait for the child are sent', async () => {
  const { controller, create, edit, id } = await open();
  const child = mutation('child', todos.push, (_, body) => body);
  ignore(controller.fetch(child.endpoint, { status: id, title: 'child' }));
  const temporary = controller.get(todos, {})?.at(-1)?.id ?? '';
  const waiting = edit('waiting', temporary, { title: 'renamed' });
  await create.respond({ id: '7', title: 'new' });
  expect(idsOf(controller.get(todos, {}))).toEqual(['1', '7', temporary]);
  await child.respond({ id: '8', status: '7', title: 'child' });
  expect(waiting.calls[0]?.args).toEqual([{ id: '8' }]);
  expect(controller.get(Todo, { id: '8' })).toMatchObject({ status: '7', title: 'renamed' });
});

it('a deletion that waits does not hide a row that is created again under the key', async () => {
  const { controller, create, id } = await open();
  const remove = mutation('remove', new Invalidate(Todo), (_, args) => args);
  ignore(controller.fetch(remove.endpoint, { id }));
  expect(idsOf(controller.get(todos, {}))).toEqual(['1']);
  await create.respond({ id: '7', title: 'new' });
  await remove.respond({ id: '7' });
  const again = mutation('again', todos.push);
  ignore(controller.fetch(again.endpoint, {}));
  await again.respond({ id: '7', title: 'again' });
  expect(idsOf(controller.get(todos, {}))).toEqual(['1', '7']);
});
