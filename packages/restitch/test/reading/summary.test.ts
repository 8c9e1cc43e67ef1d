/** A row that other responses brought is current for an endpoint without a response only if it is complete for the reader's class. */
import {
  Collection,
  Controller,
  Entity,
  indexBy,
  Invalidate,
  Query,
  type Schema,
  type Snapshot,
  Union,
} from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { flush, ignore, listen, manual, mutation, openWorld } from '../support/world.js';
import { responding, follow } from './cases.js';

class Author extends Entity {
  id = '';
  name = '';
}

class Article extends Entity {
  id = '';
  title = '';
  body = '';
  subtitle: string | undefined = undefined;
  declare editor?: string;
  static override key = 'Article';
  static override indexes = indexBy('title');
  get headline() {
    return this.title.toUpperCase();
  }
  shout = (): string => `${this.title}!`;
}

const params = { id: '1' };
const summary = { id: '1', title: 'one' };
const whole = { ...summary, body: 'text' };

/** A list whose response held these rows, and the question of one of them. */
function open<S extends Schema = typeof Article>(row: object = summary, schema?: S) {
  const world = openWorld();
  const list = manual('getArticles', [Article]);
  world.controller.setResponse(list.endpoint, [row]);
  // The cast: the class is the schema where none is given.
  const get = manual('getArticle', (schema ?? Article) as S);
  const view = world.controller.observe(get.endpoint, params);
  return { ...world, list, get, view };
}

describe('a summary that a list brought', () => {
  it('is waited for in full, as if nothing were there', async () => {
    const { controller, get, view } = open();
    expect(view.getSnapshot().status).toBe('pending');
    expect(view.needsLoad()).toBe(true);
    expect(controller.getResponse(get.endpoint, params)).toBeUndefined();
    follow(view);
    await get.respond(whole);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: whole, stale: false });
    expect(get.calls).toHaveLength(1);
  });

  it('is given to those who never wait', () => {
    const { controller, view } = open();
    expect(controller.get(Article, params)).toMatchObject({ title: 'one', body: '' });
    expect(view.getSnapshot()).toMatchObject({ status: 'pending', known: { title: 'one' } });
  });

  it('is fetched by `fetchIfStale`', async () => {
    const { controller, get } = open();
    const promise = controller.fetchIfStale(get.endpoint, params);
    await get.respond(whole);
    expect(await promise).toMatchObject(whole);
  });

  it('notifies its readers when it becomes whole, also where it shows the same', async () => {
    const { controller, list, view } = open();
    const notified = listen(view);
    controller.setResponse(list.endpoint, [{ ...summary, body: '' }]);
    expect(notified.count).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { body: '' } });
    expect(view.needsLoad()).toBe(false);
  });

  it('is no response to an optimistic update, which sees it by its schema', async () => {
    const { controller, get } = open();
    const seen: unknown[] = [];
    const update = mutation('update', Article, (snapshot: Snapshot) => {
      seen.push([
        snapshot.getResponse(get.endpoint, params)?.title,
        snapshot.get(Article, params)?.title,
      ]);
      return { id: '1', title: 'optimistic' };
    });
    ignore(controller.fetch(update.endpoint, params));
    expect(seen).toEqual([[undefined, 'one']]);
  });

  it('is refused by `validate` as before', () => {
    class Strict extends Article {
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return 'body' in value ? undefined : 'it has no body';
      }
    }
    const { view } = open(summary, Strict);
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
  });
});

describe('a row with every field that the class declares with a default', () => {
  it('reads fresh, without a request', () => {
    const { view } = open(whole);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: whole, stale: false });
    expect(view.needsLoad()).toBe(false);
  });

  it.each([
    ['by an indexed field', Article, { title: 'one' }],
    ['through a query', new Query(Article, (article) => article), params],
    ['through a union', new Union({ article: Article }, () => 'article'), params],
  ] as const)('is distinguished from a summary %s', (_, schema, args) => {
    const { controller, list } = open();
    const read = responding<Schema, object>(schema, () => whole);
    const view = controller.observe(read.endpoint, args as { id: string });
    expect(view.getSnapshot().status).toBe('pending');
    controller.setResponse(list.endpoint, [whole]);
    expect(view.getSnapshot().status).toBe('ready');
  });

  it('holds null as a value', () => {
    expect(open({ ...summary, body: null }).view.getSnapshot().status).toBe('ready');
    expect(open({ ...summary, body: undefined }).view.getSnapshot().status).toBe('pending');
  });

  it('has what `static defaults` declares', () => {
    class Tagged extends Article {
      static override defaults = { tags: [], body: undefined };
    }
    expect(open(whole, Tagged).view.getSnapshot().status).toBe('pending');
    expect(open({ ...summary, tags: [] }, Tagged).view.getSnapshot().status).toBe('ready');
  });

  it('may be whole for one class and a summary for a larger one of the same key', async () => {
    class Longer extends Article {
      footnotes = '';
    }
    const { controller, get, view } = open(whole, Longer);
    expect(controller.observe(manual('get', Article).endpoint, params).getSnapshot().status).toBe(
      'ready',
    );
    expect(view.getSnapshot().status).toBe('pending');
    follow(view);
    await get.respond({ ...whole, footnotes: '1' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { footnotes: '1' } });
  });
});

