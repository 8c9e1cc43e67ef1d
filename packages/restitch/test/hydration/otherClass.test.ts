/** State that another build of the program kept is read by classes that declare their fields otherwise. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Query,
  type StoreState,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Person extends Entity {
  id = '';
  name = '';
  static override key = 'KeptPerson';
}
class Robot extends Entity {
  id = '';
  static override key = 'KeptRobot';
}

/** A class of one key whose field `about` is declared in one way or another. */
function recordClass(about: unknown, more: object = {}) {
  class Note extends Entity {
    id = '';
    title = '';
    about: any = undefined;
    static override key = 'KeptNote';
    static override schema = (about === undefined ? {} : { about }) as Record<string, any>;
  }
  return Object.assign(Note, more);
}
type NoteClass = ReturnType<typeof recordClass>;

const detail = (Note: NoteClass) =>
  new Endpoint(async (_: object): Promise<any> => null, { name: 'getNote', schema: Note });
const list = (Note: NoteClass) =>
  new Endpoint(async (_: object): Promise<any> => null, {
    name: 'getNotes',
    schema: new Collection([Note]),
  });

const transferred = (controller: Controller): StoreState =>
  JSON.parse(JSON.stringify(getState(controller)));

/** What a build with this class keeps of a response. */
function keptBy(Note: NoteClass, about: unknown): StoreState {
  const controller = new Controller();
  const row = { id: '1', title: 'One', about };
  controller.setResponse(list(Note), {}, [row, { id: '2', title: 'Two' }]);
  controller.setResponse(detail(Note), { id: '1' }, row);
  return transferred(controller);
}

function open(...states: StoreState[]) {
  const reports: { code?: string; message: string }[] = [];
  const controller = new Controller({
    environment: { report: (error) => reports.push(error as Error) },
  });
  for (const state of states) hydrate(controller, state);
  return { controller, codes: () => reports.map(({ code }) => code), reports };
}

const person = { id: 'p', name: 'Ann' };
const either = new Union({ person: Person, robot: Robot }, () => 'person');
const changes: [claim: string, before: unknown, value: unknown, after: unknown][] = [
  ['a relation became plain', Person, person, undefined],
  ['a relation became a Date', Person, person, Date],
  ['a relation became another one', Person, person, Robot],
  ['a relation became a list', Person, person, [Person]],
  ['a relation became a union', Person, person, either],
  ['a relation became a collection', [Person], [person], new Collection([Person])],
  ['a list of relations became one', [Person], [person], Person],
  ['a map of relations became an object', new Values(Person), { a: person }, { a: Person }],
  ['a collection became plain', new Collection([Person]), [person], undefined],
  ['a Date became a relation', Date, '2026-01-01', Person],
  ['a plain value became a relation', undefined, 'p', Person],
  ['a plain object became a relation', undefined, person, Person],
  ['a text became what it cannot be read as', undefined, 'text', BigInt],
];

