/** One create never shows as two rows, also in lists that are loaded for the first time while it is pending. */
import { All, Collection, Entity, Union } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { idsOf, ignore, manual, mutation, openWorld } from '../support/world.js';
import { issues, Wire } from '../support/wire.js';

let wire: Wire;

function rows(...ids: string[]): { id: string; title: string }[] {
  return ids.map((id) => ({ id, title: id }));
}

beforeEach(() => {
  wire = new Wire();
});

describe('a list that is loaded for the first time while a create is pending', () => {
  it('hides the temporary row until the response to the create arrives: the response may hold the row already', async () => {
    const seen: (readonly string[] | undefined)[] = [];
    wire.controller.observeQuery(issues, {}).subscribe(() => seen.push(wire.titles()));
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond([...rows('1'), { id: '7', title: 'new' }]);
    await creation.respond({ id: '7', title: 'new' });
    expect(seen).toEqual([['1', 'new']]);
  });

  it('shows the created row where the response lacked it, once the response to the create arrives', async () => {
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond(rows('1'));
    expect(wire.titles()).toEqual(['1']);
    await creation.respond({ id: '7', title: 'new' });
    expect(wire.titles()).toEqual(['1', 'new']);
  });

  it('shows the list of the server when the create fails', async () => {
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond(rows('1'));
    await creation.fail();
    expect(wire.titles()).toEqual(['1']);
  });

  it('hides the temporary row where the request for the list began before the create', async () => {
    const seen: (readonly string[] | undefined)[] = [];
    wire.controller.observeQuery(issues, {}).subscribe(() => seen.push(wire.titles()));
    const read = wire.pollList();
    const creation = wire.create({ title: 'new' });
    await read.respond([...rows('1'), { id: '7', title: 'new' }]);
    await creation.respond({ id: '7', title: 'new' });
    expect(seen).toEqual([['1', 'new']]);
  });

  it('hides a row per create: one that began later shows, and withholds a row that may be its own', async () => {
    wire.create({ title: 'hidden' });
    await wire.pollList().respond(rows('1', '7'));
    wire.create({ title: 'new' });
    expect(wire.titles()).toEqual(['1', '7', 'new']);
    await wire.pollList().respond(rows('1', '7', '8'));
    expect(wire.titles()).toEqual(['1', '7', 'new']);
  });

  it('withholds nothing for a row that is hidden', async () => {
    wire.create({ title: 'hidden' });
    await wire.pollList().respond(rows('1'));
    await wire.pollList().respond(rows('1', '8'));
    expect(wire.titles()).toEqual(['1', '8']);
  });

  it('goes on showing the temporary row in lists that were known before', async () => {
    wire.controller.setResponse(wire.getList, { status: 'open' }, []);
    const creation = wire.create({ title: 'new', status: 'open' });
    await wire.pollList().respond([{ id: '7', title: 'new', status: 'open' }]);
    expect([wire.titles({ status: 'open' }), wire.titles()]).toEqual([['new'], ['new']]);
    expect(idsOf(wire.controller.get(issues, {}))).toEqual(['7']);
    await creation.respond({ id: '7', title: 'new', status: 'open' });
    expect([wire.titles({ status: 'open' }), wire.titles()]).toEqual([['new'], ['new']]);
  });
});

describe('a list that was known before a create', () => {
  it('withholds the created row where the request for the list began before the create', async () => {
    await wire.pollList().respond(rows('1'));
    const read = wire.pollList();
    const creation = wire.create({ title: 'new' });
    await read.respond([...rows('1'), { id: '7', title: 'new' }]);
    expect(idsOf(wire.controller.get(issues, {}))).toHaveLength(2);
    expect(wire.titles()).toEqual(['1', 'new']);
    await creation.respond({ id: '7', title: 'new' });
    expect(idsOf(wire.controller.get(issues, {}))).toEqual(['1', '7']);
  });

  it('shows rows that others created once the response to the create arrives', async () => {
    await wire.pollList().respond(rows('1'));
    const read = wire.pollList();
    const creation = wire.create({ title: 'new' });
    await read.respond(rows('1', '8'));
    expect(wire.titles()).toEqual(['1', 'new']);
    await creation.respond({ id: '9', title: 'new' });
    expect(wire.titles()).toEqual(['1', '8', 'new']);
  });

  it('shows the temporary row though a request from before joins two responses', async () => {
    const hanging = wire.poll('0');
    await wire.pollList().respond(rows('1'));
    const read = wire.pollList();
    wire.create({ title: 'new' });
    await read.respond(rows('1'));
    await wire.pollList().respond(rows('1'));
    expect(wire.titles()).toEqual(['1', 'new']);
    await hanging.fail();
    expect(wire.titles()).toEqual(['1', 'new']);
  });
});

describe('a hidden row', () => {
  class Post extends Entity {
    id = '';
    type = 'post';
    static override key = 'Post';
  }

  it('is hidden in a list of a union', async () => {
    const { controller } = openWorld();
    const feed = new Collection([new Union({ post: Post }, 'type')]);
    const create = mutation('create', feed.push, (_, body) => body);
    const list = manual('list', feed);
    ignore(controller.fetch(create.endpoint, { type: 'post' }));
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '7', type: 'post' }]);
    expect(controller.get(feed, {})).toMatchObject([{ id: '7' }]);
    await create.respond({ id: '7', type: 'post' });
    expect(controller.get(feed, {})).toMatchObject([{ id: '7' }]);
  });

  it('is hidden where a function places it', async () => {
    const { controller } = openWorld();
    const posts = new Collection([Post]);
    const first = posts.addWith((existing, added) => [...added, ...existing]);
    const create = mutation('create', first, (_, body) => body);
    const list = manual('list', posts);
    ignore(controller.fetch(create.endpoint, {}));
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '1' }, { id: '7' }]);
    expect(idsOf(controller.get(posts, {}))).toEqual(['1', '7']);
    await create.respond({ id: '7' });
    expect(idsOf(controller.get(posts, {}))).toEqual(['1', '7']);
  });

  it('stays hidden where a pending move places it', async () => {
    const { controller } = openWorld();
    const posts = new Collection([Post]);
    const create = mutation('create', posts.push, (_, body) => body);
    const list = manual('list', posts);
    const move = mutation('move', posts.move, (_, body) => body);
    ignore(controller.fetch(create.endpoint, { type: 'post' }));
    const [temporary] = controller.get(new All(Post)) ?? [];
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '1' }, { id: '7' }]);
    ignore(controller.fetch(move.endpoint, { id: temporary?.id, type: 'news' }));
    expect(idsOf(controller.get(posts, {}))).toEqual(['1', '7']);
    await create.respond({ id: '7' });
    expect(idsOf(controller.get(posts, {}))).toEqual(['1', '7']);
    await move.respond({ id: '7', type: 'news' });
    expect(controller.get(posts, {})).toMatchObject([{ id: '1' }, { id: '7', type: 'news' }]);
  });
});
