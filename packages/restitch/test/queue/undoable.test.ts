import {
  coalesced,
  countRequests,
  flushUndoable,
  logout,
  pendingOf,
  serial,
  undoable,
} from 'restitch';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../support/clock.js';
import { Note, noteServer } from './support.js';

const { held, log, arrived, open } = noteServer();

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page that can be closed, and that records how requests were sent. */
function openPage() {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const inits: RequestInit[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    inits.push(init);
    return fetch(input, init);
  });
  return { close: () => page.dispatchEvent(new Event('pagehide')), inits };
}

describe('a call of an undoable endpoint', () => {
  it('shows at once, and is sent when its time is over', async () => {
    const { clock, controller, Notes } = open();
    const remove = undoable(Notes.delete, 3_000);
    const deletion = controller.fetch(remove, { id: '1' });
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
    // Nothing is sent yet.
    expect(controller.countFetching(remove)).toBe(0);
    expect(countRequests(controller, { sideEffect: true })).toBe(0);
    const notified = vi.fn();
    controller.watchFetching(notified);
    await clock.pass(2_999);
    expect(held).toHaveLength(0);
    await clock.pass(1);
    await arrived(1);
    expect(notified).toHaveBeenCalled();
    expect(countRequests(controller, { sideEffect: true })).toBe(1);
    expect(deletion.cancel()).toBe(false);
    held[0]?.respond();
    expect((await deletion)?.id).toBe('1');
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
  });

  it.each([2 ** 31, 30 * 24 * 3_600_000])(
    'is sent after %s ms, although host timers are shorter',
    async (milliseconds) => {
      const { clock, controller, Notes } = open();
      const deletion = controller.fetch(undoable(Notes.delete, milliseconds), { id: '1' });
      await clock.pass(milliseconds - 1);
      expect(held).toHaveLength(0);
      expect(controller.get(Note, { id: '1' })).toBeUndefined();
      await clock.pass(1);
      await arrived(1);
      held[0]?.respond();
      expect((await deletion)?.id).toBe('1');
    },
  );

  it('waits for flushUndoable or cancel if its time is Infinity', async () => {
    const { clock, controller, Notes } = open();
    const remove = undoable(Notes.delete, Infinity);
    const [kept, sent] = [
      controller.fetch(remove, { id: '1' }),
      controller.fetch(remove, { id: '2' }),
    ];
    await clock.pass(60 * 24 * 3_600_000);
    expect(clock.timers).toBe(0);
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
    expect(kept.cancel()).toBe(true);
    await expect(kept).rejects.toMatchObject({ name: 'AbortError' });
    expect(controller.get(Note, { id: '1' })?.id).toBe('1');
    expect(held).toHaveLength(0);
    const flushed = flushUndoable(controller);
    await arrived(1);
    held[0]?.respond();
    await flushed;
    expect((await sent)?.id).toBe('2');
  });

  it('is queued for its record until it is sent', async () => {
    const { clock, controller, Notes } = open();
    const note = controller.get(Note, { id: '1' });
    const edit = undoable(serial(Notes.partialUpdate), 1_000);
    const states = () => (note ? pendingOf(controller, note).map(({ state }) => state) : []);
    void controller.fetch(Notes.partialUpdate, { id: '1' }, { text: 'a' });
    void controller.fetch(edit, { id: '1' }, { text: 'b' });
    expect(states()).toEqual(['sending', 'queued']);
    await arrived(1);
    held[0]?.respond();
    await expect.poll(states).toEqual(['queued']);
    await clock.pass(1_000);
    await arrived(2);
    expect(states()).toEqual(['sending']);
    held[1]?.respond();
    await expect.poll(states).toEqual([]);
  });

  it('is taken back by cancel: nothing is sent, the row shows again, the promise rejects', async () => {
    const { clock, controller, Notes } = open({ onError: vi.fn() });
    const deletion = controller.fetch(undoable(Notes.delete), { id: '1' });
    expect(deletion.cancel()).toBe(true);
    expect(controller.get(Note, { id: '1' })?.id).toBe('1');
    await expect(deletion).rejects.toMatchObject({ name: 'AbortError' });
    expect(deletion.cancel()).toBe(false);
    await clock.pass(10_000);
    await settle();
    expect([held.length, clock.timers, controller.countFetching()]).toEqual([0, 0, 0]);
  });

  it('that is coalesced can be taken back alone, and starts the time of the request anew', async () => {
    const { clock, controller, Notes } = open();
    const edit = undoable(coalesced(Notes.partialUpdate), 1_000);
    const first = controller.fetch(edit, { id: '1' }, { text: 'a' });
    await clock.pass(900);
    const second = controller.fetch(edit, { id: '1' }, { color: 'blue' });
    await clock.pass(900);
    expect(held).toHaveLength(0);
    expect(first.cancel()).toBe(true);
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(controller.get(Note, { id: '1' })).toMatchObject({ text: '', color: 'blue' });
    await clock.pass(100);
    await arrived(1);
    held[0]?.respond();
    await second;
    expect(log()).toEqual(['PATCH /notes/1 {"color":"blue"}']);
  });

  it('holds back later serial calls of its record, and lets them go when it is taken back', async () => {
    const { controller, Notes } = open();
    const rename = controller.fetch(undoable(serial(Notes.update)), { id: '1' }, { text: 'a' });
    rename.catch(() => {});
    void controller.fetch(serial(Notes.partialUpdate), { id: '1' }, { color: 'blue' });
    await settle();
    expect(held).toHaveLength(0);
    rename.cancel();
    await arrived(1);
    expect(log()).toEqual(['PATCH /notes/1 {"color":"blue"}']);
  });

  it('is sent at once by flushUndoable', async () => {
    const { controller, Notes } = open();
    const deletion = controller.fetch(undoable(Notes.delete), { id: '1' });
    void flushUndoable(controller);
    await arrived(1);
    expect([log(), deletion.cancel()]).toEqual([['DELETE /notes/1 {}'], false]);
  });

  it('reaches the server before a sign-out that awaits flushUndoable', async () => {
    const { controller, Notes } = open();
    const deletion = controller.fetch(undoable(Notes.delete), { id: '1' });
    let isFlushed = false;
    const flushed = flushUndoable(controller).then(() => (isFlushed = true));
    await arrived(1);
    expect(isFlushed).toBe(false);
    held[0]?.respond();
    await flushed;
    await expect(deletion).resolves.toBeDefined();
    logout(controller);
    expect(log()).toEqual(['DELETE /notes/1 {}']);
  });

  it('is sent with keepalive when the page is closed, unless its body is too large', async () => {
    const page = openPage();
    const { controller, Notes } = open();
    void controller.fetch(undoable(Notes.delete), { id: '2' });
    void controller.fetch(undoable(Notes.update), { id: '1' }, { text: 'x'.repeat(30_000) });
    page.close();
    await arrived(2);
    expect(log()[0]).toBe('DELETE /notes/2 {}');
    expect(page.inits.map(({ keepalive }) => keepalive)).toEqual([true, undefined]);
  });

  it('sends what waits behind other requests too when the page is closed', async () => {
    const page = openPage();
    const { controller, Notes } = open();
    const edit = coalesced(Notes.partialUpdate);
    for (const text of ['a', 'ab', 'abc']) void controller.fetch(edit, { id: '1' }, { text });
    await arrived(1);
    page.close();
    await arrived(2);
    expect(log()[1]).toBe('PATCH /notes/1 {"text":"abc"}');
  });

  it('ends with a reset, which sends nothing', async () => {
    const { clock, controller, Notes } = open();
    const deletion = controller.fetch(undoable(Notes.delete), { id: '1' });
    controller.resetEntireStore();
    await expect(deletion).rejects.toMatchObject({ name: 'AbortError' });
    await clock.pass(10_000);
    expect([held.length, deletion.cancel()]).toEqual([0, false]);
  });
});

