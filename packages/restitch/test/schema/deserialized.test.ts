import { Collection, Entity, Query, Values } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, ignore, Item, listen, manual, mutation, openWorld } from '../support/world.js';

/** A value that is not idempotent to make: made twice, it is another. */
const fromCents = (cents: number): number => cents / 100;

class Point {
  readonly x: number;
  constructor({ x }: { x: number }) {
    this.x = x;
  }
}

class Sale extends Entity {
  id = '';
  note = '';
  price = 0;
  at = new Date(0);
  place: Point | undefined = undefined;
  steps: Date[] = [];
  named: Record<string, Date> = {};
  details: { from: Date; item: Item } | undefined = undefined;
  static override key = 'Sale';
  static override schema = {
    price: fromCents,
    at: Date,
    place: Point,
    steps: [Date],
    named: new Values(Date),
    details: { from: Date, item: Item },
  };
}

const sale = {
  id: '1',
  price: 250,
  at: '2026-01-01T00:00:00.000Z',
  place: { x: 1 },
  steps: ['2026-01-02', '2026-01-03'],
  named: { a: '2026-01-04' },
  details: { from: '2026-01-05', item: { id: 'i' } },
};

function openSale() {
  const world = openWorld();
  world.controller.set(Sale, {}, sale);
  const read = () => {
    const current = world.controller.get(Sale, { id: '1' });
    if (!current) throw new Error('no sale');
    return current;
  };
  return { ...world, read };
}

