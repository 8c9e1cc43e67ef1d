/** Rows of a windowed list that a page contains, but that are not shown: their index is empty. */
import {
  byOffset,
  byPage,
  Collection,
  Controller,
  Entity,
  type EntityClass,
  resource,
  windowed,
  type Pagination,
} from 'restitch';
import { expect, it } from 'vitest';
import { settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class User extends Entity {
  id = '';
  static override key = 'WindowUser';
}

class Post extends Entity {
  id = '';
  hidden = '';
  static override key = 'WindowPost';
  static override process(input: { readonly hidden?: string }): unknown {
    return input.hidden === 'process' ? undefined : input;
  }
  static override createIfValid<T extends Entity>(
    this: EntityClass<T>,
    fields: Readonly<Record<string, unknown>>,
  ): T | undefined {
    return fields['hidden'] ? undefined : this.fromJS(fields as Partial<T>);
  }
}

class Authored extends Entity {
  id = '';
  author = User.fromJS({});
  static override key = 'WindowAuthored';
  static override schema: typeof Entity.schema = { author: User };
}

const SIZE = 3;
const offset = byOffset({ param: 'offset', limit: 'limit', total: 'total' });
const styles: readonly (readonly [string, Pagination])[] = [
  ['byOffset', offset],
  ['byPage', byPage({ param: 'page', size: 'limit', total: 'total' })],
];

function open(pagination: Pagination, schema: typeof Post | typeof Authored, rows: object[]) {
  const server = {
    rows,
    asked: [] as string[],
    isFailing: false,
    /** Deletes a row or an author. Returns the other rows. */
    remove: (id: string | undefined): object[] =>
      server.rows.filter((row) => {
        const { id: own, author } = row as Partial<Authored>;
        return own !== id && author?.id !== id;
      }),
  };
  const send = (input: string, { method = 'GET' }: RequestInit): Promise<Response> => {
    const { pathname, searchParams: query, search } = new URL(input);
    const id = pathname.split('/')[2];
    if (method === 'DELETE' && server.isFailing) {
      return Promise.resolve(new Response(null, { status: 500 }));
    }
    if (method === 'DELETE') {
      server.rows = server.remove(id);
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    server.asked.push(search);
    const start = Number(query.get('offset') ?? (Number(query.get('page') ?? 1) - 1) * SIZE);
    const results = server.rows.slice(start, start + SIZE);
    return Promise.resolve(Response.json({ results, total: server.rows.length }));
  };
  const controller = new Controller();
  const shared = { urlPrefix: 'http://x', send, optimistic: true };
  const Users = resource({ ...shared, path: '/users/:id', schema: User });
  const Posts = resource({
    ...shared,
    path: '/posts/:id',
    schema,
    searchParams: {} as { limit?: number },
    pagination,
  }).extend('getList', { schema: { results: new Collection([schema]), total: 0 } });
  const view = windowed(controller, Posts.getList, { limit: SIZE });
  view.subscribe(() => {});
  const range = view.open({ start: 0, end: 6 });
  /** `-` is an empty index, `?` a row that is loading, `!` an error. */
  const shown = (): string => {
    const list = readyData(view);
    return Array.from({ length: list.length }, (_, index) =>
      list.isLoading(index) ? '?' : list.errorAt(index) ? '!' : (list.at(index)?.id ?? '-'),
    ).join('');
  };
  return { server, controller, Users, Posts, view, range, shown };
}

const rowsOf = (ids: string, hidden: object): object[] =>
  [...ids].map((id) => (id === 'b' ? { id, ...hidden } : { id }));
const ways = [
  ['process, with a key', { hidden: 'process' }],
  ['process, without a key', { hidden: 'process', id: undefined }],
  ['createIfValid', { hidden: 'createIfValid' }],
] as const;
const all = styles.flatMap(([style, pagination]) =>
  ways.map(([way, hidden]) => [style, way, pagination, hidden] as const),
);

it.each(all)('the index of a hidden row is empty: %s, %s', async (_, __, pagination, hidden) => {
  const { server, controller, Posts, view, range, shown } = open(
    pagination,
    Post,
    rowsOf('abcdef', hidden),
  );
  await settle();
  expect([shown(), server.asked.length]).toEqual(['a-cdef', 2]);
  controller.expireAll(Posts.getList);
  await settle();
  expect([shown(), server.asked.length]).toEqual(['a-cdef', 4]);
  range.move({ start: 3, end: 6 });
  await readyData(view).refresh();
  expect([shown(), server.asked.length]).toEqual(['???def', 5]);
  range.move({ start: 0, end: 3 });
  await settle();
  expect([shown(), server.asked.length]).toEqual(['a-cdef', 6]);
});

it.each(all)('a delete moves empty indexes: %s, %s', async (_, __, pagination, hidden) => {
  const { server, controller, Posts, shown } = open(pagination, Post, rowsOf('abcdef', hidden));
  await settle();
  await controller.fetch(Posts.delete, { id: 'a' });
  await settle();
  expect([shown(), server.asked.length]).toEqual(['-cdef', 2]);
  await controller.fetch(Posts.delete, { id: 'd' });
  await settle();
  expect([shown(), server.asked.length]).toEqual(['-cef', 2]);
});

it.each(styles)('the index of a repeated row is empty: %s', async (_, pagination) => {
  const { server, shown } = open(pagination, Post, rowsOf('abacde', {}));
  await settle();
  expect([shown(), server.asked.length]).toEqual(['ab-cde', 2]);
});

it.each(styles)('a page of hidden rows is empty: %s', async (_, pagination) => {
  const hidden = [1, 2, 3].map(() => ({ hidden: 'process' }));
  const { server, range, shown } = open(pagination, Post, [...hidden, ...rowsOf('cde', {})]);
  await settle();
  expect([shown(), server.asked.length]).toEqual(['---cde', 2]);
  range.move({ start: 0, end: 3 });
  await settle();
  expect([shown(), server.asked.length]).toEqual(['---cde', 2]);
});

const authored = (): object[] =>
  [...'abcdef'].map((id) => ({ id, author: { id: id === 'b' ? 'u1' : 'u2' } }));

it.each(styles)('after the delete of an author, the rows load again: %s', async (_, pagination) => {
  const { server, controller, Users, shown } = open(pagination, Authored, authored());
  await settle();
  const deletion = controller.fetch(Users.delete, { id: 'u1' });
  expect(shown()).toBe('a-cdef');
  await deletion;
  await settle();
  expect([shown(), server.asked.length]).toEqual(['acdef', 4]);
});

it('after the failed delete of an author, no page is loaded again', async () => {
  const { server, controller, Users, shown } = open(offset, Authored, authored());
  await settle();
  server.isFailing = true;
  await controller.fetch(Users.delete, { id: 'u1' }).catch(() => {});
  await settle();
  expect([shown(), server.asked.length]).toEqual(['abcdef', 2]);
});

it('if the server still sends a row without its author, the row stays empty', async () => {
  const { server, controller, Users, shown } = open(offset, Authored, authored());
  await settle();
  server.remove = () =>
    authored().map((row) => ((row as Authored).id === 'b' ? { ...row, author: 'u1' } : row));
  await controller.fetch(Users.delete, { id: 'u1' });
  await settle();
  expect([shown(), server.asked.length]).toEqual(['a-cdef', 4]);
});
