/** A manager that stores mutations, for example to repeat them after a reload. */
import {
  type Action,
  coalesced,
  type EndpointInterface,
  type Manager,
  serial,
  undoable,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { noteServer } from './support.js';

const { held, log, arrived, open } = noteServer();

/** Stores the last arguments of each mutation that has not ended, by its id. */
function openStored(refuse: (action: Action) => void = () => {}) {
  const stored = new Map<string, readonly unknown[]>();
  let count = 0;
  const queue: Manager = {
    middleware: () => (next) => (action) => {
      refuse(action);
      if (action.type === 'fetch' && action.endpoint.sideEffect) {
        const id = action.id ?? `op-${(count += 1)}`;
        stored.set(id, action.args);
        next({ ...action, id });
        return;
      }
      if ((action.type === 'receive' || action.type === 'fail') && action.id !== undefined) {
        stored.delete(action.id);
      }
      next(action);
    },
  };
  const bodies = () => [...stored].map(([id, args]) => [id, args.at(-1)]);
  return { ...open({ managers: [queue] }), stored, bodies };
}

const edit = { id: '1' };

describe('a manager', () => {
  it('receives the fields of each merged call, under the id of the waiting request', async () => {
    const { controller, Notes, bodies } = openStored();
    const save = coalesced(Notes.partialUpdate);
    const calls = [{ text: 'a' }, { text: 'b' }, { color: 'blue' }].map((body) =>
      controller.fetch(save, edit, body),
    );
    expect(bodies()).toEqual([
      ['op-1', { text: 'a' }],
      ['op-2', { text: 'b', color: 'blue' }],
    ]);
    await arrived(1);
    held[0]?.respond();
    await calls[0];
    expect(bodies()).toEqual([['op-2', { text: 'b', color: 'blue' }]]);
    await arrived(2);
    held[1]?.fail();
    await expect(calls[2]).rejects.toMatchObject({ status: 500 });
    expect(bodies()).toEqual([]);
  });

  it('receives the merged calls of an undo delay, and the rest after one was withdrawn', async () => {
    const { controller, Notes, clock, bodies } = openStored();
    const save = undoable(coalesced(Notes.partialUpdate), 1_000);
    const first = controller.fetch(save, edit, { text: 'a' });
    const second = controller.fetch(save, edit, { color: 'blue' });
    expect(bodies()).toEqual([['op-1', { text: 'a', color: 'blue' }]]);
    first.cancel();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(bodies()).toEqual([['op-1', { color: 'blue' }]]);
    second.cancel();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(bodies).toEqual([]);
    await clock.pass(2_000);
    expect(log()).toEqual([]);
  });

  it.each<[string, <E extends EndpointInterface>(endpoint: E) => E]>([
    ['plain', (endpoint) => endpoint],
    ['serial', serial],
    ['coalesced', coalesced],
  ])('receives the real key of a waiting edit: %s', async (_, queued) => {
    const { controller, Notes, stored } = openStored();
    controller.setResponse(Notes.getList, []);
    const create = controller.fetch(Notes.getList.push, { text: 'new' });
    const id = controller.getResponse(Notes.getList)?.[0]?.id ?? '';
    const calls = ['b', 'c'].map((text) =>
      controller.fetch(queued(Notes.partialUpdate), { id }, { text }),
    );
    await arrived(1);
    held[0]?.respond();
    const { id: real } = await create;
    expect(stored.size).toBeGreaterThan(0);
    for (const args of stored.values()) expect(args[0]).toEqual({ id: real });
    await arrived(2);
    held[1]?.respond();
    await calls[0];
    if (stored.size > 0) {
      await arrived(3);
      held[2]?.respond();
    }
    await Promise.all(calls);
    expect(stored.size).toBe(0);
  });

  it('that refuses a merged call ends the request of all merged calls, and the next one is sent', async () => {
    let isRefused = false;
    const { controller, Notes, text } = openStored(({ type }) => {
      if (isRefused && type === 'fetch') throw new Error('refused');
    });
    const save = coalesced(Notes.partialUpdate);
    const first = controller.fetch(save, edit, { text: 'a' });
    const second = controller.fetch(save, edit, { text: 'b' });
    isRefused = true;
    const third = controller.fetch(save, edit, { text: 'c' });
    isRefused = false;
    await expect(second).rejects.toThrow('refused');
    await expect(third).rejects.toThrow('refused');
    expect(text()).toBe('a');
    const fourth = controller.fetch(save, edit, { text: 'd' });
    await arrived(1);
    held[0]?.respond();
    await first;
    await arrived(2);
    held[1]?.respond();
    expect((await fourth).text).toBe('d');
    expect(log()).toEqual(['PATCH /notes/1 {"text":"a"}', 'PATCH /notes/1 {"text":"d"}']);
  });

  it('that does not pass on a merged call lets it reject', async () => {
    let isKept = false;
    const keeping: Manager = {
      middleware: () => (next) => (action) => {
        if (!(isKept && action.type === 'fetch')) next(action);
      },
    };
    const { controller, Notes } = open({ managers: [keeping] });
    const save = coalesced(Notes.partialUpdate);
    void controller.fetch(save, edit, { text: 'a' });
    controller.fetch(save, edit, { text: 'b' }).catch(() => {});
    isKept = true;
    await expect(controller.fetch(save, edit, { text: 'c' })).rejects.toMatchObject({
      code: 'not-sent',
    });
  });
});