describe('a deserialized value', () => {
  it('is made by a function, a constructor, and inside arrays, maps and objects', () => {
    const { read } = openSale();
    expect(read()).toMatchObject({
      price: 2.5,
      at: new Date('2026-01-01'),
      place: new Point({ x: 1 }),
      steps: [new Date('2026-01-02'), new Date('2026-01-03')],
      named: { a: new Date('2026-01-04') },
      details: { from: new Date('2026-01-05'), item: { id: 'i' } },
    });
  });

  it('is made of a list as a whole, and where it is nothing', () => {
    const calls: unknown[] = [];
    class Tagged extends Entity {
      id = '';
      note = '';
      tags = new Set<string>();
      box: unknown = 'default';
      gone: unknown = 'default';
      static override key = 'Tagged';
      static override schema = {
        tags: (raw: string[]): Set<string> => new Set(raw),
        box: (raw: { n: number }): number => raw.n,
        gone: (raw: unknown): undefined => void calls.push(raw),
      };
    }
    const { controller } = openWorld();
    controller.set(Tagged, {}, { id: '1', tags: ['x', 'y'], box: { n: 4 }, gone: 'raw' } as object);
    const before = controller.get(Tagged, { id: '1' });
    expect(before).toMatchObject({ tags: new Set(['x', 'y']), box: 4, gone: undefined });
    const given = new Set(['z']);
    controller.set(Tagged, { id: '1' }, { tags: given });
    expect(controller.get(Tagged, { id: '1' })).toMatchObject({ box: 4, tags: given });
    controller.set(Tagged, { id: '1' }, { tags: ['z', 'z'] } as object);
    expect(controller.get(Tagged, { id: '1' })?.tags).toEqual(new Set(['z']));
    expect(calls).toContain('raw');
  });

  it('is the identical object until its own raw value changes, wherever it is held', () => {
    const { controller, read } = openSale();
    const before = read();
    controller.set(
      Sale,
      { id: '1' },
      {
        note: 'changed',
        steps: ['2026-01-02', '2026-02-03'],
        named: { a: '2026-01-04', b: '2026-01-06' },
        details: { from: '2026-01-05', item: 'j' },
      },
    );
    controller.set(Item, { id: 'j' }, { name: 'other' });
    const after = read();
    expect(after).not.toBe(before);
    expect(after.at).toBe(before.at);
    expect(after.place).toBe(before.place);
    expect(after.steps[0]).toBe(before.steps[0]);
    expect(after.steps[1]).toEqual(new Date('2026-02-03'));
    expect(after.named['a']).toBe(before.named['a']);
    expect(after.details?.from).toBe(before.details?.from);
    expect(after.details?.item.name).toBe('other');
  });

  it('is the default of its class where a record lacks the field', () => {
    class Meeting extends Entity {
      id = '';
      at: Date | string = 'not planned';
      static override key = 'DeserializedMeeting';
      static override schema = { at: Date };
    }
    const { controller } = openWorld();
    controller.set(Meeting, { id: '1' }, {});
    expect(controller.get(Meeting, { id: '1' })?.at).toBe('not planned');
    controller.set(Meeting, { id: '1' }, { at: '2026-01-01T00:00:00.000Z' });
    expect(controller.get(Meeting, { id: '1' })?.at).toEqual(new Date('2026-01-01T00:00:00.000Z'));
  });

  it('stands in the place of a missing value, and next to values that are left out', () => {
    const { controller, read } = openSale();
    controller.set(Sale, { id: '1' }, { details: null, steps: null } as object);
    expect(read()).toMatchObject({ details: null, steps: null });
    const steps = [undefined, '2026-01-02', '2026-01-03'];
    controller.set(Sale, { id: '1' }, { details: { from: '2026-01-05' }, steps } as object);
    expect(read().details?.from).toEqual(new Date('2026-01-05'));
    expect(read().steps).toEqual([new Date('2026-01-02'), new Date('2026-01-03')]);
    controller.set(Sale, { id: '1' }, { steps: ['2026-01-01', '2026-01-02'] } as object);
    expect(read().steps).toEqual([new Date('2026-01-01'), new Date('2026-01-02')]);
  });

  it('may be what a query runs on', () => {
    class Dated extends Entity {
      id = '';
      note = '';
      year = 0;
      static override key = 'DeserializedYear';
      static override schema = { year: new Query(Date, (at) => at.getUTCFullYear()) };
    }
    const { controller } = openWorld();
    controller.set(Dated, {}, { id: '1', year: '2026-05-05' } as object);
    expect(controller.get(Dated, { id: '1' })?.year).toBe(2026);
    controller.set(Dated, { id: '1' }, { note: 'changed' });
    expect(controller.get(Dated, { id: '1' })).toMatchObject({ note: 'changed', year: 2026 });
  });

  it('is so in the response of an endpoint too, next to a list as well', async () => {
    const { controller } = openWorld();
    const schema = { items: new Collection([Item]), asOf: Date, spot: Point };
    const get = manual('getItems', schema);
    const view = controller.observe(get.endpoint);
    listen(view);
    const response = { items: [{ id: '1' }], asOf: '2026-01-01', spot: { x: 2 } };
    ignore(controller.fetch(get.endpoint));
    await get.respond(response);
    const before = dataOf(view);
    expect(before?.asOf).toEqual(new Date('2026-01-01'));
    controller.set(Item, { id: '1' }, { name: 'changed' });
    const after = dataOf(view);
    expect(after).not.toBe(before);
    expect(after?.asOf).toBe(before?.asOf);
    expect(after?.spot).toBe(before?.spot);
    ignore(controller.fetch(get.endpoint));
    await get.respond({ ...response, items: [{ id: '1', name: 'again' }], spot: { x: 2 } });
    expect(dataOf(view)?.asOf).toBe(before?.asOf);
  });
});

