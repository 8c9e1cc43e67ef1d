/** Records that contain one another, and chains of them: what changes with what, and what stays. */
import { All, Collection, Entity, Invalidate, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, listen, openWorld } from '../support/world.js';

class Place extends Entity {
  id = '';
  name = '';
  next: Place | undefined = undefined;
  others: readonly Place[] = [];
  near: { list: readonly Place[]; note: string } = { list: [], note: '' };
  static override key = 'CirclesPlace';
  static override schema: Record<string, unknown> = {};
}
Place.schema = {
  next: Place,
  others: [Place],
  near: { list: new Collection([Place]), note: '' },
};

/** A view of places by their names, from what each says of its neighbors. */
function open(places: Record<string, object>) {
  const { controller } = openWorld();
  for (const [id, fields] of Object.entries(places)) controller.set(Place, { id }, fields);
  const ids = Object.keys(places);
  const view = controller.observeQuery([Place], ids);
  const notified = listen(view);
  const read = (): Record<string, Place | undefined> =>
    Object.fromEntries((dataOf(view) ?? []).map((place) => [place.id, place]));
  /** The names of those that are other objects after a change than before. */
  const changedBy = (change: () => void): string[] => {
    const before = read();
    change();
    const after = read();
    return ids.filter((id) => before[id] !== after[id]);
  };
  const set = (id: string, fields: object) => () => controller.set(Place, { id }, fields);
  return { controller, view, notified, read, changedBy, set };
}

describe('records in a circle', () => {
  it('change together, and so do records that lead to them, but not those that they lead to', () => {
    const { read, changedBy, set, notified } = open({
      start: { next: 'a' },
      a: { next: 'b' },
      b: { next: 'c' },
      c: { next: 'a', others: ['end'] },
      end: { name: 'end' },
      apart: {},
    });
    const kept = read()['c']?.others;
    expect(changedBy(set('b', { name: 'changed' }))).toEqual(['start', 'a', 'b', 'c']);
    expect(notified.count).toBe(1);
    expect(read()['c']?.others).toBe(kept);
    const { a, b, c, start, end } = read();
    expect([start?.next, a?.next, b?.next, c?.next]).toEqual([a, b, c, a]);
    expect(start?.next).toBe(a);
    expect(c?.next).toBe(a);
    expect(c?.others[0]).toBe(end);
    expect(b?.name).toBe('changed');
    expect(changedBy(set('end', { name: 'new' }))).toEqual(['start', 'a', 'b', 'c', 'end']);
    expect(changedBy(set('start', { name: 'new' }))).toEqual(['start']);
  });

  it('that one leads to another change apart from it', () => {
    const { read, changedBy, set } = open({
      a: { next: 'b' },
      b: { next: 'a', others: ['c'] },
      c: { next: 'd', others: ['b'] },
      d: { next: 'e' },
      e: { next: 'd' },
    });
    expect(changedBy(set('a', { name: 'changed' }))).toEqual(['a', 'b', 'c']);
    expect(changedBy(set('e', { name: 'changed' }))).toEqual(['a', 'b', 'c', 'd', 'e']);
    const { a, b, c, d } = read();
    expect([a?.next, b?.others[0], c?.others[0], c?.next]).toEqual([b, c, b, d]);
    expect(c?.others[0]).toBe(b);
    expect(c?.next).toBe(d);
  });

  it('may be one alone that contains itself', () => {
    const { read, changedBy, set } = open({
      a: { next: 'a', others: ['a', 'a'], near: { list: ['a'], note: 'x' } },
      b: { others: ['a'] },
    });
    const before = read()['a'];
    expect(before?.next).toBe(before);
    expect(changedBy(set('a', { name: 'changed' }))).toEqual(['a', 'b']);
    const { a, b } = read();
    expect(a).not.toBe(before);
    expect([a?.next, ...(a?.others ?? []), ...(a?.near.list ?? []), b?.others[0]]).toEqual(
      Array(5).fill(a),
    );
    expect(a?.near.list[0]).toBe(a);
    expect(b?.others[0]).toBe(a);
  });

  it('are what they were where a change comes to nothing', () => {
    const { controller, changedBy, notified } = open({
      a: { next: 'b', others: ['gone'], near: { list: ['b', 'gone'], note: 'x' } },
      b: { next: 'a', others: ['a'] },
      gone: {},
    });
    controller.set(new Invalidate(Place), {}, 'gone');
    notified.count = 0;
    const nothing = (): void => {
      controller.batch(() => {
        controller.set(Place, { id: 'a' }, { name: 'changed', others: ['b'] });
        controller.set(Place, { id: 'a' }, { name: '', others: ['gone'] });
      });
      controller.set(Place, { id: 'a' }, { others: ['never'], near: { list: ['b'], note: 'x' } });
    };
    expect(changedBy(nothing)).toEqual([]);
    expect(notified.count).toBe(0);
  });

  it('change with page fields of their list, and with its members', () => {
    const { controller, read, changedBy, set } = open({
      a: { near: { list: ['b'], note: 'one' } },
      b: { next: 'a' },
      c: {},
    });
    const near = (note: string, list: readonly string[]) => ({ near: { list, note } });
    expect(changedBy(set('a', near('two', ['b'])))).toEqual(['a', 'b']);
    expect(read()['b']?.next?.near.note).toBe('two');
    expect(changedBy(set('a', near('two', ['b'])))).toEqual([]);
    expect(changedBy(set('a', near('two', ['b', 'c'])))).toEqual(['a', 'b']);
    expect(read()['b']?.next?.near.list.map(({ id }) => id)).toEqual(['b', 'c']);
    controller.set(new Invalidate(Place), {}, 'c');
    expect(read()['b']?.next?.near.list.map(({ id }) => id)).toEqual(['b']);
  });

  it('fall apart and come together again', () => {
    const { read, changedBy, set } = open({ a: { next: 'b' }, b: { next: 'a' }, c: {} });
    expect(changedBy(set('b', { next: 'c' }))).toEqual(['a', 'b']);
    expect(changedBy(set('a', { name: 'new' }))).toEqual(['a']);
    expect(changedBy(set('c', { next: 'a' }))).toEqual(['a', 'b', 'c']);
    const { a, b, c } = read();
    expect([a?.next, b?.next, c?.next]).toEqual([b, c, a]);
    expect(changedBy(set('a', { next: undefined }))).toEqual(['a', 'b', 'c']);
    expect(changedBy(set('b', { name: 'new' }))).toEqual(['b']);
  });
});

