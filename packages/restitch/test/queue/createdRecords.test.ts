import {
  batched,
  coalesced,
  type EndpointInterface,
  RestEndpoint,
  serial,
  undoable,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { noteServer } from './support.js';

const { held, log, arrived, open } = noteServer();

/** A note that this program creates, before the server responds. */
async function openCreate() {
  const { controller, Notes, clock } = open();
  const list = controller.fetch(Notes.getList);
  await arrived(1);
  held[0]?.respond();
  await list;
  const create = controller.fetch(Notes.getList.push, { text: '' });
  const id = controller.getResponse(Notes.getList)?.at(-1)?.id ?? '';
  return { controller, Notes, clock, create, id };
}

/** A note that this program created and the server has named. */
async function openCreated() {
  const { create, ...opened } = await openCreate();
  await arrived(2);
  held[1]?.respond();
  const { id: real } = await create;
  held.length = 0;
  return { ...opened, real };
}

type Queue = <E extends EndpointInterface>(endpoint: E) => E;

describe('a call with the temporary key of a record that the server has named', () => {
  it.each<[string, Queue]>([
    ['serial', serial],
    ['serial by a name', (endpoint) => serial(endpoint, 'all')],
    ['coalesced', coalesced],
    ['undoable', (endpoint) => undoable(endpoint, 0)],
    ['undoable and serial', (endpoint) => undoable(serial(endpoint), 0)],
  ])('is sent with the real key: %s', async (_, queue) => {
    const { controller, Notes, clock, id, real } = await openCreated();
    const calls = [
      () => controller.fetch(queue(Notes.partialUpdate), { id }, { text: id }),
      () => controller.fetch(queue(Notes.getList.push), { text: id }),
      () => controller.fetch(queue(Notes.delete), { id }),
    ];
    for (const [index, call] of calls.entries()) {
      const outcome = call();
      await clock.pass(1);
      await arrived(index + 1);
      held[index]?.respond();
      await outcome;
    }
    expect(log()).toEqual([
      `PATCH /notes/${real} {"text":"${real}"}`,
      `POST /notes {"text":"${real}"}`,
      `DELETE /notes/${real} {}`,
    ]);
  });

  it('waits for the calls with the real key, whether the record or a function names it', async () => {
    const { controller, Notes, id, real } = await openCreated();
    const byRecord = serial(Notes.partialUpdate);
    const byFunction = serial(Notes.update, (params) => `note ${params.id}`);
    for (const key of [real, id]) {
      void controller.fetch(byRecord, { id: key }, { text: `record ${key}` });
      void controller.fetch(byFunction, { id: key }, { text: `function ${key}` });
    }
    await arrived(2);
    held[0]?.respond();
    await arrived(3);
    expect(log()).toEqual([
      `PATCH /notes/${real} {"text":"record ${real}"}`,
      `PUT /notes/${real} {"text":"function ${real}"}`,
      `PATCH /notes/${real} {"text":"record ${id}"}`,
    ]);
    held[1]?.respond();
    await arrived(4);
    expect(log()[3]).toBe(`PUT /notes/${real} {"text":"function ${id}"}`);
  });

  it('is sent with the real key by a batched endpoint', async () => {
    const { controller, Notes, id, real } = await openCreated();
    const many = new RestEndpoint({ path: '/notes', searchParams: {} as { ids: string[] } });
    const read = controller.fetch(batched(Notes.get, { many, param: 'ids' }), { id });
    await arrived(1);
    held[0]?.respond();
    expect((await read).id).toBe(real);
    expect(log()).toEqual([`GET /notes/${real} {}`]);
  });
});

it('a reset rejects calls that wait for the key of a record, and every rejection is handled', async () => {
  const { controller, Notes, create, id } = await openCreate();
  const update = serial(Notes.partialUpdate);
  const texts = ['a', 'b', 'c'];
  const calls = [create, ...texts.map((text) => controller.fetch(update, { id }, { text }))];
  await arrived(2);
  controller.resetEntireStore({ refetch: false });
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  // A rejection without a handler would fail this run after a turn of the event loop.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(log()).toEqual(['GET /notes {}', 'POST /notes {"text":""}']);
});