describe('a record that was read and is handed back', () => {
  it('by set is stored raw: nothing is deserialized twice', () => {
    const { controller, read } = openSale();
    const before = read();
    controller.set(Sale, { id: '1' }, before);
    expect(read()).toBe(before);
    controller.set(Sale, { id: '1' }, { ...before, note: 'copied' });
    expect(read()).toMatchObject({ note: 'copied', price: 2.5 });
    expect(read().at).toBe(before.at);
    // An instance that is no longer shown is still known to hold read values.
    controller.set(Sale, { id: '1' }, before);
    expect(read()).toMatchObject({ note: '', price: 2.5, at: before.at });
  });

  it('may hold one field that was read, among raw ones', () => {
    const { controller, read } = openSale();
    const { at } = read();
    controller.set(Sale, { id: '1' }, { at, price: 300 });
    expect(read().price).toBe(3);
    expect(read().at).toBe(at);
  });

  it('by a copy is stored raw; a number that is given by itself is meant as it is stored', () => {
    const { controller, read } = openSale();
    controller.set(Sale, { id: '1' }, { ...read(), note: 'copied' });
    expect(read().price).toBe(2.5);
    controller.set(Sale, { id: '1' }, { price: 2.5 });
    expect(read().price).toBe(0.025);
  });

  it('with one of its objects stays data that JSON can carry', () => {
    class Money {
      readonly text: string;
      constructor(cents: number) {
        this.text = `${cents / 100} €`;
      }
    }
    class Fee extends Entity {
      id = '';
      name = '';
      amount = new Money(0);
      static override key = 'Fee';
      static override schema = { amount: Money };
    }
    const { controller } = openWorld();
    controller.set(Fee, { id: '1' }, { amount: 250, name: 'first' });
    const amount = controller.get(Fee, { id: '1' })?.amount;
    controller.set(Fee, { id: '1' }, { amount });
    expect(controller.get(Fee, { id: '1' })?.amount).toBe(amount);
    expect(getState(controller).entities['Fee']?.[0]?.fields).toMatchObject({ amount: 250 });
  });

  it('to another store is stored raw there', () => {
    const { read } = openSale();
    const other = openWorld().controller;
    other.set(Sale, { id: '1' }, read());
    expect(other.get(Sale, { id: '1' })).toEqual(read());
  });

  it('does not turn the defaults of its class into data', () => {
    const { controller } = openWorld();
    controller.set(Sale, { id: '2' }, { note: 'bare' });
    const current = controller.get(Sale, { id: '2' });
    controller.set(Sale, { id: '2' }, { ...current, note: 'copied' });
    const [row] = getState(controller).entities['Sale'] ?? [];
    expect(row?.fields).toMatchObject({ id: '2', note: 'copied' });
    expect(row?.fields).not.toHaveProperty('price');
    expect(row?.fields).not.toHaveProperty('at');
  });

  it('by an optimistic update of a snapshot keeps its values, also when it runs again', async () => {
    const { controller, read } = openSale();
    const get = manual('get', Sale);
    const older = controller.fetch(get.endpoint, { id: '1' });
    const patch = mutation('patch', Sale, (snapshot, { note }: { note: string }) => {
      const current = snapshot.get(Sale, { id: '1' });
      return { ...current, note };
    });
    ignore(controller.fetch(patch.endpoint, { note: 'optimistic' }));
    expect(read()).toMatchObject({ note: 'optimistic', price: 2.5 });
    await get.respond({ ...sale, price: 400 });
    await older;
    expect(read()).toMatchObject({ note: 'optimistic', price: 4 });
    await patch.respond({ id: '1', note: 'confirmed', price: 500 });
    expect(read()).toMatchObject({ note: 'confirmed', price: 5 });
  });

  it('by an updater function keeps raw values raw', () => {
    const { controller, read } = openSale();
    controller.set(Sale, { id: '1' }, (current) => ({ ...current, note: 'mine' }));
    expect(read()).toMatchObject({ note: 'mine', price: 2.5, at: new Date('2026-01-01') });
  });

  it('inside a response that is set is stored raw too', () => {
    const { controller, read } = openSale();
    const before = read();
    const list = manual('getSales', [Sale]);
    controller.setResponse(list.endpoint, [before, { ...sale, id: '2' }]);
    expect(read()).toBe(before);
    expect(controller.getResponse(list.endpoint)?.map(({ price }) => price)).toEqual([2.5, 2.5]);
  });
});
