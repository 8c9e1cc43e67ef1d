import {
  Collection,
  type Controller,
  CustomSchema,
  Endpoint,
  Entity,
  Invalidate,
  Lazy,
  RestEndpoint,
  type StoreState,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { dataOf, flush, listen, mutation, ignore, openWorld } from '../support/world.js';

class Author extends Entity {
  id = '';
  type = 'author' as const;
  name = '';
  boss: Author | undefined = undefined;
  born: Date | undefined = undefined;
  static override key = 'SharedAuthor';
  static override schema: Record<string, unknown> = {};
}
Author.schema = { boss: Author, born: Date };

/** The whole view of a book: it knows which of its fields are records. */
class Book extends Entity {
  id = '';
  title = '';
  author: Author | undefined = undefined;
  others: Author[] = [];
  reviewer: Author | undefined = undefined;
  readers: Author[] = [];
  static override key = 'Book';
  static override schema = {
    author: Author,
    others: [Author],
    reviewer: new Union({ author: Author }, 'type'),
    readers: new Collection([Author]),
  };
  get by(): string {
    return this.author?.name ?? 'nobody';
  }
}

/** A summary of the same rows, that does not. */
class BookSummary extends Entity {
  id = '';
  title = '';
  author: unknown = undefined;
  others: unknown = undefined;
  static override key = 'Book';
}

describe('two classes of one key', () => {
  it('read one record, each through its own class', () => {
    const { controller } = openWorld();
    controller.set(BookSummary, { id: '1' }, { title: 'Emma' });
    const book = controller.get(Book, { id: '1' });
    const summary = controller.get(BookSummary, { id: '1' });
    expect(book).toBeInstanceOf(Book);
    expect(summary).toBeInstanceOf(BookSummary);
    expect(book?.title).toBe('Emma');
    controller.set(Book, { id: '1' }, { title: 'Changed' });
    expect(controller.get(BookSummary, { id: '1' })?.title).toBe('Changed');
  });

  it('fetch a list that the other stored whole, because creates would not reach it', async () => {
    class Todo extends Entity {
      id = '';
      project = '';
      static override key = 'SharedTodo';
    }
    const todos = new Collection([Todo], {
      name: 'shared todos',
      nestKey: ({ id }: { id: string }) => ({ project: id }),
    });
    class Summary extends Entity {
      id = '';
      static override key = 'SharedProject';
    }
    class Project extends Summary {
      todos: readonly Todo[] = [];
      static override schema = { todos };
    }
    const { controller } = openWorld();
    const create = mutation('createProject', Summary);
    ignore(controller.fetch(create.endpoint));
    await create.respond({ id: 'p', todos: [] });
    const get = new RestEndpoint({
      urlPrefix: 'http://localhost',
      path: '/p/:id',
      schema: Project,
    });
    expect(controller.observe(get, { id: 'p' }).needsLoad()).toBe(true);
    controller.setResponse(get, { id: 'p' }, { id: 'p', todos: [] });
    const push = mutation('createTodo', todos.push);
    ignore(controller.fetch(push.endpoint));
    await push.respond({ id: 't', project: 'p' });
    expect(controller.getResponse(get, { id: 'p' })?.todos.map(({ id }) => id)).toEqual(['t']);
  });

  it('resolve a relation that the other stored whole: as the row where there is one', () => {
    const { controller } = openWorld();
    controller.set(Author, { id: 'a' }, { name: 'Jane' });
    controller.set(
      BookSummary,
      { id: '1' },
      {
        author: { id: 'a', name: 'stale copy' },
        others: [{ id: 'a' }, 'b'],
        reviewer: { type: 'author', id: 'a' },
        readers: [{ id: 'a' }],
      },
    );
    const view = controller.observeQuery(Book, { id: '1' });
    const notified = listen(view);
    const jane = controller.get(Author, { id: 'a' });
    expect(dataOf(view)?.author).toBe(jane);
    expect(dataOf(view)?.others).toEqual([jane]);
    expect(dataOf(view)?.reviewer).toBe(jane);
    expect(dataOf(view)?.readers).toEqual([jane]);
    controller.set(Author, { id: 'a' }, { name: 'Jane Austen' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.by).toBe('Jane Austen');
  });

  it('else as an instance of what was stored, until the row arrives', async () => {
    const { controller } = openWorld();
    controller.set(
      BookSummary,
      { id: '1' },
      { author: { id: 'a', name: 'Jane', born: '1775-12-16', boss: { id: 'b', name: 'B' } } },
    );
    const view = controller.observeQuery(Book, { id: '1' });
    listen(view);
    const { author } = dataOf(view) ?? {};
    expect(author).toBeInstanceOf(Author);
    expect(author).toMatchObject({
      name: 'Jane',
      born: new Date('1775-12-16'),
      boss: { name: 'B' },
    });
    expect(author?.boss).toBeInstanceOf(Author);
    controller.set(BookSummary, { id: '1' }, { title: 'Emma' });
    expect(dataOf(view)?.by).toBe('Jane');
    controller.set(Author, { id: 'a' }, { name: 'Jane Austen' });
    expect(dataOf(view)?.by).toBe('Jane Austen');
    const remove = mutation('remove', new Invalidate(Author));
    ignore(controller.fetch(remove.endpoint, { id: 'a' }));
    await remove.respond({ id: 'a' });
    expect(dataOf(view)?.author).toBeUndefined();
  });

  it('read what the other stored whole also where there was none before', () => {
    const { controller } = openWorld();
    controller.set(BookSummary, { id: '1' }, { author: null });
    expect(controller.get(Book, { id: '1' })?.author).toBeNull();
    controller.set(BookSummary, { id: '1' }, { author: { id: 'a', name: 'Jane' } });
    expect(controller.get(Book, { id: '1' })?.by).toBe('Jane');
  });

  it('read the primary key where the other stored a relation', () => {
    const { controller } = openWorld();
    controller.set(Book, { id: '1' }, { author: { id: 'a', name: 'Jane' }, others: [{ id: 'b' }] });
    expect(controller.get(BookSummary, { id: '1' })).toMatchObject({ author: 'a', others: ['b'] });
  });
});

describe('a reference that only the other class can read', () => {
  const either = new Union({ author: Author }, 'type');
  const named = new Collection([Author], {
    name: 'authors of a part',
    nestKey: ({ id }: { id: string }) => ({ book: id }),
  });
  const jane = { id: 'a', type: 'author', name: 'Jane' };

  /** Two classes with one key: the field is a relation of the first one, and declared here. */
  function classes(relation: unknown, other: unknown, field: unknown) {
    class Whole extends Entity {
      id = '';
      title = '';
      part: any = [];
      static override key = 'SharedPart';
      static override schema: Record<string, any> = { part: relation };
    }
    class Plain extends Entity {
      id = '';
      title = '';
      part: any = field;
      static override key = 'SharedPart';
      static override schema = (other ? { part: other } : {}) as Record<string, any>;
    }
    const get = (name: string, schema: any) =>
      new RestEndpoint({ urlPrefix: 'http://localhost', path: `/${name}/:id`, schema });
    return { Whole, Plain, getWhole: get('whole', Whole), getPlain: get('plain', Plain) };
  }

  const kinds: [claim: string, relation: unknown, value: unknown, other?: unknown][] = [
    ['a list', new Collection([Author]), [jane]],
    ['a list with a `nestKey`', named, [jane]],
    ['a list of a map', new Collection(new Values(Author)), { a: jane }],
    ['a lazy list', new Lazy(new Collection([Author])), [jane]],
    ['a union', either, jane],
    ['an array of a union', [either], [jane]],
    ['a map of a union', new Values(either), { a: jane }],
    ['a lazy union', new Lazy(either), jane],
    ['a list in an object', { inner: named, count: 0 }, { inner: [jane], count: 1 }],
    ['a union in an object', { inner: either }, { inner: jane }],
    ['a list, which is an array here', named, [jane], [Author]],
    ['a list, which is a map here', named, [jane], new Values(Author)],
    ['a union, which is a date here', either, jane, Date],
    ['a list, which is an object here', named, [jane], { inner: Author }],
  ];

  it.each(kinds)('is missing in a reader of its own: %s', (_, relation, value, other) => {
    const { controller } = openWorld();
    const { Whole, Plain, getWhole, getPlain } = classes(relation, other, 'default');
    controller.setResponse(getWhole, { id: '1' }, { id: '1', title: 't', part: value });
    expect(controller.get(Plain, { id: '1' })).toMatchObject({ title: 't', part: 'default' });
    const view = controller.observe(getPlain, { id: '1' });
    expect([view.getSnapshot().status, view.needsLoad()]).toEqual(['pending', true]);
    const whole = controller.observe(getWhole, { id: '1' });
    expect(whole.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    expect(JSON.stringify(controller.get(Whole, { id: '1' }))).toContain('a');
  });

  it.each(kinds)('is missing in a program that hydrates it without its class: %s', (...kind) => {
    const [, relation, value, other] = kind;
    const server = openWorld().controller;
    const { Plain, getWhole, getPlain } = classes(relation, other, 'default');
    server.setResponse(getWhole, { id: '1' }, { id: '1', title: 't', part: value });
    server.get(Plain, { id: '1' });
    const { controller } = openWorld();
    hydrate(controller, JSON.parse(JSON.stringify(getState(server))) as StoreState);
    expect(controller.get(Plain, { id: '1' })).toMatchObject({ title: 't', part: 'default' });
    expect(controller.observe(getPlain, { id: '1' }).needsLoad()).toBe(true);
  });

  const stored: typeof kinds = [
    ...kinds,
    ['a record', Author, jane],
    ['an array', [Author], [jane]],
    ['a map', new Values(Author), { a: jane }],
    ['an object', { inner: Author }, { inner: jane }],
  ];

  it.each(stored)('is hydrated in each order of the classes: %s', (...kind) => {
    const [, relation, value, other] = kind;
    const server = openWorld().controller;
    const { Whole, Plain, getWhole, getPlain } = classes(relation, other, undefined);
    server.setResponse(getPlain, { id: '1' }, { id: '1', title: 't' });
    server.setResponse(getWhole, { id: '1' }, { id: '1', title: 't', part: value });
    const read = (controller: Controller) => ({
      whole: controller.get(Whole, { id: '1' })?.part,
      plain: controller.get(Plain, { id: '1' })?.part,
    });
    const state = JSON.stringify(getState(server));
    const expected = read(server);
    for (const isHydratedFirst of [true, false]) {
      for (const order of [
        [getWhole, getPlain],
        [getPlain, getWhole],
      ]) {
        const { controller, reports } = openWorld();
        if (!isHydratedFirst) controller.get(order[0]?.schema, { id: '1' });
        hydrate(controller, JSON.parse(state) as StoreState);
        const views = order.map((endpoint) => controller.observe(endpoint, { id: '1' }));
        for (const view of views) {
          expect([view.getSnapshot().status, view.needsLoad()]).toEqual(['ready', false]);
        }
        expect(read(controller)).toEqual(expected);
        expect(reports).toEqual([]);
      }
    }
  });

  it('waits for its class while the record is edited or deleted', () => {
    const server = openWorld().controller;
    const { Whole, Plain, getWhole } = classes(named, undefined, undefined);
    for (const id of ['1', '2']) {
      server.setResponse(getWhole, { id }, { id, title: 't', part: [jane] });
    }
    server.get(Plain, { id: '1' });
    const { controller } = openWorld();
    hydrate(controller, JSON.parse(JSON.stringify(getState(server))) as StoreState);
    expect(controller.get(Plain, { id: '1' })).toMatchObject({ part: undefined });
    controller.set(Plain, { id: '1' }, { title: 'edited' });
    controller.set(new Invalidate(Plain), { id: '2' }, { id: '2' });
    expect(controller.get(Whole, { id: '1' })).toMatchObject({ title: 'edited', part: [jane] });
    expect(controller.get(Whole, { id: '2' })).toBeUndefined();
    expect(controller.get(Plain, { id: '1' })).toMatchObject({ title: 'edited', part: undefined });
  });

  it('is none in a written value that contains itself, or a bigint', () => {
    const { controller } = openWorld();
    const { Whole, Plain } = classes(either, undefined, 'default');
    const part: Record<string, unknown> = { count: 1n };
    part['self'] = part;
    controller.set(Plain, { id: '1' }, { part });
    controller.get(Whole, { id: '1' });
    controller.set(Plain, { id: '1' }, { title: 'changed' });
    expect(controller.get(Plain, { id: '1' })?.part).toMatchObject({ count: 1n });
  });

  it('is the field of a class that declares the relation as well', () => {
    const { controller } = openWorld();
    const { Whole, Plain, getWhole } = classes(named, named, []);
    controller.setResponse(getWhole, { id: '1' }, { id: '1', part: [jane] });
    expect(controller.get(Plain, { id: '1' })?.part).toBe(controller.get(Whole, { id: '1' })?.part);
  });

  it('is replaced by the response to the reader that lacks it', async () => {
    const { controller } = openWorld();
    const { Whole, getWhole, getPlain } = classes(new Collection([Author]), undefined, []);
    controller.setResponse(getWhole, { id: '1' }, { id: '1', title: 't', part: [jane] });
    controller.setResponse(getPlain, { id: '1' }, { id: '1', title: 't', part: [jane] });
    const view = controller.observe(getPlain, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { part: [jane] } });
    // A list of its own would not follow creates and deletes.
    expect(controller.get(Whole, { id: '1' })?.part).toMatchObject([jane]);
    expect(controller.observe(getWhole, { id: '1' }).needsLoad()).toBe(true);
  });

  it('ends with an error, not with requests without end, while both classes are mounted', async () => {
    const { controller } = openWorld();
    const { Whole, Plain } = classes(new Collection([Author]), undefined, []);
    let requests = 0;
    const endpoint = (schema: any) =>
      new Endpoint(
        async (_: { id: string }) => {
          requests += 1;
          return { id: '1', title: 't', part: [jane] };
        },
        { name: `get${requests++}`, schema },
      );
    const views = [Whole, Plain].map((schema) =>
      controller.observe(endpoint(schema) as any, { id: '1' }),
    );
    for (const view of views) {
      const load = () => void (view.needsLoad(true) && view.load().catch(() => {}));
      view.subscribe(load);
      load();
    }
    for (let round = 0; round < 10; round += 1) await flush();
    const before = requests;
    for (let round = 0; round < 10; round += 1) await flush();
    expect(requests).toBe(before);
    expect(requests).toBeLessThan(8);
    const statuses = views.map((view) => view.getSnapshot().status);
    expect(statuses).not.toContain('pending');
  });
});

describe('a deserialized value that is written through another class', () => {
  class Dated extends Entity {
    id = '';
    at = new Date(0);
    static override key = 'SharedDated';
    static override schema = { at: Date };
  }
  class Text extends Entity {
    id = '';
    at = '';
    note = '';
    static override key = 'SharedDated';
  }
  const at = '2026-01-01T00:00:00.000Z';

  it.each([
    ['with the whole record', (dated: Dated) => ({ ...dated, note: 'n' })],
    ['alone', (dated: Dated) => ({ at: dated.at, note: 'n' })],
  ])('is stored raw: %s', (_, written) => {
    const { controller } = openWorld();
    controller.set(Dated, { id: '1' }, { at } as object);
    const dated = controller.get(Dated, { id: '1' });
    controller.set(Text, { id: '1' }, dated ? (written(dated) as object) : {});
    expect(controller.get(Text, { id: '1' })).toMatchObject({ at, note: 'n' });
    expect(controller.get(Dated, { id: '1' })?.at).toEqual(new Date(at));
  });

  it('is stored raw by an optimistic update and by a response', async () => {
    const { controller } = openWorld();
    controller.set(Dated, { id: '1' }, { at } as object);
    const save = mutation('saveText', Text, (_, dated: Dated) => ({ ...dated, note: 'n' }));
    ignore(controller.fetch(save.endpoint, controller.get(Dated, { id: '1' })));
    expect(controller.get(Text, { id: '1' })).toMatchObject({ at, note: 'n' });
    await save.respond({ id: '1', note: 'saved' });
    expect(controller.get(Text, { id: '1' })).toMatchObject({ at, note: 'saved' });
  });
});

describe('a record that the other class stored whole', () => {
  class Strict extends Entity {
    id = '';
    type = 'strict' as const;
    since: Date | string = 'always';
    next: Strict | undefined = undefined;
    all: readonly Strict[] = [];
    either: unknown = 'default';
    static override key = 'SharedStrict';
    static override schema: Record<string, unknown> = {};
    static override validate({ id }: Readonly<Record<string, unknown>>): string | undefined {
      return id === 'refused' ? 'refused' : undefined;
    }
  }
  Strict.schema = {
    since: Date,
    next: Strict,
    all: [Strict],
    either: new Union({ strict: Strict }, 'type'),
  };
  class Shelf extends Entity {
    id = '';
    first: Strict | string = 'default';
    static override key = 'Shelf';
    static override schema = { first: Strict };
  }
  class Plain extends Entity {
    id = '';
    static override key = 'Shelf';
  }
  const firstOf = (first: object) => {
    const { controller } = openWorld();
    controller.set(Plain, { id: '1' }, { first });
    return controller.get(Shelf, { id: '1' })?.first;
  };

  it('is none where its class refuses it', () => {
    expect(firstOf({ id: 'refused' })).toBe('default');
    expect(firstOf({ id: '2', next: { id: 'refused' } })).toMatchObject({ next: undefined });
  });

  it('has the defaults of what it lacks, and of what it holds only by key or in lists', () => {
    expect(firstOf({ id: '2' })).toMatchObject({ since: 'always', either: 'default', all: [] });
    expect(firstOf({ id: '2', next: 'key', all: [{ id: '3' }] })).toMatchObject({
      next: undefined,
      all: [],
    });
    expect(firstOf({ id: '2', either: { type: 'other' } })).toMatchObject({ either: 'default' });
    const first = firstOf({ id: '2', either: { type: 'strict', id: '3', since: '2026-01-01' } });
    expect(first).toMatchObject({ either: { id: '3', since: new Date('2026-01-01') } });
    expect(Object(first).either).toBeInstanceOf(Strict);
  });

  it('may hold others as deep as it likes', () => {
    let record: object = { id: 'last' };
    for (let depth = 0; depth < 900; depth += 1) record = { id: `${depth}`, next: record };
    expect(firstOf(record)).toMatchObject({ id: '899', next: { id: '898' } });
  });
});

describe('a field that another class stored whole and that is a relation here', () => {
  const no = 'default';
  /** One field of each kind, and a relation behind them. */
  class Whole extends Entity {
    id = '';
    one: unknown = no;
    many: unknown = no;
    map: unknown = no;
    box: unknown = no;
    list: unknown = no;
    either: unknown = no;
    last: Author | undefined = undefined;
    static override key = 'Part';
    static override schema = {
      one: Author,
      many: [Author],
      map: new Values(Author),
      box: { author: Author, born: Date },
      list: new Collection([Author]),
      either: new Union({ author: Author }, 'type'),
      last: Author,
    };
  }
  class Part extends Entity {
    id = '';
    static override key = 'Part';
  }
  const jane = { id: 'a', name: 'Jane' };
  const nobody = { id: '', name: '' };
  const fields = ['one', 'many', 'map', 'box', 'list', 'either'] as const;

  it.each<[stored: unknown, ...expected: unknown[]]>([
    // one, many, map, box, list, either
    ['text', no, 'text', 'text', 'text', no, 'text'],
    ['', '', '', '', '', no, ''],
    [7, no, 7, 7, 7, no, 7],
    [true, true, true, true, true, no, true],
    [null, null, null, null, null, null, null],
    [[], [], [], [], [], [], []],
    [
      ['unknown', null],
      ['unknown', null],
      [null],
      ['unknown', null],
      ['unknown', null],
      [null],
      ['unknown', null],
    ],
    [[{ id: 'a' }], [{ id: 'a' }], [jane], [{ id: 'a' }], [{ id: 'a' }], [jane], [{ id: 'a' }]],
    [{ id: 'a' }, jane, { id: 'a' }, { id: jane }, { id: 'a' }, no, { id: 'a' }],
    [
      { author: 'a' },
      { ...nobody, author: 'a' },
      { author: 'a' },
      { author: jane },
      { author: jane },
      no,
      { author: 'a' },
    ],
    [
      { id: 'b', type: 'author' },
      { id: 'b', name: '' },
      { id: 'b' },
      {},
      { id: 'b' },
      no,
      { id: 'b', name: '' },
    ],
  ])('reads as what it stands for, else as it is: %j', (stored, ...expected) => {
    const { controller } = openWorld();
    controller.set(Author, { id: 'a' }, { name: 'Jane' });
    const values = Object.fromEntries(fields.map((field) => [field, stored]));
    controller.set(Part, { id: '1' }, { ...values, last: 'a' });
    const check = (): void => {
      const whole = controller.get(Whole, { id: '1' });
      for (const [index, field] of fields.entries()) {
        const value = expected[index];
        if (typeof value === 'object' && value !== null)
          expect(whole?.[field]).toMatchObject(value);
        else expect(whole?.[field]).toBe(value);
      }
      expect(whole?.last).toBe(controller.get(Author, { id: 'a' }));
    };
    check();
    controller.set(Part, { id: '1' }, { name: 'written again', ...values });
    check();
  });
});

describe('a field that a class without the declaration stored as the server sent it', () => {
  class Company extends Entity {
    id = '';
    name = '';
    static override key = 'HeldCompany';
  }
  class Holdings extends CustomSchema<{ companies: (typeof Company)[] }, readonly string[]> {
    constructor() {
      super({ companies: [Company] });
    }
    override normalize(input: object[]) {
      return { companies: input };
    }
    denormalize({ companies }: { companies: Company[] }) {
      return companies.map(({ name }) => name);
    }
  }
  class Summary extends Entity {
    id = '';
    title = '';
    static override key = 'HoldingOwner';
  }
  class Custom extends Summary {
    holdings: readonly string[] = [];
    static override schema = { holdings: new Holdings() };
  }
  class WithLazy extends Summary {
    holdings: readonly string[] = [];
    static override schema = { holdings: new Lazy([Company]) };
  }
  class Optional extends Summary {
    holdings: readonly string[] | undefined = undefined;
    static override schema = { holdings: new Lazy([Company]) };
  }
  const record = { id: '1', title: 'a', holdings: [{ id: 'c', name: 'Corp' }] };

  it.each([
    ['a CustomSchema', Custom, ['Corp']],
    ['a Lazy', WithLazy, ['c']],
    ['a Lazy without a default', Optional, ['c']],
  ] as const)('is missing for the class that declares %s later', async (_, Whole, expected) => {
    const { controller } = openWorld();
    const send = async (): Promise<unknown> => record;
    const get = new Endpoint(send, { name: 'getWhole', schema: Whole });
    const getList = new Endpoint(async () => [record], { name: 'getRows', schema: [Summary] });
    await controller.fetch(getList);
    expect(controller.get(Whole, { id: '1' })?.holdings).toEqual(new Whole().holdings);
    const view = controller.observe(get);
    expect(view.getSnapshot().status).toBe('pending');
    expect(view.needsLoad()).toBe(true);
    expect((await controller.fetchIfStale(get)).holdings).toEqual(expected);
    expect(view.getSnapshot().status).toBe('ready');
    // Now the class is known, so the list stores the field as it declares it.
    await controller.fetch(getList);
    expect(view.getSnapshot().status).toBe('ready');
    expect(controller.getResponse(get)?.holdings).toEqual(expected);
  });
});
