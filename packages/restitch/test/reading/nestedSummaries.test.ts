/** A list that another response contained is current for its own endpoint only if its rows are complete. */
import { Collection, Entity, Invalidate, type Schema, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { ignore, listen, manual, mutation, openWorld } from '../support/world.js';

class Post extends Entity {
  id = '';
  type = 'post';
  title = '';
  body = '';
  static override key = 'NestedPost';
}

class PartialPost extends Post {
  static override partial = true;
}

const author = { author: '1' };
const summary = { id: '1', type: 'post', title: 'one' };
const whole = { ...summary, body: 'text' };

/** The response to a user contained `posts`; the endpoint of the list has no response. */
function open(posts: unknown, member: Schema = Post) {
  const world = openWorld();
  const list = new Collection([member], { nestKey: ({ id }: { id: string }) => ({ author: id }) });
  class User extends Entity {
    id = '';
    posts: Post[] = [];
    static override schema = { posts: list };
  }
  const getUser = manual('getUser', User);
  world.controller.setResponse(getUser.endpoint, { id: '1', posts });
  const getPosts = manual('getPosts', list);
  return {
    ...world,
    User,
    list,
    getPosts,
    view: world.controller.observe(getPosts.endpoint, author),
  };
}

describe.each([
  ['a summary', [summary]],
  ['a primary key of an unknown record', ['1']],
  ['a complete row and a summary', [whole, { ...summary, id: '2' }]],
])('a nested list with %s', (_, posts) => {
  it('is fetched by a reader of its own endpoint', async () => {
    const { controller, getPosts, view } = open(posts);
    expect(view.getSnapshot().status).toBe('pending');
    expect(view.needsLoad()).toBe(true);
    expect(controller.getResponse(getPosts.endpoint, author)).toBeUndefined();
    const promise = controller.fetchIfStale(getPosts.endpoint, author);
    await getPosts.respond([whole]);
    expect(await promise).toMatchObject([whole]);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [whole], stale: false });
  });

  it('is shown at once if the class is partial', () => {
    const { view } = open(posts, PartialPost);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', partial: true });
    expect(view.needsLoad()).toBe(true);
  });
});

it('a nested list of unions with a summary is fetched by a reader of its own endpoint', () => {
  const { view } = open([summary], new Union({ post: Post }, 'type'));
  expect(view.getSnapshot().status).toBe('pending');
});

describe('a nested list of complete rows', () => {
  it('is fresh for a reader of its own endpoint', () => {
    const { view } = open([whole]);
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [whole], stale: false });
    expect(view.needsLoad()).toBe(false);
  });

  it('stays fresh while a row is created, and after a row was deleted', async () => {
    const { controller, list, view } = open([whole, { ...whole, id: '2' }]);
    const remove = mutation('remove', new Invalidate(Post));
    ignore(controller.fetch(remove.endpoint, { id: '2' }));
    await remove.respond({ id: '2' });
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [whole] });
    const push = mutation('push', list.push, () => ({ title: 'new', author: { id: '1' } }));
    ignore(controller.fetch(push.endpoint, author));
    expect(view.getSnapshot().status).toBe('ready');
  });
});

it('a nested list that a mounted reader shows stays readable when a summary is added', () => {
  const { controller, list, view } = open([whole]);
  const notified = listen(view);
  controller.set(list.push, author, { ...summary, id: '2' } as never);
  expect(notified.count).toBe(1);
  expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [whole, { id: '2' }] });
});

it('a list with a response of its own stays readable when a row becomes a summary', () => {
  const { controller, getPosts, list, view } = open([summary]);
  controller.setResponse(getPosts.endpoint, author, [whole]);
  const notified = listen(view);
  controller.set(list.push, author, { ...summary, id: '2' } as never);
  expect(notified.count).toBe(1);
  expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: [whole, { id: '2' }] });
});

it.each(['a reset', 'an expiry'])(
  'a list that was shown before %s is fetched by a reader that subscribes before it reads',
  async (what) => {
    const { controller, User, getPosts, view } = open([whole]);
    const stop = view.subscribe(() => {});
    expect(view.getSnapshot().status).toBe('ready');
    stop();
    if (what === 'a reset') controller.resetEntireStore();
    controller.set(User, { id: '1' }, { posts: [{ ...summary, id: '2' }] } as never);
    view.subscribe(() => {});
    expect(view.getSnapshot().status).toBe('pending');
    expect(controller.getResponse(getPosts.endpoint, author)).toBeUndefined();
  },
);

describe('a list that was fetched, and that a later record replaces by keys', () => {
  const posts = ['1', '3'];

  it('is fetched again by the next reader if a record is unknown', async () => {
    const { controller, getPosts, view, User } = open([]);
    controller.setResponse(getPosts.endpoint, author, [whole]);
    expect(view.needsLoad()).toBe(false);
    controller.set(User, { id: '1' }, { posts });
    expect(view.needsLoad()).toBe(true);
    const promise = controller.fetchIfStale(getPosts.endpoint, author);
    await getPosts.respond([whole, { ...whole, id: '3' }]);
    expect(await promise).toMatchObject([whole, { id: '3', body: 'text' }]);
    expect(view.needsLoad()).toBe(false);
  });

  it('is not fetched again by a mounted reader', () => {
    const { controller, getPosts, view, User } = open([]);
    controller.setResponse(getPosts.endpoint, author, [whole]);
    view.subscribe(() => {});
    controller.set(User, { id: '1' }, { posts });
    expect(view.needsLoad(true)).toBe(false);
  });
});
