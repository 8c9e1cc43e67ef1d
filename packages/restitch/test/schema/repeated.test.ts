/** A response that holds one record many times, as a list does whose members refer to a few others. */
import { Collection, Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { describe, expect, it } from 'vitest';

class Person extends Entity {
  id = '';
  name = '';
  city: { name: string } | undefined = undefined;
  static override key = 'RepeatedPerson';
}

/** Another view of the same records, which joins them in its own way. */
class CountedPerson extends Entity {
  id = '';
  name = '';
  mentions = 0;
  static override key = 'RepeatedPerson';
  static override merge(
    existing: Readonly<Record<string, unknown>>,
    incoming: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return { ...existing, ...incoming, mentions: Number(existing['mentions'] ?? 1) + 1 };
  }
}

class Task extends Entity {
  id = '';
  title = '';
  owner: Person | undefined = undefined;
  counted: CountedPerson | undefined = undefined;
  gone: Person | undefined = undefined;
  static override key = 'RepeatedTask';
  static override schema = { owner: Person, counted: CountedPerson, gone: new Invalidate(Person) };
}

/** What is shown of a list of tasks. */
function show(tasks: readonly object[]) {
  const controller = new Controller();
  const getTasks = new Endpoint(async (): Promise<unknown> => undefined, {
    name: 'getTasks',
    schema: new Collection([Task]),
  });
  controller.setResponse(getTasks, tasks);
  return { controller, tasks: (controller.getResponse(getTasks) ?? []) as readonly Task[] };
}

describe('a record that a response holds many times', () => {
  it('shows the last copy that differs', () => {
    const { tasks, controller } = show([
      { id: 1, owner: { id: 7, name: 'Ann', city: { name: 'Kyoto' } } },
      { id: 2, owner: { id: 7, name: 'Anna' } },
      { id: 3, owner: { id: 7, name: 'Ann', city: { name: 'Kyoto' } } },
      { id: 4, owner: { id: 7, name: 'Ann' } },
      { id: 5, owner: { id: '7', city: { name: 'Kyoto' } } },
    ]);
    expect(controller.get(Person, 7)).toMatchObject({ name: 'Ann', city: { name: 'Kyoto' } });
    expect(new Set(tasks.map(({ owner }) => owner)).size).toBe(1);
  });

  it('shows all fields that its copies say together', () => {
    const { controller } = show([
      { id: 1, owner: { id: 7, name: 'Ann' } },
      { id: 2, owner: { id: 7, city: { name: 'Kyoto' } } },
      { id: 3, owner: { id: 7, name: 'Ann' } },
    ]);
    expect(controller.get(Person, 7)).toMatchObject({ name: 'Ann', city: { name: 'Kyoto' } });
  });

  it('shows fields of one object that lies before and after a copy with other values', () => {
    const ann = { id: 7, name: 'Ann' };
    const { controller } = show([
      { id: 1, owner: ann },
      { id: 2, owner: { id: 7, name: 'Anna' } },
      { id: 3, owner: ann },
    ]);
    expect(controller.get(Person, 7)?.name).toBe('Ann');
    const task = { id: 4, title: 'first', owner: ann };
    const { controller: other } = show([task, { id: 4, title: 'second' }, task]);
    expect(other.get(Task, 4)?.title).toBe('first');
  });

  it('is joined as often as its class says', () => {
    const { controller } = show([
      { id: 1, counted: { id: 7, name: 'Ann' } },
      { id: 2, counted: { id: 7, name: 'Ann' } },
      { id: 3, counted: { id: 7, name: 'Ann' } },
    ]);
    expect(controller.get(CountedPerson, 7)).toMatchObject({ name: 'Ann', mentions: 3 });
  });

  it('shows the last copy where another class wrote between two equal ones', () => {
    const { controller } = show([
      { id: 1, owner: { id: 7, name: 'Ann' } },
      { id: 2, counted: { id: 7, name: 'Bea' } },
      { id: 3, owner: { id: 7, name: 'Ann' } },
    ]);
    expect(controller.get(Person, 7)?.name).toBe('Ann');
  });

  it('is there again where the same response deletes it in between', () => {
    const { controller, tasks } = show([
      { id: 1, owner: { id: 7, name: 'Ann' } },
      { id: 2, gone: { id: 7 } },
      { id: 3, owner: { id: 7, name: 'Ann' } },
    ]);
    expect(controller.get(Person, 7)?.name).toBe('Ann');
    expect(tasks[2]?.owner).toBe(controller.get(Person, 7));
  });

  it('enters a list where it is created, wherever else it lies', () => {
    const people = new Collection([Person]);
    class Meeting extends Entity {
      id = '';
      host: Person | undefined = undefined;
      joined: readonly Person[] = [];
      static override schema = { host: Person, joined: people.push };
    }
    const getPeople = new Endpoint(async (): Promise<unknown> => undefined, {
      name: 'getPeople',
      schema: people,
    });
    const controller = new Controller();
    controller.setResponse(getPeople, []);
    const host = { id: 7, name: 'Ann' };
    controller.set(Meeting, { id: 1 }, { id: 1, host, joined: [host, { id: 8, name: 'Bea' }] });
    expect(controller.getResponse(getPeople)).toMatchObject([{ name: 'Ann' }, { name: 'Bea' }]);
  });
});

describe('a list that says one member twice', () => {
  const keysOf = (...tasks: unknown[]) => {
    const controller = new Controller();
    const getTasks = new Endpoint(async (): Promise<unknown> => undefined, {
      name: 'getTasks',
      schema: new Collection([Task]),
    });
    // What is named by its key alone is there from before.
    controller.set(Task, { id: '1' }, {});
    controller.set(Task, { id: '2' }, {});
    controller.setResponse(getTasks, tasks);
    const current: readonly Task[] = controller.getResponse(getTasks) ?? [];
    return current.map(({ id }) => String(id));
  };

  it.each<[claim: string, tasks: unknown[], keys: string[]]>([
    ['as records', [{ id: 1 }, { id: 2 }, { id: 1 }], ['1', '2']],
    ['as a number and as text', [{ id: 1 }, { id: '1' }, { id: 2 }], ['1', '2']],
    ['as keys', ['2', '1', '2'], ['2', '1']],
    ['as a record and as a key', [{ id: 2 }, '1', 2], ['2', '1']],
    ['as a key and as a record', [1, { id: '1' }, { id: 2 }], ['1', '2']],
    [
      'as equal records',
      [
        { id: 1, owner: { id: 7 } },
        { id: 1, owner: { id: 7 } },
      ],
      ['1'],
    ],
  ])('%s shows it once, at its first place', (_, tasks, keys) => {
    expect(keysOf(...tasks)).toEqual(keys);
    // However often it says so.
    expect(keysOf(...tasks, ...tasks)).toEqual(keys);
  });
});
