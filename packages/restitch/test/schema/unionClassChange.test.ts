import {
  Controller,
  Entity,
  indexBy,
  Invalidate,
  Query,
  resource,
  RestEndpoint,
  Union,
  Values,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { manual, mutation } from '../support/world.js';

abstract class Item extends Entity {
  id = '';
  type = '';
  slug = '';
  title = '';
}
class Draft extends Item {
  override type = 'draft' as const;
  static override key = 'ChangingDraft';
  static override indexes = indexBy('slug');
}
class Post extends Item {
  override type = 'post' as const;
  static override key = 'ChangingPost';
  static override indexes = indexBy('slug');
}

const feed = new Union({ draft: Draft, post: Post }, 'type');
const draft = { id: '1', type: 'draft', slug: 'a', title: 'secret' };
const post = { id: '1', type: 'post', slug: 'a', title: 'published' };
const server = await serverOfFile();

function open(options: object = {}) {
  const controller = new Controller({ environment: { now: () => 1_000 }, ...options });
  const Feed = resource({ urlPrefix: server.origin, path: '/feed/:id', schema: feed });
  const list = (...rows: readonly object[]) => controller.setResponse(Feed.getList, rows as never);
  return { controller, Feed, list };
}

describe('an endpoint without a response, where records of several classes match', () => {
  it('is pending, and fetches', async () => {
    const { controller, Feed, list } = open();
    list(draft);
    expect(controller.getResponse(Feed.get, { id: '1' })).toMatchObject(draft);
    list(post);
    const view = controller.observe(Feed.get, { id: '1' });
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    expect(view.needsLoad()).toBe(true);
    expect(controller.getResponse(Feed.get, { id: '1' })).toBeUndefined();
    server.respond(() => post);
    const before = server.seen.length;
    expect(await controller.fetchIfStale(Feed.get, { id: '1' })).toBeInstanceOf(Post);
    expect(server.seen.length - before).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: post, stale: false });
  });

  it('notifies a mounted reader, which fetches', () => {
    const { controller, Feed, list } = open();
    list(draft);
    const view = controller.observe(Feed.get, { id: '1' });
    const listener = vi.fn();
    view.subscribe(listener);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: draft });
    list(post);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(view.needsLoad(true)).toBe(true);
  });

  it('reads the other record once one is deleted', () => {
    const { controller, Feed, list } = open();
    list(draft, post);
    const view = controller.observe(Feed.get, { id: '1' });
    view.subscribe(() => {});
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
    controller.set(new Invalidate(Draft), {}, '1');
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: post, stale: false });
    controller.set(new Invalidate(Post), {}, '1');
    expect(view.getSnapshot()).toEqual({ status: 'pending', deleted: true });
  });

  it('keeps its last response', () => {
    const { controller, Feed, list } = open();
    controller.setResponse(Feed.get, { id: '1' }, draft as never);
    list(post);
    expect(controller.getResponse(Feed.get, { id: '1' })).toMatchObject(draft);
  });

  it.each([
    ['an envelope', { data: feed }, { id: '1' }],
    ['a query', new Query(feed, ({ title }) => title), { id: '1' }],
    ['an envelope of a query', { data: new Query(feed, ({ title }) => title) }, { id: '1' }],
  ])('is pending in %s', (_, schema, args) => {
    const { controller, list } = open();
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/feed/:id', schema });
    list(draft);
    expect(controller.observe(get, args).getSnapshot().status).toBe('ready');
    list(post);
    expect(controller.observe(get, args).getSnapshot()).toEqual({ status: 'pending' });
  });

  it('is pending if an indexed field names the records', () => {
    const { controller, list } = open();
    const args = { slug: 'a' };
    const get = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/by-slug/:slug',
      schema: feed,
    });
    list(draft);
    expect(controller.observe(get, args).getSnapshot().status).toBe('ready');
    list(post);
    expect(controller.observe(get, args).getSnapshot()).toEqual({ status: 'pending' });
    expect(controller.get(feed, args)).toMatchObject(post);
  });

  it('reads a record whose class the arguments select', () => {
    const { controller, list } = open();
    const get = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/feed/:type/:id',
      schema: feed,
    });
    list(draft, post);
    for (const row of [draft, post]) {
      const { id, type } = row;
      expect(controller.getResponse(get, { id, type: type as 'post' })).toMatchObject(row);
    }
  });

  it('reads a record whose classes share a key', () => {
    class Car extends Entity {
      id = '';
      type = '';
      static override key = 'ChangingVehicle';
    }
    class Truck extends Car {}
    const Vehicles = resource({
      path: '/vehicles/:id',
      schema: new Union({ car: Car, van: Car, truck: Truck }, 'type'),
    });
    const { controller } = open();
    for (const [type, one] of [
      ['car', Car],
      ['truck', Truck],
      ['van', Car],
    ] as const) {
      controller.setResponse(Vehicles.getList, [{ id: '1', type }]);
      const view = controller.observe(Vehicles.get, { id: '1' });
      expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { type }, stale: false });
      expect(controller.getResponse(Vehicles.get, { id: '1' })).toBeInstanceOf(one);
    }
  });
});

