/** State that another store exported is read by schemas that would have normalized it the same way. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  Lazy,
  Query,
  type Schema,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  type = '';
  static override key = 'BroughtUser';
}
class Post extends Entity {
  id = '';
  type = '';
  static override key = 'BroughtPost';
}

/** The codes of what is reported when a result that was normalized by one schema is hydrated for a reader by the other. */
function reportsOf(one: unknown, other: unknown, response: unknown): unknown[] {
  const reports: unknown[] = [];
  const environment = {
    report: (error: unknown) => reports.push((error as { code: unknown }).code),
  };
  const of = (schema: unknown): Endpoint =>
    new Endpoint(async (): Promise<unknown> => null, { name: 'get', schema });
  const server = new Controller();
  server.setResponse(of(one), response as never);
  const client = new Controller({ environment });
  hydrate(client, JSON.parse(JSON.stringify(getState(server))));
  client.getResponse(of(other));
  return reports;
}

const row = { id: '1', type: 'user' };
/** An object that holds itself below a number of others. */
const circle = (depth: number): Schema => {
  const top: Record<string, unknown> = { user: User };
  let last = top;
  for (let level = 1; level < depth; level++) {
    const next = {};
    last['next'] = next;
    last = next;
  }
  last['next'] = top;
  return top as Schema;
};

describe('a hydrated result is read', () => {
  it.each<[claim: string, one: unknown, other: unknown, response: unknown]>([
    ['by the same class', User, User, row],
    ['whatever plain values are made into', { at: Date }, { at: Number }, { at: 5 }],
    [
      'whatever the order of fields',
      { user: User, post: Post },
      { post: Post, user: User },
      { user: row, post: row },
    ],
    [
      'whatever the order of the classes of a union',
      new Union({ user: User, post: Post }, 'type'),
      new Union({ post: Post, user: User }, 'type'),
      row,
    ],
    ['by an object that holds itself', circle(2), circle(2), { user: row, next: { next: {} } }],
    [
      'by a list of the same union',
      new Collection([new Union({ user: User, post: Post }, 'type')]),
      new Collection([new Union({ post: Post, user: User }, 'type')]),
      [row],
    ],
  ])('%s', (_, one, other, response) => {
    expect(reportsOf(one, other, response)).toEqual([]);
  });
});

describe('a hydrated result is not read', () => {
  it.each<[claim: string, one: unknown, other: unknown, response: unknown]>([
    ['by another class', User, Post, row],
    ['as plain values', User, undefined, row],
    ['as an array of others', [User], [Post], [row]],
    ['as a map', [User], new Values(User), [row]],
    ['as a map of others', new Values(User), new Values(Post), { a: row }],
    ['as a field of that name', new Values(User), { a: User }, { a: row }],
    ['as another field', { user: User }, { post: User }, { user: row }],
    ['as a field of others', { user: User }, { user: Post }, { user: row }],
    ['as a list of others', new Collection([User]), new Collection([Post]), [row]],
    ['as a map of members', new Collection([User]), new Collection(new Values(User)), [row]],
    ['as a page', new Collection([User]), new Collection([User], { name: 'users' }).getPage, [row]],
    [
      'as a page of others',
      new Collection([User], { name: 'users' }).getPage,
      new Collection([Post], { name: 'posts' }).getPage,
      [row],
    ],
    ['as all of a class', [User], new All(User), [row]],
    ['as all of others', new All(User), new All(Post), [row]],
    ['as keys', [User], new Lazy([User]), [row]],
    ['as keys of others', new Lazy([User]), new Lazy([Post]), [row]],
    [
      'as a union of others',
      new Union({ user: User }, 'type'),
      new Union({ user: Post }, 'type'),
      row,
    ],
    [
      'as a union by other names',
      new Union({ user: User }, 'type'),
      new Union({ person: User }, 'type'),
      row,
    ],
    ['in a circle of another length', circle(2), circle(3), { user: row }],
    ['in no circle', circle(1), { user: User, next: undefined }, { user: row }],
  ])('%s', (_, one, other, response) => {
    expect(reportsOf(one, other, response)).toEqual(['other-schema']);
  });

  it('as the value of another query', () => {
    const ofUsers = new Query(new Collection([User]), (rows) => rows);
    const ofPosts = new Query(new Collection([Post]), (rows) => rows);
    expect(reportsOf(ofUsers, ofPosts, [row])).toEqual(['other-schema']);
    expect(reportsOf(ofUsers, ofUsers, [row])).toEqual([]);
  });
});
