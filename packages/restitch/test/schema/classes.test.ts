import { Collection, Entity, Invalidate, Union, Values } from 'restitch';
import { describe, expect, it } from 'vitest';
import { Item, manual, mutation, openWorld, User } from '../support/world.js';

describe('a class', () => {
  it('with a pk of its own is not confused by a field called pk', async () => {
    class Article extends Entity {
      slug = '';
      static override key = 'Article';
      override pk(): string {
        return this.slug;
      }
    }
    const { controller } = openWorld();
    const { endpoint, respond } = manual('getArticle', Article);
    const request = controller.fetch(endpoint, { slug: 'a' });
    await respond({ slug: 'a', pk: 12 });
    expect(await request).toMatchObject({ slug: 'a', pk: 12 });
    expect(controller.get(Article, { slug: 'a' })).toBe(await request);
  });

  it('is refused each time it is used while its schema is wrong', () => {
    class Wrong extends Entity {
      id = '';
      static override key = 'Wrong';
      static override schema = { tags: [Item, User], author: Item };
    }
    const { controller } = openWorld();
    const write = () => controller.set(Wrong, { id: '1' }, { author: { id: 'x' } });
    expect(write).toThrow(TypeError);
    expect(write).toThrow(TypeError);
    expect(controller.get(Item, { id: 'x' })).toBeUndefined();
  });

  it('with deserializers and no relations has frozen instances', () => {
    class Event extends Entity {
      id = '';
      at = new Date(0);
      static override key = 'Event';
      static override schema = { at: Date };
    }
    const { controller } = openWorld();
    controller.set(Event, { id: '1' }, { at: 86_400_000 });
    const event = controller.get(Event, { id: '1' });
    expect(event?.at).toEqual(new Date(86_400_000));
    expect(Object.isFrozen(event)).toBe(true);
  });
});

describe('names that every object has are ordinary data', () => {
  it('as ids, fields and list arguments', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('users', { list: new Collection([User]) });
    const args = (value: string): unknown => JSON.parse(`{"__proto__":"${value}"}`);
    const row: unknown = JSON.parse(
      '{"id":"__proto__","__proto__":{"polluted":1},"constructor":2,"friend":{"id":"constructor"}}',
    );
    controller.setResponse(endpoint, args('v'), { list: [] });
    controller.setResponse(endpoint, args('w'), { list: [row] });
    const [user] = controller.getResponse(endpoint, args('w'))?.list ?? [];
    expect(user).toBeInstanceOf(User);
    expect(Object.getOwnPropertyDescriptor(user, '__proto__')?.value).toEqual({ polluted: 1 });
    expect(Object.getOwnPropertyDescriptor(user, 'constructor')?.value).toBe(2);
    expect(user?.friend?.id).toBe('constructor');
    expect(controller.getResponse(endpoint, args('v'))?.list).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });

  it('as keys of Values', () => {
    const { controller } = openWorld();
    const { endpoint } = manual('byName', new Values(Item));
    controller.setResponse(
      endpoint,
      JSON.parse('{"__proto__":{"id":"1","name":"a"},"b":{"id":"2"}}'),
    );
    const values = controller.getResponse(endpoint) ?? {};
    expect(Object.keys(values)).toEqual(['__proto__', 'b']);
    expect(Object.getOwnPropertyDescriptor(values, '__proto__')?.value).toBe(
      controller.get(Item, { id: '1' }),
    );
  });
});

describe('a text in a response', () => {
  it('never stands for a stored row of a union, whatever it spells', () => {
    class Link extends Entity {
      id = '';
      type = 'link';
      secret = '';
      static override key = 'Link';
    }
    const { controller } = openWorld();
    controller.set(Link, { id: '1' }, { secret: 'hidden' });
    const { endpoint } = manual('attachments', [new Union({ link: Link }, 'type')]);
    controller.setResponse(endpoint, ['\u0000["link","1"]', { id: '2', type: 'link' }]);
    const current: readonly unknown[] = controller.getResponse(endpoint) ?? [];
    expect(current.filter((value) => value instanceof Link)).toEqual([
      Link.fromJS({ id: '2', type: 'link' }),
    ]);
  });
});

describe('Invalidate', () => {
  it('takes the row of the arguments when an endpoint that is not REST responds with null', async () => {
    const { controller } = openWorld();
    controller.set(Item, { id: '1' }, { name: 'a' });
    const remove = mutation('remove', new Invalidate(Item));
    const request = controller.fetch(remove.endpoint, { id: '1' });
    await remove.respond(null);
    expect((await request)?.name).toBe('a');
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
  });

  it('in a larger response takes its row, and keeps its place for one that comes back', async () => {
    const { controller } = openWorld();
    controller.set([Item], {}, [{ id: '1' }, { id: '2' }]);
    const get = manual('getChanges', { gone: [new Invalidate(Item)], last: Item });
    const request = controller.fetch(get.endpoint);
    await get.respond({ gone: ['1', { id: '3' }], last: { id: '2', name: 'b' } });
    expect(await request).toEqual({ gone: [], last: controller.get(Item, { id: '2' }) });
    expect(controller.get(Item, { id: '1' })).toBeUndefined();
    controller.set(Item, { id: '3' }, { name: 'again' });
    expect(controller.getResponse(get.endpoint)).toMatchObject({
      gone: [{ name: 'again' }],
      last: { name: 'b' },
    });
  });
});