describe('a list in a circle with its members', () => {
  interface Member {
    readonly owner: Record<string, unknown>;
  }
  const nestKey = ({ id }: { id: string }) => ({ ownerId: id });

  it.each(['a list', 'a list in an object', 'a map', 'all rows'])(
    'is one object, although it is read first: %s',
    (kind) => {
      class Todo extends Entity {
        id = '';
        owner: object | undefined = undefined;
        static override key = 'CirclesTodo';
        static override schema: Record<string, unknown> = {};
      }
      const list =
        kind === 'a map'
          ? new Collection(new Values(Todo), { name: 'circles', nestKey })
          : kind === 'all rows'
            ? new All(Todo)
            : new Collection([Todo], { name: 'circles', nestKey });
      const isInside = kind === 'a list in an object';
      class Owner extends Entity {
        id = '';
        name = '';
        static override key = 'CirclesOwner';
        static override schema = isInside ? { inside: { todos: list } } : { todos: list };
      }
      Todo.schema = { owner: Owner };
      const { controller, reports } = openWorld();
      const view = controller.observeQuery(list as Collection<(typeof Todo)[]>, { ownerId: '1' });
      const notified = listen(view);
      for (const ids of [['a'], ['a', 'b'], ['b']]) {
        notified.count = 0;
        const rows = ids.map((id) => ({ id, owner: '1' }));
        const todos =
          kind === 'a map' ? Object.fromEntries(ids.map((id, n) => [id, rows[n]])) : rows;
        const name = `with ${ids.join()}`;
        controller.set(
          Owner,
          { id: '1' },
          { name, ...(isInside ? { inside: { todos } } : { todos }) },
        );
        const data: object = dataOf(view) ?? {};
        const members = Object.values(data) as Member[];
        expect(members).toHaveLength(kind === 'all rows' && name === 'with b' ? 2 : ids.length);
        for (const { owner } of members) {
          const { todos: inOwner } = (isInside ? owner['inside'] : owner) as typeof owner;
          expect(owner['name']).toBe(name);
          expect(inOwner).toBe(data);
        }
        expect(Object.isFrozen(data)).toBe(true);
        expect(notified.count).toBe(1);
      }
      expect(reports).toEqual([]);
    },
  );
});

describe('records in a circle of which one cannot be built', () => {
  it('notify each of their readers once per change', () => {
    let isBroken = true;
    class Ring extends Entity {
      id = '';
      next: Ring | undefined = undefined;
      end: Fragile | undefined = undefined;
      static override key = 'CirclesRing';
      static override schema: Record<string, unknown> = {};
    }
    class Fragile extends Entity {
      id = '';
      name = (() => {
        if (isBroken) throw new Error('not now');
        return '';
      })();
      static override key = 'CirclesBroken';
    }
    Ring.schema = { next: Ring, end: Fragile };
    const { controller, reports } = openWorld();
    const views = ['a', 'b'].map((id) => controller.observeQuery(Ring, { id }));
    const notified = [0, 0];
    views.forEach((view, at) =>
      view.subscribe(() => {
        notified[at] = (notified[at] ?? 0) + 1;
        // Breaks an endless round.
        isBroken &&= (notified[at] ?? 0) < 50;
        for (const other of views) {
          try {
            other.getSnapshot();
          } catch {
            // Its own listener sees the error too.
          }
        }
      }),
    );
    const rows = (end: object) => [
      { id: 'a', next: 'b' },
      { id: 'b', next: 'a', end },
    ];
    controller.set([Ring], {}, rows({ id: 'f' }));
    expect(notified).toEqual([1, 1]);
    controller.set([Ring], {}, rows({ id: 'g' }));
    expect(notified).toEqual([2, 2]);
    expect(reports).toHaveLength(4);
    isBroken = false;
    controller.set([Ring], {}, rows({ id: 'h' }));
    expect(notified).toEqual([3, 3]);
    expect(views.map((view) => dataOf(view)?.next?.next?.id)).toEqual(['a', 'b']);
  });
});

