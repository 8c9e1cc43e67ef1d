import { coalesced, Endpoint, hookifyResource, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { noteServer } from './support.js';

const { held, notes, log, arrived, open } = noteServer();

describe('calls of a coalesced endpoint', () => {
  it('end with the last value on the server: five edits are two requests, one in flight at a time', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    const calls = [];
    for (const typed of ['h', 'he', 'hel', 'hell', 'hello']) {
      calls.push(controller.fetch(edit, { id: '1' }, { text: typed }));
      expect(text()).toBe(typed);
    }
    await arrived(1);
    expect(controller.countFetching(edit)).toBe(2);
    held[0]?.respond();
    await calls[0];
    await arrived(2);
    expect(text()).toBe('hello');
    expect(log()).toEqual(['PATCH /notes/1 {"text":"h"}', 'PATCH /notes/1 {"text":"hello"}']);
    held[1]?.respond();
    const texts = (await Promise.all(calls)).map((note) => note.text);
    expect(texts).toEqual(Array(5).fill('hello'));
    expect([notes.get('1')?.['text'], text(), controller.countFetching()]).toEqual([
      'hello',
      'hello',
      0,
    ]);
  });

  it('merge the fields of their bodies, and keep records apart', async () => {
    const { controller, Notes } = open();
    const edit = coalesced(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'a' });
    void controller.fetch(edit, { id: '1' }, { color: 'blue' });
    void controller.fetch(edit, { id: '1' }, { text: 'b' });
    void controller.fetch(edit, { id: '2' }, { text: 'other' });
    await arrived(2);
    held[0]?.respond();
    await arrived(3);
    expect(log().slice(1)).toEqual([
      'PATCH /notes/2 {"text":"other"}',
      'PATCH /notes/1 {"color":"blue","text":"b"}',
    ]);
    expect(controller.get(notesOf(Notes), { id: '1' })).toMatchObject({ text: 'b', color: 'blue' });
  });

  it('keep an edit that waits, though a later body has its field without a value', async () => {
    const { controller, Notes } = open();
    const edit = coalesced(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'a' });
    void controller.fetch(edit, { id: '1' }, { color: 'blue' });
    void controller.fetch(edit, { id: '1' }, { text: 'b', color: undefined });
    await arrived(1);
    held[0]?.respond();
    await arrived(2);
    expect(log().slice(1)).toEqual(['PATCH /notes/1 {"color":"blue","text":"b"}']);
  });

  it('go on after a failure: its caller gets the error, the others get the next response', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    const first = controller.fetch(edit, { id: '1' }, { text: 'a' });
    const second = controller.fetch(edit, { id: '1' }, { text: 'b' });
    const third = controller.fetch(edit, { id: '1' }, { text: 'c' });
    await arrived(1);
    held[0]?.fail();
    await expect(first).rejects.toMatchObject({ status: 500 });
    expect(text()).toBe('c');
    await arrived(2);
    held[1]?.respond();
    expect([(await second).text, (await third).text, text()]).toEqual(['c', 'c', 'c']);
  });

  it('show the server’s values again when the merged request fails', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    const calls = ['a', 'b', 'c'].map((typed) =>
      controller.fetch(edit, { id: '1' }, { text: typed }).catch(({ status }) => status),
    );
    await arrived(1);
    held[0]?.respond();
    await arrived(2);
    held[1]?.fail(422);
    expect((await Promise.all(calls)).slice(1)).toEqual([422, 422]);
    expect(text()).toBe('a');
    expect(controller.getError(edit, { id: '1' }, {})).toMatchObject({ status: 422 });
  });

  it('leave the waiting request alone or with others: only the aborted call’s fields are taken out', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = controller.fetch(edit, { id: '1' }, { text: 'sent' });
    const second = controller.fetch(
      edit.extend({ signal: one.signal }),
      { id: '1' },
      { text: 'b' },
    );
    const third = controller.fetch(
      edit.extend({ signal: two.signal }),
      { id: '1' },
      { color: 'c' },
    );
    expect(controller.get(notesOf(Notes), { id: '1' })).toMatchObject({ text: 'b', color: 'c' });
    one.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(controller.get(notesOf(Notes), { id: '1' })).toMatchObject({ text: 'sent', color: 'c' });
    two.abort();
    await expect(third).rejects.toMatchObject({ name: 'AbortError' });
    expect(controller.get(notesOf(Notes), { id: '1' })).toMatchObject({
      text: 'sent',
      color: 'red',
    });
    void controller.fetch(edit, { id: '1' }, { text: 'd' });
    await arrived(1);
    held[0]?.respond();
    await first;
    await arrived(2);
    expect(log()[1]).toBe('PATCH /notes/1 {"text":"d"}');
    expect(text()).toBe('d');
  });

  it('are taken out by a reset, and the next session sends its own', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    const calls = ['a', 'b'].map((typed) =>
      controller.fetch(edit, { id: '1' }, { text: typed }).catch(({ name }) => name),
    );
    await arrived(1);
    controller.resetEntireStore();
    expect(await Promise.all(calls)).toEqual(['AbortError', 'AbortError']);
    expect([text(), controller.countFetching()]).toEqual([undefined, 0]);
    const next = controller.fetch(edit, { id: '1' }, { text: 'c' });
    await arrived(2);
    held[1]?.respond();
    expect((await next).text).toBe('c');
    expect(log()).toHaveLength(2);
  });

  it('compose with a read that was sent while they waited: it lacks them', async () => {
    const { controller, Notes, text } = open();
    const edit = coalesced(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'a' });
    const last = controller.fetch(edit, { id: '1' }, { text: 'b' });
    await arrived(1);
    const read = controller.fetch(Notes.get, { id: '1' });
    await arrived(2);
    held[0]?.respond();
    await arrived(3);
    held[2]?.respond();
    await last;
    notes.set('1', { id: '1', text: 'old', color: 'green', votes: 0 });
    held[1]?.respond();
    await read;
    expect(controller.get(notesOf(Notes), { id: '1' })).toMatchObject({ text: 'b' });
    expect(text()).toBe('b');
  });

  it('wait for the key of a record that is being created', async () => {
    const { controller, Notes } = open();
    void controller.fetch(Notes.getList);
    await arrived(1);
    held[0]?.respond();
    await settleUntil(() => controller.getResponse(Notes.getList)?.length === 2);
    const edit = coalesced(Notes.partialUpdate);
    const created = controller.fetch(Notes.getList.push, { text: 'new' });
    const id = controller.getResponse(Notes.getList)?.at(-1)?.id ?? '';
    void controller.fetch(edit, { id }, { text: 'x' });
    void controller.fetch(edit, { id }, { text: 'xy' });
    const shownNow = () => controller.getResponse(Notes.getList)?.at(-1)?.text;
    expect(shownNow()).toBe('xy');
    await arrived(2);
    held[1]?.respond();
    const { id: real } = await created;
    // The waiting request was sent with the response, so this call needs another one.
    void controller.fetch(edit, { id: real }, { color: 'z' });
    await arrived(3);
    expect(shownNow()).toBe('xy');
    held[2]?.respond();
    await arrived(4);
    held[3]?.respond();
    expect(log().slice(2)).toEqual([
      `PATCH /notes/${real} {"text":"xy"}`,
      `PATCH /notes/${real} {"color":"z"}`,
    ]);
    await settleUntil(() => controller.countFetching() === 0);
    expect(notes.get(real)).toMatchObject({ text: 'xy', color: 'z' });
    expect(shownNow()).toBe('xy');
  });

  it('are creates: they are sent one after another, and none is lost in another', async () => {
    const { controller, Notes } = open();
    const push = coalesced(Notes.getList.push);
    const calls = ['a', 'b', 'c'].map((text) => controller.fetch(push, { text }));
    for (let count = 1; count <= 3; count += 1) {
      await arrived(count);
      expect(held).toHaveLength(count);
      held[count - 1]?.respond();
    }
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it('work without a schema, by the cache key, and for a function', async () => {
    const { controller, Notes } = open();
    const settings = coalesced(
      new RestEndpoint({
        urlPrefix: Notes.get.urlPrefix,
        path: '/notes/:id',
        method: 'PUT',
        body: {} as object,
      }),
    );
    for (const size of [1, 2, 3]) void controller.fetch(settings, { id: 'settings' }, { size });
    await arrived(1);
    held[0]?.respond();
    await arrived(2);
    expect(log()[1]).toBe('PUT /notes/settings {"size":3}');
    const sent: unknown[] = [];
    const save = coalesced(
      new Endpoint(
        async (id: string, value: object) => {
          sent.push([id, value]);
        },
        { name: 'save', sideEffect: true, key: (id: string) => `save ${id}` },
      ),
    );
    const saved = [1, 2, 3].map((value) => controller.fetch(save, 'a', { value }));
    await Promise.all(saved);
    expect(sent).toEqual([
      ['a', { value: 1 }],
      ['a', { value: 3 }],
    ]);
  });

  it('are not held back for ever by a request without a response', async () => {
    const { clock, controller, Notes } = open();
    const edit = coalesced(Notes.partialUpdate);
    void controller.fetch(edit, { id: '1' }, { text: 'lost' });
    void controller.fetch(edit, { id: '1' }, { text: 'next' });
    await arrived(1);
    await clock.pass(120_000);
    await arrived(2);
    expect(log()[1]).toBe('PATCH /notes/1 {"text":"next"}');
  });

  it(
    'are two requests for each of two thousand records with three edits',
    { tags: 'scale' },
    async () => {
      const { controller } = open();
      const sent = new Map<string, number>();
      const save = coalesced(
        new Endpoint(
          async ({ id }: { id: string }, _: object) => {
            sent.set(id, (sent.get(id) ?? 0) + 1);
          },
          { name: 'save', sideEffect: true, key: ({ id }) => `save ${id}` },
        ),
      );
      const calls: Promise<void>[] = [];
      for (let id = 0; id < 2_000; id += 1) {
        for (const value of [1, 2, 3])
          calls.push(controller.fetch(save, { id: `${id}` }, { value }));
      }
      await Promise.all(calls);
      expect([sent.size, new Set(sent.values())]).toEqual([2_000, new Set([2])]);
    },
  );

  it('are not joined when the endpoints send differently, but wait for one another', async () => {
    const { controller, Notes } = open();
    const reasonOf = (reason: string) =>
      coalesced(
        Notes.partialUpdate.extend({
          getHeaders: (headers: HeadersInit) => ({ ...headers, 'x-reason': reason }),
          process: (value: object) => ({ ...value, color: reason }),
        }),
      );
    const [rename, audit] = [reasonOf('rename'), reasonOf('audit')];
    const calls = [
      controller.fetch(rename, { id: '1' }, { text: 'a' }),
      controller.fetch(rename, { id: '1' }, { text: 'b' }),
      controller.fetch(audit, { id: '1' }, { text: 'c' }),
    ];
    for (let count = 1; count <= 3; count += 1) {
      await arrived(count);
      expect(held).toHaveLength(count);
      held[count - 1]?.respond();
    }
    expect(held.map(({ headers }) => headers['x-reason'])).toEqual(['rename', 'rename', 'audit']);
    const colors = (await Promise.all(calls)).map(({ color }) => color);
    expect(colors).toEqual(['rename', 'rename', 'audit']);
  });

  it('are sent with the new token of a hook', async () => {
    const { controller, Notes } = open();
    let token = 'old';
    const hooks = hookifyResource({ save: coalesced(Notes.partialUpdate) }, () => ({
      headers: { authorization: token },
    }));
    const before = hooks.useSave();
    void controller.fetch(before, { id: '1' }, { text: 'a' });
    void controller.fetch(before, { id: '1' }, { text: 'b' });
    token = 'new';
    void controller.fetch(hooks.useSave(), { id: '1' }, { text: 'c' });
    void controller.fetch(hooks.useSave(), { id: '1' }, { color: 'd' });
    for (let count = 1; count <= 3; count += 1) {
      await arrived(count);
      held[count - 1]?.respond();
    }
    await settleUntil(() => controller.countFetching() === 0);
    expect(held.map(({ headers, body }) => [headers['authorization'], body])).toEqual([
      ['old', { text: 'a' }],
      ['old', { text: 'b' }],
      ['new', { text: 'c', color: 'd' }],
    ]);
  });

  it('with PUT send the last body alone, and with PATCH merge nested objects', async () => {
    const { controller, Notes } = open();
    const replace = coalesced(Notes.update);
    void controller.fetch(replace, { id: '1' }, { text: 'a' });
    void controller.fetch(replace, { id: '1' }, { text: 'b', color: 'secret' });
    void controller.fetch(replace, { id: '1' }, { text: 'c' });
    const edit = coalesced(Notes.partialUpdate.extend({ body: {} as object, schema: undefined }));
    void controller.fetch(edit, { id: '2' }, {});
    void controller.fetch(edit, { id: '2' }, { s: { a: 1, deep: { x: 1 } }, tags: ['a'] });
    void controller.fetch(edit, { id: '2' }, { s: { b: 2, deep: { y: 2 } }, tags: ['b'] });
    await arrived(2);
    held[0]?.respond();
    await arrived(3);
    held[1]?.respond();
    await arrived(4);
    expect(log().slice(2)).toEqual([
      'PUT /notes/1 {"text":"c"}',
      'PATCH /notes/2 {"s":{"a":1,"deep":{"x":1,"y":2},"b":2},"tags":["b"]}',
    ]);
  });
});

const notesOf = ({ get: { schema } }: ReturnType<typeof open>['Notes']) => schema;

async function settleUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await settle();
}