describe('a query of a union, where records of several classes match', () => {
  it.each([
    ['within one millisecond', {}],
    ['with responses that expire at once', { dataExpiryLength: 0 }],
  ])('returns the newest record, also of equal content, %s', async (_, options) => {
    const { controller, Feed } = open(options);
    const view = controller.observeQuery(feed, { id: '1' });
    view.subscribe(() => {});
    for (const row of [draft, post, draft, post, { ...draft, title: 'back' }, post]) {
      server.respond(() => [row]);
      await controller.fetch(Feed.getList);
      expect(controller.get(feed, { id: '1' })).toMatchObject(row);
      expect(view.getSnapshot()).toMatchObject({ data: row });
    }
  });

  it('ignores the class in a response that is older than the change', async () => {
    const { controller } = open();
    const list = manual('feed', [feed]);
    const publish = mutation('publish', feed);
    const read = controller.fetch(list.endpoint);
    const change = controller.fetch(publish.endpoint, {});
    await publish.respond(post);
    await change;
    await list.respond([draft]);
    await read;
    expect(controller.get(feed, { id: '1' })).toMatchObject(post);
  });

  it('notifies no reader of equal content of the same class', () => {
    const { controller, Feed, list } = open();
    list(draft);
    list(post);
    const listener = vi.fn();
    controller.observeQuery(feed, { id: '1' }).subscribe(listener);
    controller.observe(Feed.getList).subscribe(listener);
    const before = controller.get(feed, { id: '1' });
    controller.set([feed], {}, [post] as never);
    expect(listener).not.toHaveBeenCalled();
    expect(controller.get(feed, { id: '1' })).toBe(before);
    controller.set([feed], {}, [draft] as never);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('counts local writes', () => {
    const { controller } = open();
    controller.set(Draft, { id: '1' }, draft as never);
    controller.set(Post, { id: '1' }, post as never);
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Post);
    controller.set(feed, {}, draft as never);
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Draft);
    for (const one of [Post, Draft, Post]) {
      controller.set(one, { id: '1' }, (row) => row && { ...row, title: 'edited' });
      expect(controller.get(feed, { id: '1' })).toBeInstanceOf(one);
      const other = one === Post ? draft : post;
      controller.set(feed, {}, other as never);
      expect(controller.get(feed, { id: '1' })).toMatchObject(other);
    }
  });

  it('returns the record of another class once the newest is deleted', () => {
    const { controller, list } = open();
    list(draft);
    list(post);
    const view = controller.observeQuery(feed, { id: '1' });
    view.subscribe(() => {});
    controller.set(new Invalidate(Post), {}, '1');
    expect(view.getSnapshot()).toMatchObject({ data: draft });
  });

  it('returns the newest record of a nested union, and of hydrated state', () => {
    let now = 1_000;
    const first = open({ environment: { now: () => now } });
    const outer = new Union({ draft: Draft, post: feed }, 'type');
    first.list(draft);
    now += 1_000;
    first.list(post);
    expect(first.controller.get(outer, { id: '1' })).toBeInstanceOf(Post);
    const { controller, Feed, list } = open({ environment: { now: () => now } });
    hydrate(controller, JSON.parse(JSON.stringify(getState(first.controller))));
    expect(controller.getResponse(Feed.getList)).toMatchObject([post]);
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Post);
    now += 1_000;
    list(draft);
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Draft);
  });

  it('reads the newest record in optimistic functions, edits and deletes', async () => {
    const { controller, list } = open();
    const Feed = resource({
      urlPrefix: server.origin,
      path: '/feed/:id',
      schema: feed,
      optimistic: true,
    });
    list(draft);
    list(post);
    server.respond(() => ({ id: '1', title: 'edited' }));
    const edit = controller.fetch(Feed.partialUpdate, { id: '1' }, { title: 'edited' });
    expect(controller.get(Post, { id: '1' })?.title).toBe('edited');
    expect(controller.get(Draft, { id: '1' })?.title).toBe('secret');
    expect(await edit).toBeInstanceOf(Post);
    const like = Feed.partialUpdate.extend({
      getOptimisticResponse: (snapshot, params) => {
        expect(snapshot.getResponse(Feed.get, params)).toBeUndefined();
        return { ...snapshot.get(feed, params), title: 'liked' };
      },
    });
    const liked = controller.fetch(like, { id: '1' }, {});
    expect(controller.get(feed, { id: '1' })).toMatchObject({ type: 'post', title: 'liked' });
    await liked;
    server.respond((_, response) => void response.writeHead(204).end());
    expect(await controller.fetch(Feed.delete, { id: '1' })).toBeInstanceOf(Post);
    // The delete can name either record, so the list is fetched again.
    expect(controller.get(feed, { id: '1' })).toBeInstanceOf(Post);
    expect(controller.observe(Feed.getList).needsLoad()).toBe(true);
  });

  it('is not changed by maps of the same union', () => {
    const { controller } = open();
    const map = new Values(feed);
    const get = new RestEndpoint({ path: '/map', schema: map });
    controller.setResponse(get, { a: draft, b: post } as never);
    expect(controller.getResponse(get)).toMatchObject({ a: draft, b: post });
  });
});

