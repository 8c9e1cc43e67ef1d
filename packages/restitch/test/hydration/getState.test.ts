import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  expireWhere,
  invalidateWhere,
  type ReadEndpoint,
  RestEndpoint,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { flush, ignore, manual, mutation } from '../support/world.js';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

class Issue extends Entity {
  id = '';
  title = '';
  author = User.fromJS({});
  openedAt = new Date(0);
  static override key = 'Issue';
  static override schema = { author: User, openedAt: Date };
}

const issues = new Collection([Issue]);
const now = 1_000_000;
const open = () => new Controller({ environment: { now: () => now } });
const issue = (id: string, title: string) => ({
  id,
  title,
  author: { id: 'a', name: 'Ann' },
  openedAt: '2026-01-01T00:00:00.000Z',
});

describe('the exported state', () => {
  it('gives a record that was expired early the time 0, which no hydration takes as fresh', () => {
    const controller = open();
    controller.set(User, { id: 'a' }, { name: 'Ann' });
    void expireWhere(controller, { entity: User });
    const [user] = getState(controller).entities['User'] ?? [];
    expect(user?.expiresAt).toBe(0);
  });

  it.each([
    ['invalidate', (from: Controller, endpoint, args) => from.invalidate(endpoint, args)],
    ['invalidateAll', (from: Controller, endpoint) => from.invalidateAll(endpoint)],
    [
      'invalidateWhere',
      (from: Controller, endpoint) =>
        invalidateWhere(from, { match: (one) => one.endpoint === endpoint }),
    ],
    [
      'a hard error',
      (from: Controller, endpoint, args) => from.setError(endpoint, args, new Error('no')),
    ],
  ] satisfies [string, (from: Controller, endpoint: ReadEndpoint, args: object) => unknown][])(
    'makes a record and a list stale that readers lost by %s',
    (_, remove) => {
      const getIssue = new RestEndpoint({ path: '/issues/:id', schema: Issue });
      const getIssues = new RestEndpoint({
        path: '/issues',
        schema: { data: new Collection([Issue]) },
      });
      const cases: [ReadEndpoint, object, object][] = [
        [getIssue, { id: '1' }, issue('1', 'One')],
        [getIssues, {}, { data: [issue('1', 'One')] }],
      ];
      for (const [endpoint, args, response] of cases) {
        const [from, to] = [open(), open()];
        from.setResponse(endpoint, args, response);
        remove(from, endpoint, args);
        expect(from.observe(endpoint, args).getSnapshot().status).not.toBe('ready');
        hydrate(to, JSON.parse(JSON.stringify(getState(from))));
        expect(to.observe(endpoint, args).getSnapshot()).toMatchObject({
          status: 'ready',
          stale: true,
        });
      }
    },
  );

  it('holds records, lists and results once each, as JSON', async () => {
    const controller = open();
    const list = manual('getIssues', issues);
    ignore(controller.fetch(list.endpoint, { status: 'open' }));
    await list.respond([issue('10', 'Ten'), issue('9', 'Nine')]);
    const expiresAt = now + 60_000;
    // The author is a record of its own; a date is stored as the server sent it, as a plain value.
    const declared = { author: ['User'] };
    const state = getState(controller);
    // The names of the lists of a kind are private.
    const [table = ''] = Object.keys(state.lists);
    expect(state).toEqual({
      version: 2,
      exportedAt: now,
      entities: {
        Issue: [
          { pk: '10', fields: { ...issue('10', 'Ten'), author: 'a' }, expiresAt, declared },
          { pk: '9', fields: { ...issue('9', 'Nine'), author: 'a' }, expiresAt, declared },
        ],
        User: [{ pk: 'a', fields: { id: 'a', name: 'Ann' }, expiresAt }],
      },
      lists: {
        [table]: [
          {
            args: { status: 'open' },
            listing: { members: ['10', '9'], head: 2, tail: 2, end: '9', isPaged: false },
            expiresAt,
          },
        ],
      },
      results: [
        {
          key: list.endpoint.key({ status: 'open' }),
          schema: `collection${table}`,
          value: { status: 'open' },
          fetchedAt: now,
          expiresAt,
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('contains no pending state, and no trace of a failure', async () => {
    const controller = open();
    const list = manual('getIssues', issues);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([issue('1', 'One')]);
    const before = getState(controller);
    const create = mutation('create', issues.push, () => ({ title: 'optimistic' }));
    const rename = mutation('rename', Issue, () => ({ id: '1', title: 'optimistic' }));
    ignore(controller.fetch(create.endpoint, {}));
    ignore(controller.fetch(rename.endpoint, {}));
    await flush();
    expect(controller.get(issues, {})).toHaveLength(2);
    expect(getState(controller)).toEqual(before);
    await create.fail(new Error('no'));
    await rename.fail(new Error('no'));
    expect(getState(controller)).toEqual(before);
  });

  it('ranks confirmed writes as if pending ones had failed', async () => {
    const controller = open();
    const pending = mutation('pending', Issue, () => ({ id: '1', author: { id: 'b' } }));
    const rename = mutation('rename', Issue);
    const read = manual('read', Issue);
    controller.set(Issue, { id: '1' }, { title: 'Old' });
    ignore(controller.fetch(pending.endpoint, {}));
    ignore(controller.fetch(rename.endpoint, {}));
    await rename.respond({ id: '1', title: 'Renamed' });
    ignore(controller.fetch(read.endpoint, {}));
    await read.respond({ id: '1', title: 'Read' });
    // Shown is what the mutation said, as long as it might have come after the read.
    expect(controller.get(Issue, '1')?.title).toBe('Renamed');
    expect(getState(controller).entities['Issue']?.[0]?.fields).toEqual({
      id: '1',
      title: 'Read',
    });
    await pending.fail(new Error('no'));
    expect(controller.get(Issue, '1')?.title).toBe('Read');
  });

  it('knows created rows by the key that the server gave them', async () => {
    const controller = open();
    const list = manual('getIssues', issues);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([]);
    const create = mutation('create', issues.push, () => ({ title: 'New' }));
    ignore(controller.fetch(create.endpoint, {}));
    await flush();
    const temporary = controller.get(issues, {})?.[0]?.id ?? '';
    controller.set(Issue, { id: 'other' }, { title: 'See also', related: temporary });
    await create.respond({ id: '7', title: 'New' });
    const { entities, lists } = getState(controller);
    expect(entities['Issue']?.map(({ pk }) => pk).sort()).toEqual(['7', 'other']);
    expect(Object.values(lists)[0]?.[0]?.listing.members).toEqual(['7']);
    expect(JSON.stringify(entities)).not.toContain(temporary);
  });

  it('knows the lists that they own by it too', async () => {
    class Board extends Entity {
      id = '';
      issues: Issue[] | undefined = undefined;
      url = '';
      static override key = 'Board';
      static override schema = { issues: new Collection([Issue]) };
    }
    const controller = open();
    const boards = new Collection([Board], { name: 'boards' });
    controller.set(boards, {}, []);
    const create = mutation('create', boards.push, () => ({}));
    ignore(controller.fetch(create.endpoint, {}));
    const temporary = controller.get(boards, {})?.[0]?.id ?? '';
    const url = `/boards/${temporary}`;
    controller.set(Board, { id: temporary }, { issues: [{ id: '1', title: 'One' }], url });
    await create.respond({ id: '7' });
    const other = open();
    hydrate(other, JSON.parse(JSON.stringify(getState(controller))));
    expect(other.get(Board, { id: '7' })?.issues).toMatchObject([{ id: '1', title: 'One' }]);
    // What is no reference is the program's own.
    expect(other.get(Board, { id: '7' })?.url).toBe(url);
  });

  it('knows them so inside unions too', async () => {
    const controller = open();
    const subject = new Union({ issue: Issue, user: User }, 'kind' as never);
    class Note extends Entity {
      id = '';
      about: Issue | User | undefined = undefined;
      static override key = 'Note';
      static override schema = { about: subject };
    }
    const subjects = new Collection([subject], { name: 'subjects' });
    controller.set(subjects, {}, []);
    const create = mutation('create', subjects.push, () => ({ kind: 'issue', title: 'New' }));
    ignore(controller.fetch(create.endpoint, {}));
    await flush();
    controller.set(Note, { id: 'n' }, { about: controller.get(subjects, {})?.[0] });
    await create.respond({ id: '7', kind: 'issue', title: 'New' });
    const state = JSON.parse(JSON.stringify(getState(controller)));
    const other = open();
    hydrate(other, state);
    expect(other.get(Note, { id: 'n' })?.about).toMatchObject({ id: '7', title: 'New' });
    expect(other.get(subjects, {})).toEqual(controller.get(subjects, {}));
  });

  it('has no errors and nothing that JSON cannot carry', async () => {
    const controller = open();
    const download = new Endpoint(async () => new Blob(['x']), { name: 'download' });
    const failing = new RestEndpoint({ path: '/x', fetch: () => Promise.reject(new Error('no')) });
    await controller.fetch(download);
    await controller.fetch(failing).catch(() => {});
    controller.set(Issue, { id: '1' }, { title: 'One', openedAt: new Date(5), size: 5n });
    controller.set(Issue, { id: '2' }, { title: 'Two', draw: () => {} });
    const { entities, results } = getState(controller);
    expect(results).toEqual([]);
    expect(entities['Issue']?.map(({ fields }) => fields)).toEqual([
      { id: '1', title: 'One', openedAt: { '~Date': 5 }, size: { '~BigInt': '5' } },
      { id: '2', title: 'Two' },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['a list', [1, 'x', null, { a: [true] }], [1, 'x', null, { a: [true] }]],
    ['null', null, null],
    ['a time in a list', [new Date(5)], [{ '~Date': 5 }]],
    ['a BigInt in an object', { a: { size: 5n } }, { a: { size: { '~BigInt': '5' } } }],
    ['a field called toJSON', { toJSON: 'no' }, { toJSON: 'no' }],
    ['fields without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('has %s as JSON says it', (_, stored, exported) => {
    const controller = open();
    controller.set(Issue, { id: '1' }, { value: stored });
    const fields = () => getState(controller).entities['Issue']?.[0]?.fields;
    expect(fields()).toStrictEqual({ id: '1', value: exported });
  });

  it.each<[string, unknown]>([
    ['a function', () => {}],
    ['a symbol', Symbol('x')],
    ['a list that holds such a thing', [1, () => {}]],
    ['an object that holds such a thing', { a: 1, draw: () => {} }],
    ['an object that makes JSON of itself', { toJSON: () => 'x' }],
    ['a map', new Map([[1, 2]])],
    ['a URL, which JSON would make a text of', new URL('https://example.com')],
    ['a number that is none', NaN],
    ['an infinite number', [Infinity]],
    ['a negative zero', -0],
    ['a list with a hole', [1, undefined]],
    ['a time that is none', new Date(NaN)],
    ['an instance of a class of dates', new (class Day extends Date {})(5)],
    ['an object that looks like a time on its way', { '~Date': 5 }],
    ['what is nested too deep', Array.from({ length: 1_200 }).reduce((inner) => [inner], 'x')],
  ])('leaves out %s, and nothing else of the record', (_, value) => {
    const controller = open();
    controller.set(Issue, { id: '1' }, { value, title: 'One' });
    expect(getState(controller).entities['Issue']?.[0]?.fields).toStrictEqual({
      id: '1',
      title: 'One',
    });
  });

  it('holds the very values of the store where they are plain already', () => {
    const controller = open();
    controller.set(Issue, { id: '1' }, { title: 'One', value: [{ a: 1 }], none: undefined });
    controller.set(Issue, { id: '2' }, { at: new Date(5), value: [{ a: 1 }] });
    const [before, after] = [getState(controller), getState(controller)].map(
      ({ entities }) => entities['Issue'],
    );
    expect(after?.[0]?.fields).toBe(before?.[0]?.fields);
    expect(after?.[1]?.fields?.['value']).toBe(before?.[1]?.fields?.['value']);
  });

  it('has a result that came after an error, be it the same as before', async () => {
    const controller = open();
    const getText = new Endpoint(async () => 'text', { name: 'getText' });
    await controller.fetch(getText);
    controller.setError(getText, new Error('no'));
    expect(getState(controller).results).toEqual([]);
    await controller.fetch(getText);
    expect(getState(controller).results).toMatchObject([{ value: 'text' }]);
    expect(controller.getError(getText)).toBeUndefined();
  });

  it('keeps names such as __proto__', () => {
    const controller = open();
    controller.set(Issue, { id: '__proto__' }, JSON.parse('{"__proto__": "x", "title": "Odd"}'));
    const [row] = JSON.parse(JSON.stringify(getState(controller))).entities.Issue;
    expect(row.pk).toBe('__proto__');
    expect(Object.keys(row.fields)).toContain('__proto__');
  });
});
