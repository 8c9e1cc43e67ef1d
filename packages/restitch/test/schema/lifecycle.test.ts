import { Controller, Entity, type EntityMeta } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, manual, mutation, openWorld } from '../support/world.js';

type Fields = Readonly<Record<string, unknown>>;

/** A ticket whose server says when it was last changed. */
class Ticket extends Entity {
  id = '';
  title = '';
  votes = 0;
  updatedAt = 0;
  static override key = 'Ticket';
  static override shouldReorder(
    _existingMeta: EntityMeta,
    _incomingMeta: EntityMeta,
    existing: Fields,
    incoming: Fields,
  ): boolean {
    return Number(incoming['updatedAt']) < Number(existing['updatedAt']);
  }
}

describe('shouldReorder', () => {
  it('keeps the fields of the later timestamp, and takes the others from the older record', async () => {
    const { controller } = openWorld();
    const get = manual('getTicket', Ticket);
    const first = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', title: 'new', updatedAt: 20 });
    await first;
    const second = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', title: 'from a lagging replica', votes: 3, updatedAt: 10 });
    expect(await second).toMatchObject({ title: 'new', votes: 3, updatedAt: 20 });
  });

  it('ends in the same state whatever order the responses arrive in', async () => {
    const bodies = [
      { id: '1', title: 'a', updatedAt: 5 },
      { id: '1', title: 'b', updatedAt: 9 },
      { id: '1', title: 'c', updatedAt: 7 },
    ];
    const seen = new Set<string>();
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const { controller } = openWorld();
      const requests = bodies.map((_, index) => manual(`get${index}`, Ticket));
      for (const { endpoint } of requests) ignore(controller.fetch(endpoint, { id: '1' }));
      for (const index of order) await requests[index]?.respond(bodies[index]);
      seen.add(JSON.stringify(controller.get(Ticket, { id: '1' })));
    }
    expect([...seen]).toEqual([JSON.stringify({ id: '1', title: 'b', votes: 0, updatedAt: 9 })]);
  });
});

describe('shouldUpdate', () => {
  class Frozen extends Entity {
    id = '';
    title = '';
    version = 0;
    static override key = 'Frozen';
    static metas: (readonly [EntityMeta, EntityMeta])[] = [];
    static override shouldUpdate(
      existingMeta: EntityMeta,
      incomingMeta: EntityMeta,
      existing: Fields,
      incoming: Fields,
    ): boolean {
      this.metas.push([existingMeta, incomingMeta]);
      return Number(incoming['version']) > Number(existing['version']);
    }
  }

  it('that says no leaves the stored record, its identity included', async () => {
    const { controller, clock } = openWorld();
    Frozen.metas = [];
    const get = manual('getFrozen', Frozen);
    const first = controller.fetch(get.endpoint, { id: '1' });
    await get.respond({ id: '1', title: 'second', version: 2 });
    const before = await first;
    clock.now += 500;
    const again = controller.fetch(get.endpoint, { id: '1' });
    clock.now += 20;
    await get.respond({ id: '1', title: 'first', version: 1 });
    expect(await again).toBe(before);
    expect(Frozen.metas).toEqual([
      [
        { fetchedAt: 1_000_000, date: 1_000_000, expiresAt: 1_060_000 },
        { fetchedAt: 1_000_500, date: 1_000_520, expiresAt: 1_060_520 },
      ],
    ]);
  });

  it('that says no leaves it as old as it was', async () => {
    const { controller, clock } = openWorld();
    Frozen.metas = [];
    const get = manual('getFrozen', Frozen);
    for (const [version, now] of [
      [2, 1],
      [1, 2],
      [3, 3],
    ]) {
      clock.now = Number(now);
      ignore(controller.fetch(get.endpoint, { id: '1' }));
      await get.respond({ id: '1', version });
    }
    expect(Frozen.metas.map(([existing]) => existing.fetchedAt)).toEqual([1, 1]);
  });

  it('is not asked about copies of one record within one response', async () => {
    const { controller } = openWorld();
    const get = manual('getAll', [Frozen]);
    const request = controller.fetch(get.endpoint);
    await get.respond([
      { id: '1', version: 1, title: 'a' },
      { id: '1', version: 1, extra: true },
    ]);
    const [one, same] = await request;
    expect(one).toBe(same);
    expect(one).toMatchObject({ title: 'a', extra: true });
  });

  it('decides about an optimistic update and its response alike, and a failed optimistic update leaves no trace', async () => {
    const { controller } = openWorld();
    controller.set(Frozen, { id: '1' }, { title: 'a', version: 5 });
    const before = controller.get(Frozen, { id: '1' });
    const patch = mutation('patch', Frozen, (_, body: object) => body);
    ignore(controller.fetch(patch.endpoint, { id: '1', title: 'stale', version: 4 }));
    expect(controller.get(Frozen, { id: '1' })).toBe(before);
    ignore(controller.fetch(patch.endpoint, { id: '1', title: 'b', version: 6 }));
    expect(controller.get(Frozen, { id: '1' })?.title).toBe('b');
    await patch.fail(new Error('no'));
    expect(controller.get(Frozen, { id: '1' })).toEqual(before);
  });
});