it('edits of a record stay above its create, which is sent later or can be taken back', async () => {
  const { clock, controller, Notes } = open();
  void controller.fetch(Notes.getList);
  await arrived(1);
  held[0]?.respond();
  await expect.poll(() => controller.getResponse(Notes.getList)?.length).toBe(2);
  const last = () => controller.getResponse(Notes.getList)?.at(-1);
  const created = controller.fetch(undoable(Notes.getList.push, 1_000), { text: 'created' });
  const edit = undoable(coalesced(Notes.partialUpdate), 500);
  const id = last()?.id ?? '';
  const first = controller.fetch(edit, { id }, { text: 'edited' });
  const second = controller.fetch(edit, { id }, { color: 'blue' });
  await clock.pass(500);
  expect(last()).toMatchObject({ text: 'edited', color: 'blue' });
  expect(second.cancel()).toBe(true);
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await clock.pass(500);
  await arrived(2);
  expect(last()).toMatchObject({ text: 'edited' });
  held[1]?.respond();
  await created;
  await arrived(3);
  expect(last()).toMatchObject({ text: 'edited' });
  held[2]?.respond();
  expect((await first).text).toBe('edited');
  expect(log().slice(1)).toEqual([
    'POST /notes {"text":"created"}',
    'PATCH /notes/11 {"text":"edited"}',
  ]);
});

it('calls of other endpoints do not join a call that is only serial', async () => {
  const { controller, Notes, text } = open();
  const stop = new AbortController();
  const held1 = undoable(serial(Notes.partialUpdate));
  const first = controller.fetch(held1.extend({ signal: stop.signal }), { id: '1' }, { text: 'a' });
  void controller.fetch(coalesced(Notes.partialUpdate), { id: '1' }, { text: 'b' });
  void controller.fetch(held1, { id: '1' }, { text: 'c' });
  stop.abort();
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  expect(text()).toBe('c');
  await arrived(1);
  expect([log(), text()]).toEqual([['PATCH /notes/1 {"text":"b"}'], 'c']);
});

it('creates that can be taken back keep their order in lists while one after the other is sent', async () => {
  const { clock, controller, Notes } = open();
  void controller.fetch(Notes.getList);
  await arrived(1);
  held[0]?.respond();
  await expect.poll(() => controller.getResponse(Notes.getList)?.length).toBe(2);
  const texts = () => controller.getResponse(Notes.getList)?.map((note) => note.text);
  const push = undoable(Notes.getList.push, 1_000);
  const calls = [];
  for (const text of ['a', 'b', 'c']) {
    calls.push(controller.fetch(push, { text }));
    await clock.pass(100);
  }
  await clock.pass(700);
  await arrived(2);
  expect(texts()).toEqual(['', '', 'a', 'b', 'c']);
  held[1]?.respond();
  await calls[0];
  expect(texts()).toEqual(['', '', 'a', 'b', 'c']);
  calls[2]?.cancel();
  await expect(calls[2]).rejects.toMatchObject({ name: 'AbortError' });
  expect(texts()).toEqual(['', '', 'a', 'b']);
  await clock.pass(1_000);
  await arrived(3);
  held[2]?.respond();
  await calls[1];
  expect([texts(), held.length]).toEqual([['', '', 'a', 'b'], 3]);
});
