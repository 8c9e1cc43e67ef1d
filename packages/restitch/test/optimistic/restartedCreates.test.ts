/** A create that waited is sent, and the calls that still wait for its key keep their places above it. */
import {
  All,
  coalesced,
  Collection,
  Controller,
  type EndpointInterface,
  Entity,
  Invalidate,
  pendingOf,
  serial,
  type Snapshot,
  undoable,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { dataOf, ignore, mutation } from '../support/world.js';

class Task extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}

class Note extends Entity {
  id = '';
  task = '';
  text = '';
  votes = 0;
  static override key = 'Note';
}

const tasks = new Collection([Task]);
const notes = new Collection([Note], { name: 'notes' });
const all = new Collection([Note], { name: 'all notes' });
type Queue = <E extends EndpointInterface>(endpoint: E) => E;
const plain: Queue = (endpoint) => endpoint;
type Predict = (snapshot: Snapshot, body: any) => object;
const values: Predict = (_, body: object) => body;

const schemas = {
  createTask: tasks.push,
  create: notes.push,
  createAny: all.push,
  edit: Note,
  vote: Note,
  sum: Note,
  move: notes.move,
  remove: new Invalidate(Note),
};

/** A task with a note: the create of the task is in flight, and the create of the note waits for it. */
function open() {
  const clock = new Clock();
  const controller = new Controller({ environment: clock.environment, sweep: false });
  const call = (name: keyof typeof schemas, body: object, predict = values, queue = plain) => {
    const sent = mutation(name, schemas[name], predict);
    ignore(controller.fetch(queue(sent.endpoint), body));
    return sent;
  };
  const newest = () => controller.get(new All(Note))?.at(-1)?.id ?? '';
  controller.set(tasks, [], []);
  controller.set(notes, [{ task: 'a' }], []);
  const task = call('createTask', { title: 'new' });
  const taskId = controller.get(tasks, {})?.[0]?.id ?? '';
  const create = call('create', { task: taskId, text: 'created' });
  return {
    clock,
    controller,
    call,
    task,
    taskId,
    create,
    newest,
    id: newest(),
    texts: () => controller.get(new All(Note))?.map(({ text }) => text) ?? [],
  };
}

describe('a call that waits for the key of a record, whose create waited, too', () => {
  it.each<[string, Queue]>([
    ['plain', plain],
    ['serial', serial],
    ['coalesced', coalesced],
    ['undoable', (endpoint) => undoable(endpoint, 10)],
  ])('is shown when the create is sent: an edit of a %s endpoint', async (_, queue) => {
    const { clock, call, task, create, id, texts } = open();
    const edit = call('edit', { id, text: 'edited' }, values, queue);
    await clock.pass(10);
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, edit.calls.length, texts()]).toEqual([1, 0, ['edited']]);
    await create.respond({ id: '5', task: '1', text: 'created' });
    expect([edit.calls[0]?.args, texts()]).toEqual([[{ id: '5', text: 'edited' }], ['edited']]);
    await edit.respond({ id: '5', text: 'edited' });
    expect(texts()).toEqual(['edited']);
  });

  it('is shown when the create is sent: a delete', async () => {
    const { call, task, create, id, texts } = open();
    const remove = call('remove', { id });
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, texts()]).toEqual([1, []]);
    await create.respond({ id: '5', task: '1', text: 'created' });
    expect([remove.calls.length, texts()]).toEqual([1, []]);
  });

  it('is shown when the create is sent: a move, and the record is in one list', async () => {
    const { controller, call, task, taskId, create, id } = open();
    controller.set(notes, [{ task: taskId }], []);
    const lists = (from: string) =>
      [from, 'a'].map((of) => controller.get(notes, { task: of })?.map((note) => note.task));
    const move = call('move', { id, task: 'a' });
    expect(lists(taskId)).toEqual([[], ['a']]);
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, lists('1')]).toEqual([1, [[], ['a']]]);
    await create.respond({ id: '5', task: '1', text: 'created' });
    await move.respond({ id: '5', task: 'a', text: 'created' });
    expect(lists('1')).toEqual([[], ['a']]);
  });

  it('is shown when the create is sent: later calls win, and an aborted or failed one leaves no trace', async () => {
    const { controller, call, task, create, id, texts } = open();
    call('edit', { id, text: 'first' });
    const abort = new AbortController();
    const aborted = mutation('aborted', Note, values);
    const endpoint = aborted.endpoint.extend({ signal: abort.signal });
    ignore(controller.fetch(endpoint, { id, text: 'aborted', votes: 9 }));
    const shown = new Set<string>();
    const view = controller.observeQuery(new All(Note));
    view.subscribe(() => dataOf(view)?.forEach(({ text }) => shown.add(text)));
    dataOf(view);
    abort.abort();
    const last = call('edit', { id, text: 'last' });
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, texts(), [...shown]]).toEqual([1, ['last'], ['first', 'last']]);
    await create.respond({ id: '5', task: '1', text: 'created' });
    await last.fail(new Error('refused'));
    expect(texts()).toEqual(['first']);
    expect(controller.get(Note, { id: '5' })?.votes).toBe(0);
  });

  it('is removed with the record if the create is refused after it was sent', async () => {
    const { call, task, create, id, texts } = open();
    const edit = call('edit', { id, text: 'edited' });
    await task.respond({ id: '1', title: 'new' });
    await create.fail(new Error('refused'));
    expect([edit.calls.length, texts()]).toEqual([0, []]);
  });

  it('is shown although both were stalled', async () => {
    const { clock, controller, call, task, create, id, texts } = open();
    const edit = call('edit', { id, text: 'edited' });
    await clock.pass(150_000);
    controller.set(Task, { id: '9' }, { title: 'something settles' });
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, texts()]).toEqual([1, ['edited']]);
    await create.respond({ id: '5', task: '1', text: 'created' });
    await edit.respond({ id: '5', text: 'edited' });
    expect(texts()).toEqual(['edited']);
  });

  it('began, for `pendingOf`, at the time of the call until it is sent', async () => {
    const { clock, controller, call, task, create, id } = open();
    call('edit', { id, text: 'edited' });
    const pending = () => {
      const [note] = controller.get(new All(Note)) ?? [];
      return note ? pendingOf(controller, note).map(({ since }) => since) : [];
    };
    const called = clock.now;
    await clock.pass(1_000);
    await task.respond({ id: '1', title: 'new' });
    expect(pending()).toEqual([called + 1_000, called]);
    await clock.pass(1_000);
    await create.respond({ id: '5', task: '1', text: 'created' });
    expect(pending()).toEqual([called + 2_000]);
  });
});