describe('a class that declares a field otherwise does not get it from kept state', () => {
  it.each(changes)('where %s', (_, before, value, after) => {
    const Note = recordClass(after);
    const { controller, codes } = open(keptBy(recordClass(before), value));
    expect(controller.get(Note, '1')).toMatchObject({ title: 'One', about: undefined });
    expect(controller.get(Note, '2')).toMatchObject({ title: 'Two' });
    expect(codes()).toEqual(['other-class']);
  });

  it.each(changes)(
    'while results that held it are fetched, where %s',
    (_, before, value, after) => {
      const Note = recordClass(after);
      const { controller, codes } = open(keptBy(recordClass(before), value));
      for (const view of [
        controller.observe(list(Note), {}),
        controller.observe(detail(Note), { id: '1' }),
      ]) {
        expect(view.getSnapshot()).toEqual({ status: 'pending' });
        expect(view.needsLoad()).toBe(true);
      }
      expect(codes()).toEqual(['other-class']);
    },
  );

  it.each(changes)('also where it is read already, and %s', (_, before, value, after) => {
    const Note = recordClass(after);
    const { controller, codes } = open();
    const view = controller.observeQuery(Note, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: undefined });
    hydrate(controller, keptBy(recordClass(before), value));
    expect(view.getSnapshot()).toMatchObject({ data: { title: 'One', about: undefined } });
    expect(controller.observe(list(Note), {}).getSnapshot()).toEqual({ status: 'pending' });
    expect(codes()).toEqual(['other-class']);
  });

  it('while a class that declares it in the same way does, whatever else it declares', () => {
    const state = keptBy(recordClass(Person), person);
    const Note = class extends recordClass(Person) {
      at = '';
      static override schema = { about: Person, at: Date } as Record<string, any>;
    };
    const { controller, codes } = open(state);
    expect(controller.getResponse(list(Note), {})).toMatchObject([{ about: person }, {}]);
    expect(codes()).toEqual([]);
  });

  it('while each class reads plain values as it declares them', () => {
    const { controller, codes } = open(keptBy(recordClass(undefined), '2026-01-01'));
    const Note = recordClass(Date);
    expect(controller.getResponse(detail(Note), { id: '1' })?.about).toEqual(
      new Date('2026-01-01'),
    );
    expect(codes()).toEqual([]);
  });

  it('among several classes of one key each is known by those that exported it', () => {
    const [Full, Summary] = [recordClass(Person), recordClass(undefined)];
    const server = new Controller();
    server.setResponse(detail(Full), { id: '1' }, { id: '1', title: 'One', about: person });
    expect(server.get(Summary, '1')?.about).toBe('p');
    for (const classes of [
      [Full, Summary],
      [Summary, Full],
    ]) {
      const { controller, codes } = open(transferred(server));
      for (const Note of classes) controller.get(Note, '1');
      expect(controller.getResponse(detail(Full), { id: '1' })).toMatchObject({ about: person });
      expect(controller.get(Summary, '1')?.about).toBe('p');
      expect(codes()).toEqual([]);
    }
  });

  it('reports once, however many records and readers there are', () => {
    const { controller, reports } = open(keptBy(recordClass(Person), person));
    const Note = recordClass(undefined);
    hydrate(controller, keptBy(recordClass([Person]), [person]));
    for (const id of ['1', '2']) controller.get(Note, id);
    controller.getResponse(list(Note), {});
    expect(reports.map(({ message }) => message)).toEqual([
      "KeptNote '1': hydrated state does not fit the class.",
    ]);
  });
});

describe('nothing throws in a reader because of kept state', () => {
  const throwing = () => {
    throw new Error('no');
  };

  it.each<[claim: string, after: NoteClass]>([
    ['a deserializer', recordClass(throwing)],
    ['the choice of a union', recordClass(new Union({ person: Person }, throwing as never))],
    ['`validate`', recordClass(undefined, { validate: throwing })],
    ['`createIfValid`', recordClass(undefined, { createIfValid: throwing })],
    ['`fromJS`', recordClass(undefined, { fromJS: throwing })],
  ])('where %s throws', (_, after) => {
    const { controller, codes } = open(keptBy(recordClass(undefined), { id: 'p' }));
    const [getNotes, getNote] = [list(after), detail(after)];
    const read = [
      () => controller.get(after, '1'),
      () => controller.get(getNotes.schema, {}),
      () => controller.getResponse(getNotes, {}),
      () => controller.getResponse(getNote, { id: '1' }),
    ];
    for (const look of read) expect(look).not.toThrow();
    expect(controller.observe(getNote, { id: '1' }).needsLoad()).toBe(true);
    expect(codes()).toEqual(['other-class']);
  });

  it('where a result holds values that its schema cannot read', () => {
    const endpoint = (schema: unknown) =>
      new Endpoint(async (_: object): Promise<any> => null, { name: 'getAt', schema });
    const server = new Controller();
    server.setResponse(endpoint({ at: Date }), {}, { at: '2026-01-01' });
    const { controller } = open(transferred(server));
    expect(controller.observe(endpoint({ at: BigInt }), {}).getSnapshot()).toEqual({
      status: 'pending',
    });
  });

  it('where a list holds members that its union cannot distinguish', () => {
    const listOf = (choose: (value: any) => string) =>
      new Endpoint(async (_: object): Promise<any> => null, {
        name: 'getAny',
        schema: new Collection([new Union({ person: Person }, choose)]),
      });
    const server = new Controller();
    const before = listOf(() => 'nobody');
    server.setResponse(before, {}, [{ kind: null }]);
    const { controller } = open(transferred(server));
    const after = listOf(({ kind }) => kind.toLowerCase());
    // It passes through, as it did before.
    expect(controller.get(after.schema, {})).toEqual([{ kind: null }]);
    expect(controller.getResponse(after, {})).toEqual([{ kind: null }]);
  });

  it('where a query expects more of its records', () => {
    const { controller } = open(keptBy(recordClass(Person), person));
    const names = new Query(list(recordClass(undefined)).schema, (notes) =>
      notes.map(({ title }) => title.toUpperCase()),
    );
    expect(controller.get(names, {})).toEqual(['ONE', 'TWO']);
  });
});
