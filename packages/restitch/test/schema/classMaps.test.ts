/** Where several classes may stand, a map of them and what chooses are short for a `Union`. */
import { All, Collection, Controller, Endpoint, Entity, Invalidate, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';

class Link extends Entity {
  id = '';
  type = 'link' as const;
  url = '';
  static override key = 'Link';
}
class Post extends Entity {
  id = '';
  type = 'post' as const;
  text = '';
  static override key = 'Post';
}
const classes = { link: Link, post: Post };
const byFunction = (value: { url?: string }): string => (value.url === undefined ? 'post' : 'link');

const link = { id: '1', type: 'link', url: '/a' };
const post = { id: '1', type: 'post', text: 'x' };

describe.each([
  ['a field', 'type' as const],
  ['a function', byFunction],
])('a map of classes that %s chooses among', (_, choice) => {
  it('holds records of each in Values', async () => {
    const controller = new Controller();
    const getMap = new Endpoint(async () => ({ a: link, b: post }), {
      name: 'getMap',
      schema: new Values(classes, choice),
    });
    const { a, b } = await controller.fetch(getMap);
    expect(a).toBeInstanceOf(Link);
    expect(b).toBeInstanceOf(Post);
    expect(controller.get(Link, { id: '1' })).toBe(a);
    expect(controller.get(Post, { id: '1' })).toBe(b);
  });

  it('is all records of each in All', async () => {
    const controller = new Controller();
    const everything = new All(classes, choice);
    const getAll = new Endpoint(async () => [link, post], { name: 'getAll', schema: everything });
    await controller.fetch(getAll);
    const all = controller.get(everything) ?? [];
    expect(all.map((row) => row.constructor)).toEqual([Link, Post]);
  });

  it('says which record is deleted in Invalidate', async () => {
    const controller = new Controller();
    controller.set(Link, { id: '1' }, link);
    controller.set(Post, { id: '1' }, post);
    const remove = new Endpoint(async (row: object) => row, {
      name: 'remove',
      sideEffect: true,
      schema: new Invalidate(classes, choice),
    });
    await controller.fetch(remove, link);
    expect(controller.get(Link, { id: '1' })).toBeUndefined();
    expect(controller.get(Post, { id: '1' })).toBeInstanceOf(Post);
  });

  it('is the members of a Collection, in a list and in a map', async () => {
    const controller = new Controller();
    const feed = new Collection([classes], { schemaAttribute: choice });
    const getFeed = new Endpoint(async () => [link], { name: 'getFeed', schema: feed });
    const add = new Endpoint(async () => post, {
      name: 'add',
      sideEffect: true,
      schema: getFeed.schema.push,
    });
    await controller.fetch(getFeed);
    expect(await controller.fetch(add)).toBeInstanceOf(Post);
    const current = controller.getResponse(getFeed) ?? [];
    expect(current.map((row) => row.constructor)).toEqual([Link, Post]);

    const byKey = new Collection(new Values(classes, choice));
    const getMap = new Endpoint(async () => ({ a: post }), { name: 'getMap', schema: byKey });
    expect((await controller.fetch(getMap))['a']).toBeInstanceOf(Post);
  });

  it('is the same kind of record as in a Union', async () => {
    const controller = new Controller();
    const short = new Values(classes, choice);
    expect(short.schema).toBeInstanceOf(Union);
    const getOne = new Endpoint(async () => link, {
      name: 'getOne',
      schema: new Union(classes, 'type'),
    });
    const one = await controller.fetch(getOne);
    controller.set(short, undefined, { a: link });
    expect(controller.get(Link, { id: '1' })).toBe(one);
  });
});

it('a union stays the same union, whatever else is said to choose', () => {
  const union = new Union(classes, 'type');
  // Not by type: a `Collection` is made anew from its own schema and options.
  const Untyped = Collection as new (schema: unknown, options: object) => Collection;
  expect(new Untyped([union], { schemaAttribute: 'type' }).schema).toEqual([union]);
});

it('a map of classes without a discriminator is an object of schemas', async () => {
  const controller = new Controller();
  const getMap = new Endpoint(async () => ({ a: { link, post } }), {
    name: 'getMap',
    schema: new Values(classes),
  });
  const { a } = await controller.fetch(getMap);
  expect(a?.link).toBeInstanceOf(Link);
  expect(a?.post).toBeInstanceOf(Post);
});