describe('a record that changes its class, where the classes share a key', () => {
  class Task extends Item {
    override type = 'task' as const;
    static override key = 'SharedItem';
  }
  class Bug extends Item {
    override type = 'bug' as const;
    static override key = 'SharedItem';
  }

  it.each(['partialUpdate', 'move'] as const)(
    'is fetched again with its lists: %s',
    async (name) => {
      const Items = resource({
        urlPrefix: server.origin,
        path: '/shared/:id',
        schema: new Union({ task: Task, bug: Bug }, 'type'),
        searchParams: {} as { type?: string } | undefined,
        body: {} as { type: string },
      });
      let row = { id: '1', type: 'task' };
      server.respond(({ method, url }) => {
        if (method === 'PATCH') return (row = { ...row, type: 'bug' });
        const type = new URL(url, server.origin).searchParams.get('type');
        return [row].filter((one) => type === null || one.type === type);
      });
      const controller = new Controller();
      const views = [undefined, { type: 'task' }].map((args) => {
        const view = controller.observe(Items.getList, args);
        view.subscribe(() => {
          if (view.needsLoad(true)) void view.load();
        });
        return view;
      });
      await Promise.all(views.map((view) => view.load()));
      const update = name === 'move' ? Items.getList.move : Items.partialUpdate;
      await controller.fetch(update, { id: '1' }, { type: 'bug' });
      const shown = () =>
        views.map((view) => {
          const snapshot = view.getSnapshot();
          return snapshot.status === 'ready' && snapshot.data.map((one) => one.constructor);
        });
      await expect.poll(shown).toEqual([[Bug], []]);
    },
  );
});
