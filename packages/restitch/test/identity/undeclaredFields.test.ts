/** A response to a class contains related records that only another class with the same key declares. */
import { Collection, Controller, Entity, resource, Union, Values } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Note extends Entity {
  id = 0;
  text = '';
  static override readonly key = 'UndeclaredNote';
}
class Row extends Entity {
  id = 0;
  name = '';
  static override readonly key = 'UndeclaredPatient';
}

const nestKey = (owner: { id: number }) => ({ patient: owner.id });
const kinds: Record<string, { schema: object; of: (texts: string[]) => unknown }> = {
  'a Collection with nestKey': {
    schema: new Collection([Note], { name: 'undeclaredNotes', nestKey }),
    of: notesOf,
  },
  'a Collection of its own': { schema: new Collection([Note]), of: notesOf },
  'a list': { schema: [Note], of: notesOf },
  'a record': { schema: Note, of: ([text]) => ({ id: 5, text }) },
  'a map': {
    schema: new Values(Note),
    of: (texts) => Object.fromEntries(notesOf(texts).map((note) => [`n${note.id}`, note])),
  },
  'a list of a union': {
    schema: [new Union({ note: Note }, () => 'note')],
    of: notesOf,
  },
  'an object': {
    schema: { all: new Collection([Note]) },
    of: (texts) => ({ all: notesOf(texts) }),
  },
};
function notesOf(texts: string[]) {
  return texts.map((text, index) => ({ id: 5 + index, text }));
}

let texts: string[];
let name: string;
let asked: string[];
beforeEach(() => {
  texts = ['a'];
  name = 'Ada';
  asked = [];
});

describe.each(Object.entries(kinds))('%s', (_, { schema, of }) => {
  class Patient extends Row {
    notes: unknown = [];
    static override readonly schema = { notes: schema as never };
  }
  const open = (optimistic: boolean) =>
    resource({
      urlPrefix: server.origin,
      path: '/patients/:id',
      schema: Patient,
      body: {} as { name: string },
      optimistic,
    }).extend('getList', { schema: new Collection([Row]) });

  it.each([true, false])(
    'is stored by a response of the other class, optimistic: %s',
    async (optimistic) => {
      const held: (() => void)[] = [];
      server.respond(({ method, url, body }, response) => {
        asked.push(method);
        if (method === 'PATCH') {
          name = JSON.parse(body).name;
          texts = [...texts, name];
        }
        const value =
          url === '/patients' ? [{ id: 1, name }] : { id: 1, name, notes: of([...texts]) };
        if (method === 'GET') return value;
        held.push(() =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify(value)),
        );
        return undefined;
      });
      const Patients = open(optimistic);
      const controller = new Controller();
      const view = controller.observe(Patients.get, { id: 1 });
      const seen: unknown[] = [];
      view.subscribe(() => {
        const snapshot = view.getSnapshot();
        seen.push(snapshot.status);
        if (view.needsLoad(true)) void view.load();
      });
      await view.load();
      const list = await controller.fetch(Patients.getList);
      const moves = ['Bea', 'Cy'].map((next) =>
        controller.fetch(Patients.getList.move, { id: 1 }, { name: next }),
      );
      for (const [index, move] of moves.entries()) {
        await expect.poll(() => held).toHaveLength(2);
        held[index]?.();
        await move;
      }
      expect(seen).not.toContain('pending');
      expect(seen).not.toContain('error');
      const { data } = view.getSnapshot() as { data: Patient };
      expect(data.name).toBe('Cy');
      expect(JSON.parse(JSON.stringify(data.notes))).toEqual(of(['a', 'Bea', 'Cy']));
      expect(controller.get(Row, 1)?.name).toBe('Cy');
      expect(list[0]).toBeInstanceOf(Row);
      expect(controller.get(Note, 5)?.text).toBe('a');
      // The moves overlap, so their lists may be fetched again.
      const reads = asked.filter((method) => method === 'GET').length;
      expect(reads).toBeLessThanOrEqual(optimistic ? 3 : 2);
    },
  );
});

it('a list belongs to its record if the response of the other class arrives first', async () => {
  const notes = new Collection([Note], {
    name: 'notes of the ward',
    nestKey,
    argsKey: ({ patient }: { patient: number | string }) => ({ patient }),
  });
  class WardRow extends Entity {
    id = 0;
    static override readonly key = 'UndeclaredWardRow';
  }
  class WardPatient extends WardRow {
    notes: Note[] = [];
    static override readonly schema = { notes };
  }
  const options = { urlPrefix: server.origin, path: '/patients/:id' } as const;
  const Whole = resource({ ...options, schema: WardPatient });
  const Rows = resource({ ...options, path: '/rows/:id', schema: WardRow });
  const Notes = resource({
    urlPrefix: server.origin,
    path: '/patients/:patient/notes/:id',
    schema: Note,
    body: {} as { text: string },
  }).extend('getList', { schema: notes });
  const held = new Map<string, () => void>();
  server.respond(({ method, url }, response) => {
    if (method === 'POST') return { id: 6, text: 'b' };
    held.set(url, () =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify([{ id: 1, notes: notesOf(['a']) }])),
    );
    return undefined;
  });
  const controller = new Controller();
  const whole = controller.fetch(Whole.getList);
  const rows = controller.fetch(Rows.getList);
  await expect.poll(() => held.size).toBe(2);
  held.get('/rows')?.();
  await rows;
  held.get('/patients')?.();
  await whole;
  await controller.fetch(Notes.getList.push, { patient: 1 }, { text: 'b' });
  const [patient] = controller.getResponse(Whole.getList) ?? [];
  expect(patient?.notes.map(({ text }) => text)).toEqual(['a', 'b']);
});

it('a class that declares the field as plain data keeps the data', async () => {
  class Patient extends Row {
    notes: Note[] = [];
    static override readonly schema = { notes: [Note] };
  }
  class Plain extends Row {
    notes: unknown[] = [];
  }
  const controller = new Controller();
  controller.observe(resource({ path: '/p/:id', schema: Patient }).get, { id: '1' });
  controller.set(Plain, { id: 1 }, { notes: [{ id: 5, text: 'plain' }] });
  expect(controller.get(Plain, 1)?.notes).toEqual([{ id: 5, text: 'plain' }]);
  expect(controller.get(Note, 5)).toBeUndefined();
});