describe('mergeWithStore', () => {
  it('replaces how a record joins what another request left', async () => {
    class Log extends Entity {
      id = '';
      lines: string[] = [];
      static override key = 'Log';
      static override mergeWithStore(
        _existingMeta: EntityMeta,
        _incomingMeta: EntityMeta,
        existing: Fields,
        incoming: Fields,
      ): Fields {
        return { ...incoming, lines: [existing['lines'], incoming['lines']].flat() };
      }
    }
    const { controller } = openWorld();
    controller.set(Log, { id: '1' }, { lines: ['a'] });
    controller.set(Log, { id: '1' }, { lines: ['b'] });
    expect(controller.get(Log, { id: '1' })?.lines).toEqual(['a', 'b']);
  });
});

describe('merge', () => {
  it('may take away what the stored record has', () => {
    class Sparse extends Entity {
      id = '';
      title = 'none';
      static override key = 'Sparse';
      static override merge(_: object, incoming: object): Record<string, unknown> {
        return { ...incoming };
      }
    }
    const { controller } = openWorld();
    controller.set(Sparse, { id: '1' }, { title: 'a' });
    controller.set(Sparse, { id: '1' }, {});
    expect(controller.get(Sparse, { id: '1' })?.title).toBe('none');
  });
});

describe('a class that changes the arguments of merge', () => {
  class Sloppy extends Entity {
    id = '';
    title = '';
    static override key = 'Sloppy';
    static override merge(existing: Fields, incoming: Fields): Record<string, unknown> {
      return Object.assign(existing, incoming, { merged: true });
    }
  }

  it('changes nothing that is stored or read: the record is joined as it says', async () => {
    const { controller } = openWorld();
    const edit = mutation('edit', Sloppy, () => ({ id: '1', title: 'optimistic' }));
    controller.set(Sloppy, { id: '1' }, { title: 'a' });
    const before = controller.get(Sloppy, { id: '1' });
    controller.set(Sloppy, { id: '1' }, { title: 'b' });
    expect(controller.get(Sloppy, { id: '1' })).toMatchObject({ title: 'b', merged: true });
    const current = controller.get(Sloppy, { id: '1' });
    ignore(controller.fetch(edit.endpoint, {}));
    expect(controller.get(Sloppy, { id: '1' })?.title).toBe('optimistic');
    await edit.fail(new Error('no'));
    expect(controller.get(Sloppy, { id: '1' })).toEqual(current);
    expect(before).toEqual(Sloppy.fromJS({ id: '1', title: 'a' }));
  });
});

describe('validate', () => {
  it('accepts where it gives no text, as a condition in JavaScript may', async () => {
    class Loose extends Entity {
      id = '';
      static override key = 'Loose';
      static override validate(value: Fields): string | undefined {
        return ((value['id'] === 'bad' && 'it is bad') || value['gives']) as string | undefined;
      }
    }
    const { controller } = openWorld();
    const get = manual('getLoose', [Loose]);
    const request = controller.fetch(get.endpoint);
    await get.respond([
      { id: '1', gives: null },
      { id: '2', gives: false },
      { id: '3', gives: '' },
    ]);
    expect((await request).map(({ id }) => id)).toEqual(['1', '2', '3']);
    const bad = controller.fetch(get.endpoint);
    await get.respond([{ id: 'bad' }]);
    await expect(bad).rejects.toMatchObject({ code: 'validation-failed' });
  });
});

