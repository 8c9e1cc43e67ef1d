import { Controller, Entity, type EntityClass, type Schema, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Item, listen, manual, openWorld, dataOf, User } from '../support/world.js';

interface Comment {
  text: string;
  about: typeof Item;
  replies: Comment[];
}

/** A comment is no record: it has no key. What it is about is one, and its replies are comments. */
function commentSchema(): Comment {
  const comment: Comment = { text: '', about: Item, replies: [] };
  comment.replies.push(comment);
  return comment;
}

describe('a plain object that holds itself as a schema', () => {
  it('reads records at every depth', async () => {
    const { controller } = openWorld();
    const get = manual('getThread', commentSchema());
    const request = controller.fetch(get.endpoint);
    await get.respond({
      text: 'a',
      about: { id: '1', name: 'one' },
      replies: [{ text: 'b', about: '1', replies: [{ text: 'c', about: { id: '2' } }] }],
    });
    const thread = await request;
    expect(thread.about).toBeInstanceOf(Item);
    expect(thread.replies[0]?.about).toBe(thread.about);
    expect(thread.replies[0]?.replies[0]?.about.id).toBe('2');
    const view = controller.observe(get.endpoint);
    const notified = listen(view);
    controller.set(Item, { id: '2' }, { name: 'two' });
    expect(notified.count).toBe(1);
    expect(dataOf(view)?.replies[0]?.replies[0]?.about.name).toBe('two');
  });

  it('may hold itself in a field', async () => {
    const { controller } = openWorld();
    const schema: { about: typeof Item; parent?: object } = { about: Item };
    schema.parent = schema;
    for (const kind of ['read', 'mutation'] as const) {
      const send = manual(kind, schema, { sideEffect: kind === 'mutation' });
      const request = controller.fetch(send.endpoint);
      await send.respond({ about: { id: '1' }, parent: { about: { id: '2' } } });
      expect(await request).toMatchObject({ about: { id: '1' }, parent: { about: { id: '2' } } });
    }
  });

  it('is the same when it is written out twice', async () => {
    const { controller } = openWorld();
    const get = manual('getThread', commentSchema());
    const same = get.endpoint.extend({ schema: commentSchema() });
    expect(controller.observe(same)).toBe(controller.observe(get.endpoint));
  });

  it('is refused where a response nests it without end, and nothing is stored', async () => {
    const { controller } = openWorld();
    const get = manual('getThread', commentSchema());
    const request = controller.fetch(get.endpoint);
    let response: object = { text: 'leaf', about: { id: 'deep' } };
    for (let depth = 0; depth < 5_000; depth += 1) response = { text: '', replies: [response] };
    const failure = expect(request).rejects.toMatchObject({ code: 'unexpected-shape' });
    await get.respond(response);
    await failure;
    expect(controller.get(Item, { id: 'deep' })).toBeUndefined();
  });

  it('has nothing to do with records, which may be nested in one another to any depth', async () => {
    const { controller } = openWorld();
    const get = manual('getChain', User);
    const request = controller.fetch(get.endpoint);
    let response: object = { id: 'last', name: 'deep' };
    for (let depth = 0; depth < 2_500; depth += 1) response = { id: `${depth}`, friend: response };
    await get.respond(response);
    expect((await request).id).toBe('2499');
    expect(controller.get(User, { id: 'last' })?.name).toBe('deep');
  });

  it('may hold nothing but itself and plain values', async () => {
    const tree: { value: number; children: unknown[] } = { value: 0, children: [] };
    tree.children.push(tree);
    const controller = new Controller();
    const get = manual('getTree', tree);
    const request = controller.fetch(get.endpoint);
    await get.respond({ value: 1, children: [{ value: 2, children: [] }] });
    expect(await request).toEqual({ value: 1, children: [{ value: 2, children: [] }] });
  });

  it('may have values to deserialize, as a field of a record', () => {
    const node: Record<string, unknown> = { at: Date };
    node['next'] = node;
    class Chain extends Entity {
      id = '';
      first: { at: Date; next?: { at: Date } } | undefined = undefined;
      static override key = 'RecursiveChain';
      static override schema: Record<string, unknown> = { first: node };
    }
    const controller = new Controller();
    const first = { at: '2026-01-01', next: { at: '2026-01-02' } };
    controller.set(Chain, {}, { id: '1', first } as object);
    expect(controller.get(Chain, { id: '1' })?.first).toEqual({
      at: new Date('2026-01-01'),
      next: { at: new Date('2026-01-02') },
    });
  });

  it('is a field of a record too', () => {
    class Page extends Entity {
      id = '';
      thread: unknown = undefined;
      static override key = 'Page';
      static override schema = { thread: commentSchema() };
    }
    const { controller } = openWorld();
    controller.set(Page, { id: 'p' }, { thread: { replies: [{ about: { id: '7' } }] } });
    expect(controller.get(Page, { id: 'p' })?.thread).toEqual({
      replies: [{ about: controller.get(Item, { id: '7' }) }],
    });
  });
});

describe('a schema in a response and in the records of this response', () => {
  const one = { id: '1', name: 'a' };
  const other = { id: '2', name: 'b' };
  it.each([
    ['an array', (item) => [item], (item) => [item]],
    ['an object', (item) => ({ item }), (item) => ({ item })],
    ['a map', (item) => new Values(item), (item) => ({ x: item })],
    ['an array in an object', (item) => ({ list: [item] }), (item) => ({ list: [item] })],
    ['an array of objects', (item) => [{ item }], (item) => [{ item }]],
    ['a map of arrays', (item) => new Values([item]), (item) => ({ x: [item] })],
    ['a union', (item) => [new Union({ a: item }, () => 'a')], (item) => [item]],
  ] satisfies readonly [string, (item: EntityClass) => Schema, (item: object) => unknown][])(
    'stores the records of the field: %s',
    async (_, schemaOf, sent) => {
      class Node extends Entity {
        id = '';
        name = '';
        children: unknown = undefined;
        static override key = 'Node';
        static override schema: Record<string, Schema> = {};
      }
      const schema = schemaOf(Node);
      Node.schema = { children: schema };
      const { controller } = openWorld();
      const get = manual('getNodes', schema);
      const request = controller.fetch(get.endpoint);
      await get.respond(sent({ ...one, children: sent(other) }));
      await request;
      expect(controller.get(Node, { id: '2' })).toMatchObject(other);
      const view = controller.observe(get.endpoint);
      const notified = listen(view);
      controller.set(Node, { id: '2' }, { name: 'new' });
      expect(notified.count).toBe(1);
      expect(controller.get(Node, { id: '1' })?.children).toEqual(
        sent(expect.objectContaining({ id: '2', name: 'new' })),
      );
    },
  );
});