describe('records that are linked deeper than the call stack', () => {
  const LENGTH = 1_000;
  const id = (n: number): string => `p${(n + LENGTH) % LENGTH}`;
  const ring = (links: (n: number) => object): Record<string, object> =>
    Object.fromEntries(Array.from({ length: LENGTH }, (_, n) => [id(n), links(n)]));
  const isLinked = (places: Record<string, Place | undefined>): boolean =>
    Object.keys(places).every((key, n) => {
      const { next, others = [] } = places[key] ?? {};
      return next === places[id(n + 1)] && others.every((one) => one === places[id(n - 1)]);
    });

  it.each([
    ['a ring', (n: number) => ({ next: id(n + 1) })],
    ['a ring in both directions', (n: number) => ({ next: id(n + 1), others: [id(n - 1)] })],
  ])('in %s are one object each, before and after a change', (_, links) => {
    const { read, changedBy, set, notified } = open(ring(links));
    expect(isLinked(read())).toBe(true);
    for (const n of [0, 250, LENGTH - 1]) {
      notified.count = 0;
      expect(changedBy(set(id(n), { name: `changed ${n}` }))).toHaveLength(LENGTH);
      expect(isLinked(read())).toBe(true);
      expect(read()[id(n)]?.name).toBe(`changed ${n}`);
      expect(notified.count).toBe(1);
      expect(changedBy(set(id(n), { name: `changed ${n}` }))).toEqual([]);
    }
  });
});

describe('a long chain of records', () => {
  const LENGTH = 30;
  const chain = (end: object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length: LENGTH }, (_, n) => [
        `p${n}`,
        n + 1 < LENGTH ? { next: `p${n + 1}`, others: n === 3 ? ['aside'] : [] } : end,
      ]),
    );

  it('changes from where something changed up to its start', () => {
    const { changedBy, set } = open({ ...chain({}), aside: {} });
    const upTo = (last: number): string[] => Array.from({ length: last + 1 }, (_, n) => `p${n}`);
    expect(changedBy(set('p29', { name: 'changed' }))).toEqual(upTo(29));
    expect(changedBy(set('p20', { name: 'changed' }))).toEqual(upTo(20));
    expect(changedBy(set('aside', { name: 'changed' }))).toEqual([...upTo(3), 'aside']);
    expect(changedBy(set('p29', { next: 'p25' }))).toEqual(upTo(29));
    expect(changedBy(set('p27', { name: 'changed' }))).toEqual(upTo(29));
    expect(changedBy(set('p24', { name: 'changed' }))).toEqual(upTo(24));
  });

  it('is read again once a record in it can be built that could not', () => {
    let isBroken = false;
    class Fragile extends Place {
      static override key = 'CirclesFragile';
      end = (() => {
        if (isBroken) throw new Error('not now');
        return 'built';
      })();
    }
    class Link extends Entity {
      id = '';
      next: Link | undefined = undefined;
      end: Fragile | undefined = undefined;
      static override key = 'CirclesLink';
      static override schema: Record<string, unknown> = {};
    }
    Link.schema = { next: Link, end: Fragile };
    const { controller } = openWorld();
    for (let n = 0; n < LENGTH; n += 1) {
      const id = `l${n}`;
      controller.set(
        Link,
        { id },
        n + 1 < LENGTH ? { next: `l${n + 1}` } : { end: 'f', next: 'l20' },
      );
    }
    controller.set([Fragile], {}, [{ id: 'f', name: 'a' }]);
    const view = controller.observeQuery(Link, { id: 'l0' });
    const notified = listen(view);
    const endOf = (): Fragile | undefined => {
      let link = dataOf(view);
      while (link && !link.end) link = link.next;
      return link?.end;
    };
    expect(endOf()?.name).toBe('a');
    isBroken = true;
    for (const name of ['b', 'c']) {
      controller.set(Fragile, { id: 'f' }, { name });
      expect(endOf).toThrow('not now');
      expect(endOf).toThrow('not now');
    }
    expect(notified.count).toBe(2);
    isBroken = false;
    for (const name of ['d', 'e']) {
      controller.set(Fragile, { id: 'f' }, { name });
      expect(endOf()).toMatchObject({ name, end: 'built' });
    }
    expect(notified.count).toBe(4);
  });
});