describe('createIfValid', () => {
  class Person extends Entity {
    id = '';
    name = '';
    born: Date | undefined = undefined;
    boss: Person | undefined = undefined;
    hidden = false;
    static override key = 'Person';
    static override schema: Record<string, unknown> = { born: Date };
    static override createIfValid<T extends Entity>(
      this: new () => T,
      fields: Fields,
    ): T | undefined {
      return fields['hidden'] === true
        ? undefined
        : Object.assign(new this(), fields, { name: String(fields['name']).trim() });
    }
  }
  Person.schema = { born: Date, boss: Person };

  it('makes what readers get, with deserialized values and relations set afterwards', () => {
    const controller = new Controller();
    controller.set(
      Person,
      { id: '1' },
      {
        name: ' Ada ',
        born: '1815-12-10',
        boss: { id: '2', name: 'Charles', hidden: true },
      },
    );
    const ada = controller.get(Person, { id: '1' });
    expect(ada).toBeInstanceOf(Person);
    expect(ada).toMatchObject({ name: 'Ada', born: new Date('1815-12-10') });
    // The boss counts as missing, so the field has its default and not the stored key.
    expect(ada?.boss).toBeUndefined();
    expect(controller.get(Person, { id: '2' })).toBeUndefined();
    controller.set(Person, { id: '2' }, { hidden: false });
    expect(controller.get(Person, { id: '1' })?.boss).toBe(controller.get(Person, { id: '2' }));
  });

  it('decides alone what counts as missing, whatever validate says of it', () => {
    class Stored extends Entity {
      id = '';
      static override key = 'LifecycleStored';
    }
    class Lenient extends Stored {
      static override validate(): string {
        return 'never';
      }
      static override createIfValid<T extends Entity>(
        this: new () => T,
        fields: Readonly<Record<string, unknown>>,
      ): T {
        return Object.assign(new this(), fields);
      }
    }
    const { controller } = openWorld();
    controller.set(Stored, { id: '1' }, {});
    expect(controller.get(Lenient, { id: '1' })).toBeInstanceOf(Lenient);
  });

  it('decides about relations that the stored record lacks', () => {
    const nobody = Person.fromJS({ name: 'nobody' });
    class Employee extends Entity {
      id = '';
      boss: Person | undefined = undefined;
      static override key = 'LifecycleEmployee';
      static override schema = { boss: Person };
      static override createIfValid<T extends Entity>(
        this: new () => T,
        fields: Fields,
      ): T | undefined {
        return Object.assign(new this(), { boss: nobody }, fields);
      }
    }
    const controller = new Controller();
    controller.set(Employee, { id: '1' }, {});
    expect(controller.get(Employee, { id: '1' })?.boss).toBe(nobody);
  });

  it('by default asks validate, then fromJS, whichever of them is overridden', () => {
    class Money extends Entity {
      id = '';
      amount = 0;
      currency = '';
      static override key = 'Money';
      static override fromJS<T extends Entity>(
        this: new () => T,
        fields: Partial<Omit<T, 'pk'>> = {},
      ): T {
        return Object.assign(new this(), { currency: 'EUR' }, fields);
      }
    }
    const controller = new Controller();
    controller.set(Money, { id: '1' }, { amount: 5 });
    expect(controller.get(Money, { id: '1' })).toMatchObject({ amount: 5, currency: 'EUR' });
  });
});

describe('defaults', () => {
  class Setting extends Entity {
    id = '';
    theme = 'light';
    size = 1;
    static override key = 'Setting';
  }

  it('are what the field initializers give', () => {
    expect(Setting.defaults).toEqual({ id: '', theme: 'light', size: 1 });
    expect(Setting.defaults).toBe(Setting.defaults);
  });

  it('that a class sets fill in what a record lacks, in fromJS too', () => {
    class Dark extends Setting {
      static override key = 'Dark';
      static override defaults = { theme: 'dark' };
    }
    const controller = new Controller();
    controller.set(Dark, { id: '1' }, { size: 2 });
    expect(controller.get(Dark, { id: '1' })).toMatchObject({ theme: 'dark', size: 2 });
    expect(Dark.fromJS({ id: '2' })).toMatchObject({ id: '2', theme: 'dark', size: 1 });
  });
});
