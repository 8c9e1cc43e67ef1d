import { Collection, Controller, Endpoint, Entity, Invalidate, Lazy, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Issue, User } from './entities.js';

const issues = new Collection([Issue]);

/** An endpoint that responds with the value that the test sets, and a controller. */
function openWorld(count: number) {
  const controller = new Controller();
  const make = (): object[] =>
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: `Issue ${index + 1}`,
      status: 'open',
      author: { id: 'a', name: 'Ann' },
      openedAt: '2026-01-01T00:00:00.000Z',
      tags: ['x', { deep: true }],
    }));
  let response: unknown = make();
  const getIssues = new Endpoint(async (): Promise<unknown> => response, {
    name: 'getIssues',
    schema: issues,
  });
  const getIssue = new Endpoint(async ({ id }: { id: string | number }) => ({ id }), {
    name: 'getIssue',
    schema: Issue,
  });
  return {
    controller,
    getIssues,
    getIssue,
    make,
    respond: (value: unknown) => {
      response = value;
    },
  };
}

describe('a record', () => {
  it('is one instance wherever it is read, under text and number ids', async () => {
    const { controller, getIssues } = openWorld(3);
    const list = await controller.fetch(getIssues);
    const [first, second] = list;
    expect(first).toBeInstanceOf(Issue);
    expect(first?.author).toBeInstanceOf(User);
    expect(first?.author).toBe(second?.author);
    expect(first?.author.initial).toBe('A');
    expect(controller.get(Issue, { id: 1 })).toBe(first);
    expect(controller.get(Issue, '1')).toBe(first);
  });

  it('is found by a detail endpoint that was never asked', async () => {
    const { controller, getIssues, getIssue } = openWorld(2);
    const [first] = await controller.fetch(getIssues);
    const view = controller.observe(getIssue, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    expect(controller.getResponse(getIssue, { id: '1' })).toBe(first);
    expect(view.needsLoad()).toBe(false);
  });

  it('in a circle through objects, lists and maps keeps its identity, when its content is the same', () => {
    class Part extends Entity {
      id = '';
      name = '';
      inside: { readonly whole?: Part | undefined } = {};
      parts: readonly { readonly part: Part | undefined }[] = [];
      byName: Readonly<Record<string, Part>> = {};
      keys: unknown = undefined;
      static override key = 'Part';
      static override schema: Record<string, unknown> = {};
    }
    Part.schema = {
      inside: { whole: Part },
      parts: [{ part: Part }],
      byName: new Values(Part),
      keys: new Lazy(new Collection([Part])),
    };
    const controller = new Controller();
    controller.set(Part, { id: '1' }, {
      inside: { whole: '1' },
      parts: [{ part: '1' }, { part: 'missing' }],
      byName: { self: '1' },
      keys: ['1'],
    } as object);
    const view = controller.observeQuery(Part, { id: '1' });
    let notified = 0;
    view.subscribe(() => (notified += 1));
    const before = view.getSnapshot();
    controller.batch(() => {
      controller.set(Part, { id: '1' }, { name: 'changed' });
      controller.set(Part, { id: '1' }, { name: '' });
    });
    controller.set(new Invalidate(Part), {}, 'missing');
    expect(controller.get(Part, { id: '1' })?.inside.whole?.byName['self']?.id).toBe('1');
    expect(view.getSnapshot()).toBe(before);
    expect(notified).toBe(0);
  });

  it('changes everywhere at once, and nothing else gets another identity', async () => {
    const { controller, getIssues } = openWorld(3);
    const before = await controller.fetch(getIssues);
    controller.set(Issue, { id: 2 }, { title: 'Renamed' });
    const after = controller.getResponse(getIssues);
    expect(after?.map(({ title }) => title)).toEqual(['Issue 1', 'Renamed', 'Issue 3']);
    expect(after?.[0]).toBe(before[0]);
    expect(after?.[2]).toBe(before[2]);
    expect(after?.[1]).not.toBe(before[1]);
    expect(after?.[1]?.author).toBe(before[1]?.author);
    expect(after?.[1]?.openedAt).toBe(before[1]?.openedAt);
  });

  it('cannot be changed by its readers', async () => {
    const { controller, getIssues } = openWorld(1);
    const [first] = await controller.fetch(getIssues);
    expect(() => Object.assign(first ?? {}, { title: 'Mine' })).toThrow(TypeError);
  });

  it('is frozen down to its plain values, and so are lists and objects of records', async () => {
    const { controller, getIssues, getIssue } = openWorld(2);
    const list = await controller.fetch(getIssues);
    const [first] = list;
    const { tags } = Object(first) as { tags: [string, object] };
    for (const part of [list, first, first?.author, tags, tags[1]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    // It may have an inner state of its own.
    expect(Object.isFrozen(first?.openedAt)).toBe(false);
    const both = getIssue.extend({ schema: { of: [{ issue: Issue }], by: new Values(Issue) } });
    const of = [{ issue: '1' }];
    controller.setResponse(both, { id: 'both' }, { of, by: { one: '1' } });
    const current = controller.getResponse(both, { id: 'both' });
    for (const part of [current, current?.of, current?.of[0], current?.by]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.isFrozen(of)).toBe(false);
  });

  it('leaves the response object as it was', async () => {
    const { controller, getIssues, make, respond } = openWorld(2);
    const response = make();
    respond(response);
    await controller.fetch(getIssues);
    expect(response).toEqual(make());
  });
});

describe('an equal refetch', () => {
  it('gives identical references and notifies no reader', async () => {
    const { controller, getIssues, make, respond } = openWorld(1000);
    await controller.fetch(getIssues);
    const view = controller.observe(getIssues);
    let notified = 0;
    view.subscribe(() => (notified += 1));
    const before = view.getSnapshot();
    const rows = controller.getResponse(getIssues);
    respond(make());
    await controller.fetch(getIssues);
    expect(view.getSnapshot()).toBe(before);
    expect(controller.getResponse(getIssues)).toBe(rows);
    expect(notified).toBe(0);
  });
});

class Thing {
  readonly size: number;
  constructor(size: number) {
    this.size = size;
  }
}
const thing = new Thing(1);
const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields);

describe('a field that holds plain values', () => {
  class Box extends Entity {
    id = '';
    value: unknown = 'default';
    static override key = 'Box';
  }

  function openBox(value: unknown) {
    const controller = new Controller();
    controller.set(Box, { id: '1' }, { value });
    const view = controller.observeQuery(Box, { id: '1' });
    const read = () => controller.get(Box, { id: '1' })?.value;
    let notified = 0;
    view.subscribe(() => (notified += 1));
    read();
    return { controller, read, notified: () => notified };
  }

  it.each<[string, unknown, unknown]>([
    ['a list that got longer', [1], [1, 2]],
    ['a list that got shorter', [1, 2], [1]],
    ['a list with another item', [1, { a: 1 }], [1, { a: 2 }]],
    ['a list of none that becomes an object', [], { length: 0 }],
    ['an object that becomes a list', { 0: 'x', length: 1 }, ['x']],
    ['another name', { a: undefined }, { b: undefined }],
    ['a name more', { a: 1 }, { a: 1, b: undefined }],
    ['a name less', { a: 1, b: 1 }, { a: 1 }],
    ['a value further down', { a: { b: [1] } }, { a: { b: [2] } }],
    ['another time', new Date(0), new Date(1)],
    ['a time that becomes an object', new Date(0), {}],
    ['an object that becomes a time', {}, new Date(0)],
    ['null instead of an object', {}, null],
    ['an object instead of null', null, {}],
    ['a text instead of a list', ['a'], 'a'],
    ['another instance of a class', new Thing(1), new Thing(1)],
    ['an instance instead of its fields', { size: 1 }, thing],
    ['fields instead of an instance', thing, { size: 1 }],
    ['undefined', 'text', undefined],
  ])('changes by %s', (_, before, after) => {
    const { controller, read, notified } = openBox(before);
    controller.set(Box, { id: '1' }, { value: after });
    expect(notified()).toBe(1);
    expect(read()).toStrictEqual(after);
  });

  it.each<[string, unknown, unknown]>([
    ['an equal object in another order', { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }],
    ['the same time', { at: new Date(5) }, { at: new Date(5) }],
    ['no time at all', [new Date(NaN)], [new Date(NaN)]],
    ['what is not a number', { n: NaN }, { n: NaN }],
    ['an object without a prototype', { a: 1 }, bare({ a: 1 })],
    ['the same instance of a class', [thing], [thing]],
    ['undefined once more', undefined, undefined],
  ])('does not change by %s', (_, before, after) => {
    const { controller, read, notified } = openBox(before);
    const current = read();
    controller.set(Box, { id: '1' }, { value: after });
    expect(notified()).toBe(0);
    expect(read()).toBe(current);
  });

  it('reads as undefined where that was written, also into a record that lacked it', () => {
    const controller = new Controller();
    controller.set(Box, { id: '1' }, {});
    expect(controller.get(Box, { id: '1' })?.value).toBe('default');
    controller.set(Box, { id: '1' }, { value: undefined });
    expect(controller.get(Box, { id: '1' })?.value).toBeUndefined();
  });

  it('is the identical object as long as it is equal, whatever else changes', () => {
    class Merging extends Box {
      static override key = 'MergingBox';
      static override merge(existing: object, incoming: object): Record<string, unknown> {
        return { ...existing, ...incoming };
      }
    }
    const controller = new Controller();
    for (const schema of [Box, Merging]) {
      const read = () => controller.get(schema, { id: '1' })?.value;
      controller.set(schema, { id: '1' }, { value: [{ a: 1 }] });
      const before = read();
      controller.set(schema, { id: '1' }, { value: [{ a: 1 }], other: 'changed' });
      expect(read()).toBe(before);
    }
  });

  it('is a copy of the written value, but for instances of classes', () => {
    const value = { list: [{ n: 1 }], none: null, bare: bare({ n: 1 }), thing };
    const { controller, read } = openBox(value);
    expect(read()).toStrictEqual({ list: [{ n: 1 }], none: null, bare: { n: 1 }, thing });
    const current = read();
    Object.assign(value.list[0] ?? {}, { n: 2 });
    Object.assign(value.bare, { n: 2 });
    expect(read()).toBe(current);
    expect(current).toMatchObject({ list: [{ n: 1 }], bare: { n: 1 } });
    expect(read()).toHaveProperty('thing', thing);
    controller.set(Box, { id: '1' }, { value });
    expect(read()).toMatchObject({ list: [{ n: 2 }], bare: { n: 2 } });
  });
});

describe('a thousand readers', () => {
  it('are notified of one changed row exactly once, and only its own', async () => {
    const { controller, getIssues, getIssue } = openWorld(1000);
    await controller.fetch(getIssues);
    const notified: number[] = [];
    for (let id = 1; id <= 1000; id += 1) {
      const view = controller.observe(getIssue, { id });
      view.subscribe(() => notified.push(id));
    }
    controller.set(Issue, { id: 500 }, { title: 'Changed' });
    expect(notified).toEqual([500]);
    controller.set(Issue, { id: 500 }, { title: 'Changed' });
    expect(notified).toEqual([500]);
  });
});

describe('a batch', () => {
  it('notifies once, and lets its own writes be read inside', async () => {
    const { controller, getIssues } = openWorld(2);
    await controller.fetch(getIssues);
    const view = controller.observe(getIssues);
    let notified = 0;
    view.subscribe(() => (notified += 1));
    controller.batch(() => {
      controller.set(Issue, { id: 1 }, { title: 'A' });
      expect(controller.get(Issue, { id: 1 })?.title).toBe('A');
      controller.set(Issue, { id: 2 }, { title: 'B' });
    });
    expect(notified).toBe(1);
  });

  it('that changes something back notifies no reader', async () => {
    const { controller, getIssues } = openWorld(1);
    await controller.fetch(getIssues);
    const view = controller.observe(getIssues);
    let notified = 0;
    view.subscribe(() => (notified += 1));
    const before = view.getSnapshot();
    controller.batch(() => {
      controller.set(Issue, { id: 1 }, { title: 'Other' });
      controller.set(Issue, { id: 1 }, { title: 'Issue 1' });
    });
    expect(notified).toBe(0);
    expect(view.getSnapshot()).toBe(before);
    controller.batch(() => {
      controller.set(Issue, { id: 1 }, { tags: ['other'] });
      controller.set(Issue, { id: 1 }, { tags: ['x', { deep: true }] });
    });
    expect(notified).toBe(0);
    expect(view.getSnapshot()).toBe(before);
  });
});

describe('a listener that throws', () => {
  it('is reported, and the others are notified all the same', async () => {
    const reported: unknown[] = [];
    const controller = new Controller({
      environment: { report: (error) => void reported.push(error) },
    });
    controller.set(User, { id: 'a' }, { name: 'Ann' });
    const view = controller.observeQuery(User, { id: 'a' });
    const mistake = new Error('mine');
    let notified = 0;
    view.subscribe(() => {
      throw mistake;
    });
    view.subscribe(() => (notified += 1));
    controller.set(User, { id: 'a' }, { name: 'Bob' });
    expect(notified).toBe(1);
    expect(reported).toEqual([mistake]);
  });
});

describe('a deleted record', () => {
  it('leaves every list, and the delete resolves to what it was', async () => {
    const { controller, getIssues, getIssue } = openWorld(3);
    const remove = new Endpoint(async (params: { id: number }) => params, {
      name: 'deleteIssue',
      sideEffect: true,
      schema: new Invalidate(Issue),
    });
    const [, second] = await controller.fetch(getIssues);
    const detail = controller.observe(getIssue, { id: 2 });
    expect(detail.getSnapshot().status).toBe('ready');
    await expect(controller.fetch(remove, { id: 2 })).resolves.toBe(second);
    expect(controller.getResponse(getIssues)?.map(({ id }) => id)).toEqual([1, 3]);
    expect(controller.get(Issue, { id: 2 })).toBeUndefined();
    expect(detail.getSnapshot()).toEqual({ status: 'pending', deleted: true });
    await expect(controller.fetch(remove, { id: 77 })).resolves.toBeUndefined();
  });
});

describe('hostile names', () => {
  it('are ordinary data as primary keys and fields', () => {
    const controller = new Controller();
    const fields = JSON.parse(
      '{"id":"__proto__","__proto__":{"polluted":true},"constructor":"c"}',
    ) as object;
    controller.set(User, {}, fields);
    const stored = controller.get(User, { id: '__proto__' });
    expect(stored).toBeInstanceOf(User);
    expect(Object.getOwnPropertyDescriptor(stored, '__proto__')?.value).toEqual({ polluted: true });
    expect(Object.getOwnPropertyDescriptor(stored, 'constructor')?.value).toBe('c');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(controller.get(User, { id: 'toString' })).toBeUndefined();
  });
});
