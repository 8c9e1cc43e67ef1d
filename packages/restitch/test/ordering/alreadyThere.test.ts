/** A row is created under a temporary key, and before the response another read brings it under its real one. */
import { All, Collection, Controller, Entity, indexBy, type View } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, listen, manual, mutation } from '../support/world.js';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

class Task extends Entity {
  id = '';
  title = '';
  status = '';
  isOpen = false;
  parent: Task | undefined = undefined;
  notes: Note[] | undefined = undefined;
  static override key = 'Task';
  static override indexes = indexBy('title');
  static override schema: Record<string, unknown> = {};
}

const tasks = new Collection([Task]);
const notes = new Collection([Note], {
  name: 'notes',
  nestKey: ({ id }: { id: string }) => ({ task: id }),
});
Task.schema = { notes, parent: Task };

/** A list with one row, and the create of another that is under way. */
async function open(optimistic: object = { title: 'optimistic' }) {
  const controller = new Controller();
  const list = manual('list', tasks);
  ignore(controller.fetch(list.endpoint, {}));
  await list.respond([{ id: '1', title: 'one' }]);
  const create = mutation('create', tasks.push, () => optimistic);
  ignore(controller.fetch(create.endpoint, {}));
  const temporary = controller.get(tasks, {})?.at(-1)?.id ?? '';
  const read = manual('read', Task);
  /** Another read brings the row under its real key. */
  const bring = async (row: object = { id: '7', title: 'polled', status: 'seen' }) => {
    ignore(controller.fetch(read.endpoint, { id: '7' }));
    await read.respond(row);
  };
  return { controller, create, temporary, bring };
}

/** The snapshots of a view at each notification, beginning with now. */
function follow<T, R>(view: View<T | undefined>, look: (data: T | undefined) => R): R[] {
  const seen = [look(dataOf(view))];
  view.subscribe(() => seen.push(look(dataOf(view))));
  return seen;
}