describe('a field that is a relation', () => {
  class Comment extends Entity {
    id = '';
  }
  class Post extends Entity {
    id = '';
    author: Author | null = null;
    comments: Comment[] = [];
    tags: Author[] = [];
    static override schema = {
      author: Author,
      comments: new Collection([Comment], { nestKey: ({ id }: { id: string }) => ({ post: id }) }),
      tags: [Author],
    };
  }
  const get = manual('getPost', Post);
  const post = { id: '1', author: { id: 'a' }, comments: [], tags: [] };
  const openPost = (fields: object) => {
    const { controller } = openWorld();
    const list = manual('getPosts', [Post]);
    controller.setResponse(list.endpoint, [{ ...post, ...fields }]);
    return { controller, view: controller.observe(get.endpoint, params) };
  };

  it('is there with its row, whatever that lacks, and with null', () => {
    expect(openPost({}).view.getSnapshot().status).toBe('ready');
    expect(openPost({ author: null }).view.getSnapshot().status).toBe('ready');
  });

  it('is not there while one of its rows is unknown', () => {
    expect(openPost({ tags: ['b'] }).view.getSnapshot().status).toBe('pending');
    expect(openPost({ tags: [{ id: 'b' }] }).view.getSnapshot().status).toBe('ready');
  });

  it('is not there while its row is unknown, and its readers are notified when that comes', () => {
    const { controller, view } = openPost({ author: 'b' });
    expect(view.getSnapshot().status).toBe('pending');
    const notified = listen(view);
    controller.set(Author, { id: 'b' }, { name: 'Bo' });
    expect(notified.count).toBe(1);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { author: { name: 'Bo' } } });
  });

  it('is there where its row was deleted: no response would say more', () => {
    const { controller, view } = openPost({});
    controller.set(new Invalidate(Author), {}, { id: 'a' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { author: null } });
  });

  it('is not there where its list is unknown', () => {
    const { controller } = openWorld();
    controller.set(Post, params, { author: null, tags: [] });
    expect(controller.observe(get.endpoint, params).getSnapshot().status).toBe('pending');
  });
});

describe('a response that leaves fields out', () => {
  it('is the result of its own key all the same', async () => {
    const { get, view } = open();
    follow(view);
    await get.respond(summary);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { body: '' }, stale: false });
    expect(view.needsLoad()).toBe(false);
    await flush();
    expect(get.calls).toHaveLength(1);
  });

  it('stays that where it is exported and loaded again', async () => {
    const { controller, get, view } = open();
    follow(view);
    await get.respond(summary);
    const { controller: other } = openWorld();
    hydrate(other, JSON.parse(JSON.stringify(getState(controller))));
    expect(other.observe(get.endpoint, params).getSnapshot()).toMatchObject({ status: 'ready' });
    expect(other.observe(get.endpoint, params).needsLoad()).toBe(false);
  });

  it('writes nothing to rows that come without their responses', () => {
    const { controller, get } = open();
    const { controller: other } = openWorld();
    hydrate(other, JSON.parse(JSON.stringify(getState(controller))));
    expect(other.observe(get.endpoint, params).getSnapshot().status).toBe('pending');
  });
});

