/** Classes with one `static key`: state is kept while the program has used only some of them. */
import { Controller, Endpoint, Entity, Invalidate, type StoreState } from 'restitch';
import { applyChange, changes, getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';

class Note extends Entity {
  id = '';
  static override key = 'SharedNote';
}

/** The classes and endpoints of one visit. The class `Brief` does not declare `notes`. */
function visit() {
  class Brief extends Entity {
    id = '';
    name = '';
    static override key = 'SharedGuest';
  }
  class Guest extends Brief {
    notes: Note[] = [];
    static override schema = { notes: [Note] } as Record<string, any>;
  }
  class Plain extends Brief {
    notes: string[] = [];
  }
  const read = (name: string, schema: unknown) =>
    new Endpoint(async (_: object): Promise<any> => null, { name, schema });
  const reports: unknown[] = [];
  const controller = new Controller({
    environment: {
      now: () => 1_000,
      report: (error) => reports.push(Reflect.get(error as Error, 'code')),
    },
  });
  return {
    Brief,
    Guest,
    Plain,
    controller,
    reports,
    getGuest: read('getGuest', Guest),
    getGuests: read('getGuests', [Brief]),
    getPlain: read('getPlain', [Plain]),
  };
}

const row = { id: '1', name: 'Ada' };
const whole = { ...row, notes: [{ id: 'n' }] };

/** Begins the next visit with the state of the last one. */
function next(state: StoreState) {
  const begun = visit();
  hydrate(begun.controller, JSON.parse(JSON.stringify(state)));
  return begun;
}

describe('the copy of a store by `applyChange`', () => {
  it.each([
    [
      'a response',
      (c: Controller, { getGuests }: ReturnType<typeof visit>) =>
        c.setResponse(getGuests, {}, [row]),
    ],
    [
      'a response with other records',
      (c: Controller, { getGuests }: ReturnType<typeof visit>) =>
        c.setResponse(getGuests, {}, [{ id: '2', name: 'Bob' }]),
    ],
    [
      'a read before another change',
      (c: Controller, { Brief }: ReturnType<typeof visit>) => {
        c.get(Brief, { id: '1' });
        c.set(Note, { id: 'other' }, {});
      },
    ],
  ])('has the declarations of a class that is added by %s', (_, add) => {
    const first = visit();
    const { controller, getGuest } = first;
    controller.setResponse(getGuest, { id: '0' }, { ...whole, id: '0' });
    let copy = getState(controller);
    changes(controller, (change) => (copy = applyChange(copy, change)));
    controller.setResponse(getGuest, { id: '1' }, whole);
    controller.set(first.Guest, { id: '3' }, { id: '3' });
    add(controller, first);
    expect(copy.entities).toEqual(getState(controller).entities);
    const second = next(copy);
    expect(second.controller.get(second.Brief, { id: '1' })?.name).toBe('Ada');
    expect(second.controller.getResponse(second.getGuest, { id: '1' })).toMatchObject(whole);
    expect(second.reports).toEqual([]);
  });

  it('repeats no row for a class that declares the same, and no deleted row', () => {
    const { controller, getGuest, Guest, getGuests } = visit();
    controller.setResponse(getGuest, { id: '1' }, whole);
    controller.setResponse(getGuest, { id: '2' }, { ...whole, id: '2' });
    controller.setResponse(getGuest, { id: '3' }, { ...whole, id: '3' });
    const remove = new Endpoint(async (_: object) => undefined, {
      name: 'remove',
      schema: new Invalidate(Guest),
      sideEffect: true,
    });
    controller.setResponse(remove, { id: '3' }, { id: '3' });
    const repeated: string[] = [];
    changes(controller, ({ rows }) => repeated.push(...rows.map(({ pk }) => pk)));
    class Same extends Guest {}
    controller.get(Same, { id: '1' });
    controller.set(Note, { id: 'm' }, {});
    expect(repeated).toEqual(['m']);
    controller.setResponse(getGuests, {}, [row]);
    expect(repeated.sort()).toEqual(['1', '2', 'm']);
    controller.setResponse(getGuests, {}, [row]);
    expect(repeated).toHaveLength(3);
  });
});

describe('state that only the class with the relation has written', () => {
  const kept = () => {
    const { controller, getGuest } = visit();
    controller.setResponse(getGuest, { id: '1' }, whole);
    return getState(controller);
  };

  it('is read by a class without the field, then by the class with the relation', () => {
    const { controller, Brief, getGuest, reports } = next(kept());
    expect(controller.get(Brief, { id: '1' })?.name).toBe('Ada');
    const view = controller.observe(getGuest, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: whole });
    expect(view.needsLoad()).toBe(false);
    expect(reports).toEqual([]);
  });

  it('is complete for an endpoint of the class without the field', () => {
    const { controller, Brief } = next(kept());
    const getBrief = new Endpoint(async (_: object): Promise<any> => null, {
      name: 'getBrief',
      schema: Brief,
    });
    expect(controller.observe(getBrief, { id: '1' }).needsLoad()).toBe(false);
  });

  it.each([
    ['`getState`', false],
    ['`applyChange`', true],
  ])(
    'is whole after two visits that did not use the class with the relation, by %s',
    (_, isCopy) => {
      let state = kept();
      for (let count = 0; count < 2; count += 1) {
        const { controller, getGuests, reports } = visit();
        let copy = getState(controller);
        changes(controller, (change) => (copy = applyChange(copy, change)));
        hydrate(controller, JSON.parse(JSON.stringify(state)));
        controller.setResponse(getGuests, {}, [row]);
        expect(reports).toEqual([]);
        state = isCopy ? copy : getState(controller);
        expect(state.entities['SharedGuest']).toMatchObject([
          { fields: { notes: ['n'] }, declared: { notes: ['[SharedNote]'] } },
        ]);
      }
      const last = next(state);
      // This response arrives before the class with the relation is used.
      last.controller.setResponse(last.getGuests, {}, [row]);
      const view = last.controller.observe(last.getGuest, { id: '1' });
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: whole });
      expect(view.needsLoad()).toBe(false);
      expect(last.reports).toEqual([]);
    },
  );

  it('is whole after visits that used both classes, then only the class without the field', () => {
    const first = visit();
    first.controller.setResponse(first.getGuests, {}, [row]);
    first.controller.setResponse(first.getGuest, { id: '1' }, whole);
    const second = next(getState(first.controller));
    second.controller.getResponse(second.getGuests, {});
    const last = next(getState(second.controller));
    expect(last.controller.getResponse(last.getGuest, { id: '1' })).toMatchObject(whole);
    expect(last.reports).toEqual([]);
  });

  it('is whole beside state of another class with other relations', () => {
    const other = visit();
    class Friend extends other.Brief {
      friend: any = undefined;
      static override schema = { friend: Note } as Record<string, any>;
    }
    other.controller.set(Friend, { id: '1' }, { ...row, friend: { id: 'f' } });
    for (const states of [
      [kept(), getState(other.controller)],
      [getState(other.controller), kept()],
    ]) {
      const { controller, Brief, getGuest } = visit();
      controller.get(Brief, { id: '1' });
      for (const state of states) hydrate(controller, JSON.parse(JSON.stringify(state)));
      expect(getState(controller).entities['SharedGuest']).toMatchObject([
        { fields: { notes: ['n'], friend: 'f' } },
      ]);
      expect(controller.getResponse(getGuest, { id: '1' })).toMatchObject(whole);
    }
  });

  it('is fetched again after a visit with a class that declares the field otherwise', () => {
    const between = next(kept());
    between.controller.get(between.Plain, { id: '1' });
    const last = next(getState(between.controller));
    last.controller.setResponse(last.getGuests, {}, [row]);
    expect(last.controller.observe(last.getGuest, { id: '1' }).needsLoad()).toBe(true);
    expect(last.reports).toEqual([]);
  });

  it.each([
    ['before', false],
    ['and restored before', true],
  ])('is fetched again if the record was deleted %s the state arrived', (_, isRestored) => {
    const { controller, Brief, getGuest, getGuests } = visit();
    const remove = new Endpoint(async (_: object) => undefined, {
      name: 'remove',
      schema: new Invalidate(Brief),
      sideEffect: true,
    });
    if (isRestored) hydrate(controller, kept());
    controller.get(Brief, { id: '1' });
    controller.setResponse(remove, { id: '1' }, { id: '1' });
    if (!isRestored) hydrate(controller, kept());
    controller.setResponse(getGuests, {}, [row]);
    const view = controller.observe(getGuest, { id: '1' });
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad()).toBe(true);
  });

  it('is fetched again if the record was evicted, here or in the visit before', async () => {
    for (const isBefore of [true, false]) {
      let state = kept();
      const clock = new Clock();
      clock.now = 1_000;
      let current = visit();
      const evicting = new Controller({ maxEntities: 0, environment: clock.environment });
      hydrate(evicting, JSON.parse(JSON.stringify(state)));
      evicting.get(current.Brief, { id: '1' });
      evicting.set(Note, { id: 'other' }, {});
      await clock.pass(1);
      let { controller } = { controller: evicting };
      if (isBefore) {
        state = getState(evicting);
        current = next(state);
        ({ controller } = current);
      }
      controller.setResponse(current.getGuests, {}, [row]);
      expect(controller.observe(current.getGuest, { id: '1' }).needsLoad()).toBe(true);
    }
  });

  it('is of another class for a class that declares the field as plain', () => {
    const { controller, Brief, Plain, reports } = next(kept());
    controller.get(Brief, { id: '1' });
    expect(reports).toEqual([]);
    controller.get(Plain, { id: '1' });
    expect(reports).toEqual(['other-class']);
  });
});