describe('a create whose row another response brought, when its own response arrives', () => {
  it('a list notifies once, and holds the row at its place', async () => {
    const { controller, create, bring } = await open();
    const view = controller.observeQuery(tasks, {});
    await bring();
    const seen = follow(view, (rows) => rows?.map(({ id, title }) => `${id} ${title}`));
    await create.respond({ id: '7', title: 'created' });
    expect(seen.slice(1)).toEqual([['1 one', '7 created']]);
    expect(dataOf(view)?.[1]).toBe(controller.get(Task, { id: '7' }));
    controller.set(Task, { id: '7' }, { title: 'later' });
    expect(seen.at(-1)).toEqual(['1 one', '7 later']);
  });

  it('a reader by either key reads the one row, and is notified of it from then on', async () => {
    const { controller, create, temporary, bring } = await open();
    await bring();
    const byTemporary = controller.observeQuery(Task, { id: temporary });
    const byReal = controller.observeQuery(Task, { id: '7' });
    const look = (task: Task | undefined) => `${task?.id} ${task?.title} ${task?.status}`;
    const [temporarily, really] = [follow(byTemporary, look), follow(byReal, look)];
    await create.respond({ id: '7', title: 'created' });
    expect(temporarily.slice(1)).toEqual(['7 created seen']);
    expect(really.slice(1)).toEqual(['7 created seen']);
    expect(dataOf(byTemporary)).toBe(dataOf(byReal));
    controller.set(Task, { id: '7' }, { status: 'later' });
    expect([temporarily.at(-1), really.at(-1)]).toEqual(['7 created later', '7 created later']);
  });

  it('a reader that waits by the real key for a missing row is notified of it', async () => {
    const { controller, create, temporary } = await open();
    const view = controller.observeQuery(Task, { id: '7' });
    const seen = follow(view, (task) => task?.title);
    await create.respond({ id: '7', title: 'created' });
    expect(seen).toEqual([undefined, 'created']);
    expect(controller.get(Task, { id: temporary })).toBe(dataOf(view));
  });

  it('rows that refer to either key show the one row, and change with it', async () => {
    const { controller, create, temporary, bring } = await open();
    await bring();
    controller.set(Task, { id: 'a' }, { title: 'a', parent: temporary });
    controller.set(Task, { id: 'b' }, { title: 'b', parent: '7' });
    const views = ['a', 'b'].map((id) => controller.observeQuery(Task, { id }));
    const seen = views.map((view) => follow(view, (task) => task?.parent?.title));
    await create.respond({ id: '7', title: 'created' });
    expect(seen).toEqual([
      ['optimistic', 'created'],
      ['polled', 'created'],
    ]);
    expect(views.map((view) => dataOf(view)?.parent)).toEqual([
      controller.get(Task, { id: '7' }),
      controller.get(Task, { id: '7' }),
    ]);
    controller.set(Task, { id: '7' }, { title: 'later' });
    expect(seen.map((each) => each.at(-1))).toEqual(['later', 'later']);
  });

  it('it stands once among all rows, and among those with an indexed value', async () => {
    const { controller, create, bring } = await open({ title: 'same' });
    await bring({ id: '7', title: 'same' });
    const all = controller.observeQuery(new All(Task));
    const notified = follow(all, (rows) => rows?.map(({ id }) => id).length);
    const indexed = controller.observeQuery(Task, { title: 'same' });
    expect(dataOf(indexed)?.title).toBe('same');
    listen(indexed);
    await create.respond({ id: '7', title: 'same' });
    expect(dataOf(all)?.map(({ id }) => id)).toEqual(['1', '7']);
    expect(notified.at(-1)).toBe(2);
    expect(dataOf(indexed)).toBe(controller.get(Task, { id: '7' }));
  });

  it('the list that it owns goes on, with rows that were added meanwhile', async () => {
    const { controller, create, temporary, bring } = await open({ title: 'optimistic', notes: [] });
    const add = mutation('add', notes.push, (_, body: object) => body);
    await bring({ id: '7', title: 'polled', notes: [{ id: 'n', text: 'first' }] });
    ignore(controller.fetch(add.endpoint, { task: temporary, text: 'second' }));
    const texts = (task: Task | undefined) => task?.notes?.map(({ text }) => text);
    const views = [temporary, '7'].map((id) => controller.observeQuery(Task, { id }));
    const seen = views.map((view) => follow(view, texts));
    const list = controller.observeQuery(notes, { task: '7' });
    const notified = listen(list);
    expect(seen).toEqual([[['second']], [['first']]]);
    await create.respond({ id: '7', title: 'created' });
    for (const view of views) expect(texts(dataOf(view))).toEqual(['first', 'second']);
    for (const view of views) expect(dataOf(view)?.notes).toBe(dataOf(list));
    expect(notified.count).toBe(1);
    await add.respond({ id: 'm', text: 'second', task: '7' });
    for (const view of views) expect(texts(dataOf(view))).toEqual(['first', 'second']);
    expect(controller.get(notes, { task: '7' })?.map(({ id }) => id)).toEqual(['n', 'm']);
  });

  it('local writes to it stay, under the fields of the response', async () => {
    const { controller, create, temporary, bring } = await open();
    controller.set(Task, { id: temporary }, { isOpen: true, status: 'mine' });
    await bring();
    await create.respond({ id: '7', title: 'created' });
    expect(controller.get(Task, { id: '7' })).toMatchObject({
      id: '7',
      title: 'created',
      status: 'seen',
      isOpen: true,
    });
  });

  it('optimistic updates that read it by its temporary key go on from the row that is there', async () => {
    const { controller, create, temporary, bring } = await open();
    const edit = mutation('edit', Task, (snapshot) => ({
      id: '1',
      title: `after ${snapshot.get(Task, { id: temporary })?.title}`,
    }));
    ignore(controller.fetch(edit.endpoint, {}));
    expect(controller.get(Task, { id: '1' })?.title).toBe('after optimistic');
    await bring();
    await create.respond({ id: '7', title: 'created' });
    expect(controller.get(Task, { id: '1' })?.title).toBe('after created');
    controller.set(Task, { id: '7' }, { title: 'later' });
    expect(controller.get(Task, { id: '1' })?.title).toBe('after created');
    await edit.fail(new Error('no'));
    expect(controller.get(Task, { id: '1' })?.title).toBe('one');
  });

  it('edits of it that are under way show, and leave no trace when they fail', async () => {
    const { controller, create, temporary, bring } = await open();
    const edit = mutation('edit', Task, (_, body: object) => body);
    const failing = controller.fetch(edit.endpoint, { id: temporary, title: 'edited' });
    ignore(failing);
    await bring();
    const view = controller.observeQuery(tasks, {});
    const seen = follow(view, (rows) => rows?.at(-1)?.title);
    await create.respond({ id: '7', title: 'created' });
    expect(seen.at(-1)).toBe('edited');
    await edit.fail(new Error('no'));
    expect(seen.at(-1)).toBe('created');
    expect(controller.get(Task, { id: '7' })?.id).toBe('7');
  });
});

describe('a create that fails', () => {
  it.each([
    ['', false],
    [', beside an older read too', true],
  ])('takes local writes to its row along%s', async (_, isBesideOlder) => {
    const { controller, create, temporary } = await open();
    const older = manual('older', Task);
    if (isBesideOlder) ignore(controller.fetch(older.endpoint, {}));
    controller.set(Task, { id: temporary }, { isOpen: true });
    controller.set(Task, { id: temporary }, { status: 'mine' });
    const all = controller.observeQuery(new All(Task));
    const seen = follow(all, (rows) => rows?.map(({ id }) => id));
    await create.fail(new Error('no'));
    if (isBesideOlder) await older.respond({ id: '1', title: 'one' });
    expect(seen.at(-1)).toEqual(['1']);
    expect(controller.get(Task, { id: temporary })).toBeUndefined();
    expect(getState(controller).entities['Task']).toHaveLength(1);
  });
});