describe('a record that had a full response and lost fields', () => {
  it('is asked for where it was deleted and came back as a summary', async () => {
    const { controller, get, list, view } = open();
    follow(view);
    await get.respond(whole);
    controller.batch(() => {
      controller.set(new Invalidate(Article), {}, params);
      controller.setResponse(list.endpoint, [summary]);
    });
    expect(view.getSnapshot()).toMatchObject({ status: 'pending', known: summary });
    await get.respond({ ...whole, body: 'again' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { body: 'again' } });
    expect(get.calls).toHaveLength(2);
  });

  it('is fetched where it was evicted and came back as a summary', async () => {
    const idle: (() => void)[] = [];
    const clock = { now: 1_000_000 };
    const controller = new Controller({
      environment: { now: () => clock.now, whenIdle: (run) => (idle.push(run), () => {}) },
    });
    const get = manual('getArticle', Article);
    const fetching = controller.fetch(get.endpoint, params);
    await get.respond(whole);
    await fetching;
    clock.now += 1_000_000;
    while (idle.length > 0) idle.shift()?.();
    controller.setResponse(manual('getArticles', [Article]).endpoint, [summary]);
    const view = controller.observe(get.endpoint, params);
    expect(view.getSnapshot()).toMatchObject({ status: 'pending', known: summary });
    expect(view.needsLoad()).toBe(true);
  });

  it('is not asked for because of fields that its own response left out', async () => {
    const { controller, get, list, view } = open();
    follow(view);
    await get.respond(summary);
    controller.batch(() => {
      controller.set(new Invalidate(Article), {}, params);
      controller.setResponse(list.endpoint, [summary]);
    });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: summary });
    expect(get.calls).toHaveLength(1);
  });
});

describe('a row that was only created here', () => {
  it('is shown as it is until the server names it, then it is a row like any other', async () => {
    const { controller } = openWorld();
    const articles = new Collection([Article]);
    const list = manual('getArticles', articles);
    controller.setResponse(list.endpoint, []);
    const create = mutation('create', articles.push, (_, body: object) => body);
    ignore(controller.fetch(create.endpoint, { title: 'new' }));
    const id = controller.getResponse(list.endpoint)?.[0]?.id ?? '';
    const get = manual('getArticle', Article);
    const view = controller.observe(get.endpoint, { id });
    follow(view);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'new' } });
    expect(get.calls).toHaveLength(0);
    await create.respond({ id: '7', title: 'new' });
    expect(view.getSnapshot().status).toBe('pending');
    await get.respond({ id: '7', title: 'new', body: 'made by the server' });
    expect(get.calls[0]?.args).toEqual([{ id: '7' }]);
    expect(view.getSnapshot()).toMatchObject({ data: { body: 'made by the server' } });
  });
});

describe('a class with `static partial`', () => {
  class Partial extends Article {
    static override partial = true;
  }

  it('shows known fields at once and completes them in the background', async () => {
    const { controller, get, view } = open(summary, Partial);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: summary, partial: true });
    expect(controller.getResponse(get.endpoint, params)).toMatchObject(summary);
    follow(view);
    expect(get.calls).toHaveLength(1);
    await get.respond(whole);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: whole });
    expect(view.getSnapshot()).not.toHaveProperty('partial');
    expect(view.needsLoad()).toBe(false);
    expect(get.calls).toHaveLength(1);
  });

  it('notifies that the record is whole where the response brings nothing new', async () => {
    const { get, view } = open(summary, Partial);
    const notified = listen(view);
    void view.load();
    await get.respond(summary);
    expect(notified.count).toBe(1);
    expect(view.getSnapshot()).not.toHaveProperty('partial');
  });

  it('is fetched by `fetchIfStale`', async () => {
    const { controller, get } = open(summary, Partial);
    const promise = controller.fetchIfStale(get.endpoint, params);
    await get.respond(whole);
    expect(await promise).toMatchObject(whole);
  });

  it('goes on showing known fields where the request fails softly', async () => {
    const { controller } = open(summary, Partial);
    const get = manual('getSoftly', Partial, { errorPolicy: () => 'soft' });
    const view = controller.observe(get.endpoint, params);
    follow(view);
    await get.fail(new Error('the server is down'));
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: summary, partial: true });
    expect(view.needsLoad()).toBe(false);
    await flush();
    expect(get.calls).toHaveLength(1);
  });

  it('asks once after a response that takes fields away', async () => {
    const { controller, get, list, view } = open(summary, Partial);
    follow(view);
    await get.respond(whole);
    controller.batch(() => {
      controller.set(new Invalidate(Article), {}, params);
      controller.setResponse(list.endpoint, [summary]);
    });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', partial: true });
    expect(get.calls).toHaveLength(2);
    await get.respond(whole);
    expect(view.getSnapshot()).toMatchObject({ data: whole });
  });

  it('ends asking where `shouldUpdate` keeps the summary', async () => {
    class Keeping extends Partial {
      static override shouldUpdate(): boolean {
        return false;
      }
    }
    const { controller } = open(summary, Keeping);
    const { endpoint, requests } = responding(Keeping, () => whole);
    const view = controller.observe(endpoint, params);
    follow(view);
    await flush();
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: summary, partial: true });
    expect(requests()).toBeLessThanOrEqual(2);
  });
});
