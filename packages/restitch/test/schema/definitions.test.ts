/** Schemas that cannot be meant say so: where they are made, or when they are first used. */
import {
  All,
  Collection,
  Controller,
  Entity,
  EntityMixin,
  Invalidate,
  Lazy,
  Query,
  type Schema,
  Union,
  Values,
} from 'restitch';
import { describe, expect, it } from 'vitest';

class User extends Entity {
  id = '';
  type = '';
  static override key = 'DefinedUser';
}

describe('is refused where it is made:', () => {
  it.each<[claim: string, make: () => unknown, message: RegExp]>([
    ['`All` without a class', () => new All(undefined as never), /new All\(entity\)/],
    ['`Invalidate` without a class', () => new Invalidate(undefined as never), /new Invalidate/],
    ['`Lazy` without a schema', () => new Lazy(undefined), /new Lazy/],
    ['`Values` without a schema', () => new Values(undefined), /new Values/],
    ['`Query` without a schema', () => new Query(undefined as never, () => 1), /new Query/],
    ['a collection of a class', () => new Collection(User as never), /exactly one member/],
    ['a collection of nothing', () => new Collection([] as never), /exactly one member/],
    ['a collection of two', () => new Collection([User, User] as never), /exactly one member/],
    ['a collection of a text', () => new Collection('u' as never), /exactly one member/],
    ['a union of nothing', () => new Union(undefined as never, 'type'), /new Union/],
    ['a union without a choice', () => new Union({ user: User }, '' as never), /new Union/],
    ['a mixin without a class', () => EntityMixin({} as never), /EntityMixin\(Base\)/],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('is refused whenever it is used:', () => {
  const unionOfLists = new Union({ user: [User] as never }, 'type');
  class Circular extends Entity {
    id = '';
    static override key = 'CircularlyImported';
    static override schema = { author: undefined as unknown };
  }

  it.each<[claim: string, schema: unknown, message: RegExp]>([
    ['an array of two', [User, User], /holds exactly one schema, that of its members/],
    ['a collection of plain values', new Collection([Date as never]), /new Collection/],
    ['a collection of arrays', new Collection([[User]] as never), /new Collection/],
    ['a map of plain values', new Collection(new Values(Date) as never), /new Collection/],
    ['all of a constructor', new All(Date as never), /new All/],
    ['the end of a constructor', new Invalidate(Date as never), /new Invalidate/],
    ['a union of lists', unionOfLists, /definition of a `Union` can also contain unions/],
    [
      'a union of a constructor',
      new Union({ user: Date as never }, 'type'),
      /definition of a `Union`/,
    ],
    ['a class with a field that is not there yet', Circular, /has undefined for `author`/],
    [
      'an array of what is not there yet',
      [undefined],
      /array .* undefined for its members.*circular/,
    ],
    ['what holds such a class', [{ post: Circular }], /has undefined for `author`/],
  ])('%s', (_, schema, message) => {
    const controller = new Controller();
    for (const attempt of ['first', 'second']) {
      expect(() => controller.set(schema as never, {}, { type: 'user' }), attempt).toThrow(message);
    }
  });

  it('until it is put right', () => {
    class Late extends Entity {
      id = '';
      static override key = 'DefinedLate';
      static override schema: Record<string, unknown> = { author: undefined };
    }
    const controller = new Controller();
    const write = (): void => {
      controller.set(Late as never, { id: '1' }, { author: { id: 'a' } });
    };
    expect(write).toThrow(TypeError);
    Late.schema = { author: User };
    write();
    expect(controller.get(User, { id: 'a' })?.id).toBe('a');
  });
});

describe('a schema in use', () => {
  const openClass = () => {
    class Post extends Entity {
      id = '';
      static override schema: Record<string, Schema> = { author: User };
    }
    const schema: Schema[] = [Post];
    new Controller().get({ posts: schema }, {});
    return { Post, schema };
  };

  it('gets no other fields in a class', () => {
    const { Post } = openClass();
    const change = (): void => {
      Post.schema = { author: User, editor: User };
    };
    expect(change).toThrow(TypeError);
    expect(change).toThrow(/schema of Post was set after the first use/);
    expect(() => Object.assign(Post.schema, { editor: User })).toThrow(TypeError);
    expect(Post.schema).toEqual({ author: User });
  });

  it('may be assigned with the same fields, as a hot reload does', () => {
    const { Post } = openClass();
    Post.schema = { author: User };
    expect(Post.schema).toEqual({ author: User });
    expect(() => (Post.schema = { editor: User })).toThrow(/after the first use/);
  });

  it('does not hinder subclasses', () => {
    const { Post } = openClass();
    class Own extends Post {
      static override schema: Record<string, Schema> = { editor: User };
    }
    class Assigned extends Post {}
    Assigned.schema = { editor: User, reviewer: User };
    expect([Own.schema, Assigned.schema, Post.schema].map((one) => Object.keys(one))).toEqual([
      ['editor'],
      ['editor', 'reviewer'],
      ['author'],
    ]);
  });

  it('gets no other members in an endpoint', () => {
    const { schema } = openClass();
    expect(() => schema.push(User)).toThrow(TypeError);
  });
});