describe('an optimistic function of a call that waits', () => {
  const vote = (snapshot: Snapshot, body: { id: string }) => ({
    id: body.id,
    votes: (snapshot.get(Note, { id: body.id })?.votes ?? 0) + 1,
  });

  it('adds to the earlier calls once, when its create is sent and later', async () => {
    const { call, controller, task, create, id } = open();
    call('edit', { id, votes: 5 });
    const voted = call('vote', { id }, vote);
    call('vote', { id }, vote);
    const votes = () => controller.get(new All(Note))?.map((note) => note.votes);
    expect(votes()).toEqual([7]);
    await task.respond({ id: '1', title: 'new' });
    expect(votes()).toEqual([7]);
    await create.respond({ id: '5', task: '1', text: 'created', votes: 0 });
    expect(votes()).toEqual([7]);
    await voted.respond({ id: '5', votes: 6 });
    expect(votes()).toEqual([7]);
  });

  it.each([
    ['the record', (snapshot: Snapshot, id: string) => snapshot.get(Note, { id })?.text],
    ['all records', (snapshot: Snapshot) => snapshot.get(new All(Note))?.map(({ text }) => text)],
  ])('still reads the waiting create that is sent: %s', async (_, read) => {
    const { call, controller, task, create, id } = open();
    // The note of another task repeats the text of the first note.
    call('createTask', { title: 'other' });
    const other = controller.get(tasks, {})?.at(-1)?.id ?? '';
    call('create', { task: other }, (snapshot, body) => ({
      ...body,
      text: `copy of ${read(snapshot, id)?.toString()}`,
    }));
    const copies = () => controller.get(notes, { task: other })?.map(({ text }) => text);
    controller.set(notes, [{ task: other }], []);
    expect(controller.get(new All(Note))?.at(-1)?.text).toBe('copy of created');
    await task.respond({ id: '1', title: 'new' });
    expect(create.calls).toHaveLength(1);
    expect(controller.get(new All(Note))?.at(-1)?.text).toBe('copy of created');
    expect(copies()).toBeDefined();
  });

  it('reads an edit that was sent while the call waited, once the call moves above the edit', async () => {
    const { call, controller, task, create, id } = open();
    controller.set(Note, { id: 'x' }, { votes: 1 });
    call('sum', { id }, (snapshot, body: { id: string }) => ({
      ...body,
      votes: (snapshot.get(Note, { id: 'x' })?.votes ?? 0) + 1,
    }));
    call('edit', { id: 'x', votes: 10 });
    const votes = () => controller.get(new All(Note))?.map((note) => note.votes);
    expect(votes()).toEqual([2, 10]);
    await task.respond({ id: '1', title: 'new' });
    expect([create.calls.length, votes()]).toEqual([1, [11, 10]]);
  });
});

it('records whose creates wait for different keys keep their order in a list', async () => {
  const { call, controller, task, create, taskId } = open();
  controller.set(all, [], []);
  const texts = () => controller.get(all, {})?.map(({ text }) => text);
  const second = call('createTask', { title: 'second' });
  const secondId = controller.get(tasks, {})?.at(-1)?.id ?? '';
  const made = ['a', 'b', 'c', 'd'].map((text, index) =>
    call('createAny', { task: index % 2 ? secondId : taskId, text }),
  );
  expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  await task.respond({ id: '1', title: 'new' });
  expect(made.map(({ calls }) => calls.length)).toEqual([1, 0, 1, 0]);
  expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  await create.respond({ id: '5', task: '1', text: 'created' });
  await second.respond({ id: '2', title: 'second' });
  expect(texts()).toEqual(['a', 'c', 'b', 'd']);
});

it('an edit that waits for its turn stays above an earlier call that waited for a key', async () => {
  const { controller, task, taskId } = open();
  controller.set(Note, { id: 'x' }, { text: '' });
  const edit = mutation('edit', Note, values);
  const queued = serial(edit.endpoint.extend({ key: ({ id }: { id: string }) => id }));
  ignore(controller.fetch(queued, { id: 'x', votes: 1 }));
  ignore(controller.fetch(edit.endpoint, { id: 'x', task: taskId, text: 'earlier' }));
  ignore(controller.fetch(queued, { id: 'x', text: 'later' }));
  const text = () => controller.get(Note, { id: 'x' })?.text;
  expect(text()).toBe('later');
  await task.respond({ id: '1', title: 'new' });
  expect([edit.calls.length, text()]).toEqual([2, 'later']);
  await edit.respond({ id: 'x', task: '1', text: 'earlier' }, 1);
  expect(text()).toBe('later');
  await edit.respond({ id: 'x', votes: 1 }, 0);
  await edit.respond({ id: 'x', text: 'later' });
  expect([edit.calls.length, text()]).toEqual([3, 'later']);
});
