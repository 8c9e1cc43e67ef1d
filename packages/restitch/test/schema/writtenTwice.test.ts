/** Two schemas on one key share a response where they say the same, as one does that is written inside a component. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  Lazy,
  type Schema,
  Union,
  Values,
} from 'restitch';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  type = '';
  kind = '';
  static override key = 'TwiceUser';
}
class Post extends Entity {
  id = '';
  type = '';
  static override key = 'TwicePost';
}

/** Whether what is known of a question under one schema is known under the other. */
function areShared(one: unknown, other: unknown): boolean {
  const controller = new Controller();
  const of = (schema: unknown): Endpoint =>
    new Endpoint(async (): Promise<unknown> => null, { name: 'get', key: () => 'get', schema });
  controller.setError(of(one), new Error('known'));
  return controller.getError(of(other)) !== undefined;
}

const both = new Collection([User]);
const circle = (member: unknown): Schema => {
  const node: Record<string, unknown> = { member };
  node['next'] = node;
  return node as Schema;
};

const toUser = () => 'user';
const below = (Base: new () => object): Function => class Same extends Base {};

const inCents = (factor: number) => (raw: number) => raw * factor;

describe('a response is shared by', () => {
  it.each<[claim: string, make: () => unknown]>([
    ['a class', () => User],
    ['nothing', () => undefined],
    ['arrays', () => [User]],
    ['objects', () => ({ user: User, note: '' })],
    ['objects in objects', () => ({ page: { users: [User] } })],
    ['an object that holds itself', () => circle(User)],
    ['a function', () => ({ at: toUser })],
    ['`Values`', () => new Values(User)],
    ['`All`', () => new All(User)],
    ['`Lazy`', () => new Lazy([User])],
    ['`Invalidate`', () => new Invalidate(User)],
    ['`Union`', () => new Union({ user: User, post: Post }, 'type')],
    ['a `Union` with a function', () => new Union({ user: User }, toUser)],
    ['collections', () => new Collection([User])],
    ['collections of a name', () => new Collection([User], { name: 'own' })],
    ['their options', () => new Collection([User], { nonFilterArgumentKeys: ['sort'] })],
    ['collections of a union', () => new Collection([new Union({ user: User }, 'type')])],
    ['edits', () => new Collection([User]).getPage],
    ['edits with options', () => new Collection([User]).paginated('cursor')],
  ])('%s', (_, make) => {
    expect(areShared(make(), make())).toBe(true);
  });
});

describe('a response is not shared by', () => {
  it.each<[claim: string, one: unknown, other: unknown]>([
    ['two classes', User, Post],
    ['a class and a constructor', User, Date],
    ['a constructor and a class', Date, User],
    ['two constructors', Date, Number],
    ['a class and a constructor of the same text', below(User), below(Object)],
    ['a constructor and a class of the same text', below(Object), below(User)],
    ['two classes of the same text', below(User), below(Post)],
    ['texts', 'a', 'b'],
    ['a function and an object', (raw: string) => raw, {}],
    ['an object and a function', {}, (raw: string) => raw],
    ['nothing and an object', undefined, { user: User }],
    ['an object and nothing', { user: User }, undefined],
    ['a class and a collection', User, both],
    ['a collection and a class', both, User],
    ['a text and an object', '', { user: User }],
    ['null and an object', null, { user: User }],
    ['an object and null', { user: User }, null],
    ['an array and an object', [User], { 0: User }],
    ['arrays of other members', [User], [Post]],
    ['objects with other members', { user: User }, { user: Post }],
    ['objects with other fields', { user: User }, { post: User }],
    ['an object with more fields', { user: User }, { user: User, post: Post }],
    ['an object with fewer fields', { user: User, post: Post }, { user: User }],
    ['an absent field and an undefined one', { user: User, a: undefined }, { user: User, b: 1 }],
    ['objects that hold themselves', circle(User), circle(Post)],
    ['functions of another text', (raw: string) => raw.length, (raw: string) => raw.trim()],
    ['functions of the same text', inCents(1), inCents(100)],
    [
      'options with functions of the same text',
      new Collection([User], { argsKey: () => ({}) }),
      new Collection([User], { argsKey: () => ({}) }),
    ],
    [
      'unions with functions of the same text',
      new Union({ user: User }, () => 'user'),
      new Union({ user: User }, () => 'user'),
    ],
    ['`Values` of other members', new Values(User), new Values(Post)],
    ['`All` of other members', new All(User), new All(Post)],
    ['`All` and `Lazy`', new All(User), new Lazy(User)],
    ['collections of other members', both, new Collection([Post])],
    ['a list and a map', both, new Collection(new Values(User))],
    ['collections of other names', both, new Collection([User], { name: 'own' })],
    [
      'collections with other options',
      new Collection([User], { nonFilterArgumentKeys: ['sort'] }),
      new Collection([User], { nonFilterArgumentKeys: ['page'] }),
    ],
    ['edits of other kinds', both.push, both.unshift],
    ['edits with other options', both.paginated('page'), both.paginated('cursor')],
    ['edits of other lists', both.getPage, new Collection([Post]).getPage],
    ['a list and its page', both, both.getPage],
    ['unions of other fields', new Union({ a: User }, 'type'), new Union({ a: User }, 'kind')],
    ['unions of other classes', new Union({ a: User }, 'type'), new Union({ a: Post }, 'type')],
    ['unions of other names', new Union({ a: User }, 'type'), new Union({ b: User }, 'type')],
    ['two objects of an unknown class', new URL('http://a'), new URL('http://a')],
  ])('%s', (_, one, other) => {
    expect(areShared(one, other)).toBe(false);
  });
});
