import { pendingOf, serial } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Note, noteServer } from './support.js';

const { held, notes, log, arrived, open } = noteServer();

describe('calls of serial endpoints', () => {
  it('are sent in the order of the calls, one at a time for each record, whatever the endpoint', async () => {
    const { controller, Notes } = open();
    const Serial = {
      update: serial(Notes.update),
      edit: serial(Notes.partialUpdate),
      remove: serial(Notes.delete),
    };
    void controller.fetch(Serial.edit, { id: '1' }, { text: 'a' });
    void controller.fetch(Serial.update, { id: '1' }, { text: 'b' });
    void controller.fetch(Serial.edit, { id: '1' }, { text: 'c' });
    const last = controller.fetch(Serial.remove, { id: '1' });
    void controller.fetch(Serial.edit, { id: '2' }, { text: 'other' });
    expect(controller.get(Note, { id: '1' })).toBeUndefined();
    await arrived(2);
    expect(log()).toEqual(['PATCH /notes/1 {"text":"a"}', 'PATCH /notes/2 {"text":"other"}']);
    for (let count = 0; count < 5; count += 1) {
      await arrived(count + 1);
      held[count]?.respond();
    }
    await last;
    expect(log().slice(2)).toEqual([
      'PUT /notes/1 {"text":"b"}',
      'PATCH /notes/1 {"text":"c"}',
      'DELETE /notes/1 {}',
    ]);
    expect([notes.has('1'), controller.get(Note, { id: '1' })]).toEqual([false, undefined]);
  });

  it('take a name, or a function of their arguments', async () => {
    const { controller, Notes } = open();
    const all = serial(Notes.partialUpdate, 'notes');
    const parity = serial(Notes.update, ({ id }) => `${Number(id) % 2}`);
    void controller.fetch(all, { id: '1' }, { text: 'a' });
    void controller.fetch(all, { id: '2' }, { text: 'b' });
    void controller.fetch(parity, { id: '1' }, { text: 'c' });
    void controller.fetch(parity, { id: '2' }, { text: 'd' });
    void controller.fetch(parity, { id: '3' }, { text: 'e' });
    await arrived(3);
    expect(log()).toEqual([
      'PATCH /notes/1 {"text":"a"}',
      'PUT /notes/1 {"text":"c"}',
      'PUT /notes/2 {"text":"d"}',
    ]);
    held[1]?.fail();
    await arrived(4);
    held[0]?.respond();
    await arrived(5);
    expect(log().slice(3)).toEqual(['PUT /notes/3 {"text":"e"}', 'PATCH /notes/2 {"text":"b"}']);
  });

  it('rank by when they are sent: an edit that was sent and saved meanwhile goes under them', async () => {
    const { controller, Notes, text } = open();
    const edit = serial(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { color: 'blue' });
    const waiting = controller.fetch(edit, { id: '1' }, { text: 'sent last' });
    const other = controller.fetch(Notes.partialUpdate, { id: '1' }, { text: 'sent first' });
    await arrived(2);
    held[1]?.respond();
    await other;
    held[0]?.respond();
    await arrived(3);
    expect(text()).toBe('sent last');
    held[2]?.respond();
    await waiting;
    expect([text(), notes.get('1')?.['text']]).toEqual(['sent last', 'sent last']);
  });

  it('began, for `pendingOf`, at the time of the call, although another edit is sent while they wait', async () => {
    const { controller, clock, Notes } = open();
    const edit = serial(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'a' });
    const called = clock.now;
    void controller.fetch(edit, { id: '1' }, { text: 'b' });
    await clock.pass(1_000);
    void controller.fetch(Notes.partialUpdate, { id: '1' }, { text: 'c' });
    const note = controller.get(Note, { id: '1' });
    const since = note ? pendingOf(controller, note).map((one) => one.since) : [];
    await arrived(2);
    expect([note?.text, since]).toEqual(['b', [called, called, called + 1_000]]);
  });

  it('show above an edit that is sent while they wait, from its call on', async () => {
    const { controller, Notes, text } = open();
    const edit = serial(Notes.partialUpdate);
    const first = controller.fetch(edit, { id: '1' }, { text: 'a' });
    const second = controller.fetch(edit, { id: '1' }, { text: 'b' });
    const shown: unknown[] = [];
    const view = controller.observeQuery(Note, { id: '1' });
    view.subscribe(() => shown.push(text()));
    const plain = controller.fetch(Notes.partialUpdate, { id: '1' }, { text: 'plain' });
    expect(text()).toBe('b');
    await arrived(2);
    held[1]?.respond();
    await plain;
    expect([text(), shown]).toEqual(['b', []]);
    held[0]?.respond();
    await first;
    await arrived(3);
    held[2]?.respond();
    await second;
    expect([text(), notes.get('1')?.text]).toEqual(['b', 'b']);
  });

  it('show above the response of an edit without an optimistic update', async () => {
    const { controller, Notes, text } = open();
    const edit = serial(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'a' }).catch(() => {});
    void controller.fetch(edit, { id: '1' }, { text: 'b' }).catch(() => {});
    const quiet = Notes.partialUpdate.extend({ getOptimisticResponse: undefined });
    const plain = controller.fetch(quiet, { id: '1' }, { text: 'plain' });
    await arrived(2);
    held[1]?.respond();
    await plain;
    expect(text()).toBe('b');
    controller.resetEntireStore();
  });

  it('compose with a read while they wait: an increment is added to what it brings', async () => {
    const { controller, Notes } = open();
    const vote = serial(
      Notes.partialUpdate.extend({
        getOptimisticResponse(snapshot, { id }: { id: string }) {
          return { id, votes: (snapshot.get(Note, { id })?.votes ?? 0) + 1 };
        },
      }),
    );
    const votes = () => controller.get(Note, { id: '1' })?.votes;
    void controller.fetch(vote, { id: '1' }, { votes: 1 });
    const second = controller.fetch(vote, { id: '1' }, { votes: 12 });
    expect(votes()).toBe(2);
    await arrived(1);
    const read = controller.fetch(Notes.get, { id: '1' });
    await arrived(2);
    held[0]?.respond();
    await arrived(3);
    // Others have voted ten times; the second vote has just been sent, so the read lacks it.
    notes.set('1', { ...notes.get('1'), votes: 11 });
    held[1]?.respond();
    await read;
    expect(votes()).toBeGreaterThanOrEqual(2);
    held[2]?.respond();
    await second;
    expect(votes()).toBe(12);
  });

  it('leave no trace of an aborted call that waited, and send the next one', async () => {
    const { controller, Notes, text } = open();
    const edit = serial(Notes.partialUpdate);
    const stop = new AbortController();
    void controller.fetch(edit, { id: '1' }, { text: 'a' });
    const aborted = controller.fetch(
      edit.extend({ signal: stop.signal }),
      { id: '1' },
      { text: 'b' },
    );
    const last = controller.fetch(edit, { id: '1' }, { color: 'blue' });
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(text()).toBe('a');
    await arrived(1);
    held[0]?.respond();
    await arrived(2);
    held[1]?.respond();
    await last;
    expect(log()).toEqual(['PATCH /notes/1 {"text":"a"}', 'PATCH /notes/1 {"color":"blue"}']);
  });

  it('keep updating lists when they edit one: created rows enter in order', async () => {
    const { controller, Notes } = open();
    void controller.fetch(Notes.getList);
    await arrived(1);
    held[0]?.respond();
    const push = serial(Notes.getList.push, 'creates');
    await expect.poll(() => controller.getResponse(Notes.getList)?.length).toBe(2);
    const texts = () => controller.getResponse(Notes.getList)?.map((note) => note.text);
    const calls = ['a', 'b', 'c'].map((text) => controller.fetch(push, { text }));
    expect(texts()).toEqual(['', '', 'a', 'b', 'c']);
    for (let count = 1; count <= 3; count += 1) {
      await arrived(count + 1);
      held[count]?.respond();
      await calls[count - 1];
      expect(texts()).toEqual(['', '', 'a', 'b', 'c']);
    }
    expect([...notes.values()].map((note) => note['text'])).toEqual(['', '', 'a', 'b', 'c']);
  });
});
