/** Rows whose create gets a 204: the server does not say what their keys are. */
import { Collection, Entity, Union } from 'restitch';
import { getState, openStream } from 'restitch/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { idsOf, ignore, manual, mutation, openWorld } from '../support/world.js';
import { issues, Wire } from '../support/wire.js';

let wire: Wire;

function rows(...ids: string[]): { id: string; title: string }[] {
  return ids.map((id) => ({ id, title: id }));
}

beforeEach(() => {
  wire = new Wire();
  wire.controller.setResponse(wire.getList, {}, rows('1'));
});

describe('a row that was created without a key', () => {
  it('is shown, and its list is expired', async () => {
    const list = wire.controller.observe(wire.getList, {});
    expect(list.getSnapshot()).toMatchObject({ status: 'ready', stale: false });
    await wire.create({ title: 'new' }).respond(null);
    expect(wire.titles()).toEqual(['1', 'new']);
    expect(list.getSnapshot()).toMatchObject({ status: 'ready', stale: true });
    expect(list.needsLoad()).toBe(true);
  });

  it('is replaced by the next response of the list', async () => {
    await wire.create({ title: 'new' }).respond(null);
    await wire.pollList().respond(rows('1', '7'));
    expect(wire.titles()).toEqual(['1', '7']);
  });

  it('is replaced where it stands behind further pages', async () => {
    wire.controller.set(
      issues.addWith((existing, added) => [...existing, ...added]),
      {},
      rows('2'),
    );
    const { controller } = openWorld();
    const list = manual('list', issues);
    const page = manual('page', issues.getPage);
    const create = mutation('create', issues.push, (_, body) => body);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond(rows('1'));
    ignore(controller.fetch(page.endpoint, {}));
    await page.respond(rows('2'));
    ignore(controller.fetch(create.endpoint, { title: 'new' }));
    await create.respond(null);
    expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual(['1', '2', 'new']);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond(rows('1'));
    expect(idsOf(controller.get(issues, {}))).toEqual(['1', '2']);
  });

  it('does not show next to the real row that a response brought while the create was pending', async () => {
    const creation = wire.create({ title: 'new' });
    await wire.pollList().respond(rows('1', '7'));
    expect(wire.titles()).toEqual(['1', 'new']);
    await creation.respond(null);
    expect(wire.titles()).toEqual(['1', '7']);
  });

  it('stays over a response that began before the create, and that list is expired as well', async () => {
    const read = wire.start(wire.getList, { status: 'open' });
    await wire.create({ title: 'new', status: 'open' }).respond(null);
    await read.respond([]);
    expect(wire.titles({ status: 'open' })).toEqual(['new']);
    const list = wire.controller.observe(wire.getList, { status: 'open' });
    expect(list.needsLoad()).toBe(true);
  });

  it('stays over the list that a page brings, which is expired, too: it is older than the create', async () => {
    const server = new Wire();
    server.controller.setResponse(server.getList, {}, rows('1'));
    const state = getState(server.controller);
    const { controller } = openWorld();
    const stream = openStream(controller);
    const list = controller.observe(server.getList, {});
    const create = mutation('create', issues.push, (_, body) => body);
    ignore(controller.fetch(create.endpoint, { title: 'new' }));
    await create.respond(null);
    stream.hydrate(state);
    expect(controller.get(issues, {})?.map(({ title }) => title)).toEqual(['1', 'new']);
    expect(list.needsLoad()).toBe(true);
    stream.close();
  });

  it('is replaced in a list of a union', async () => {
    class Post extends Entity {
      id = '';
      type = 'post';
      static override key = 'Post';
    }
    const { controller } = openWorld();
    const feed = new Collection([new Union({ post: Post }, 'type')]);
    const create = mutation('create', feed.push, (_, body) => body);
    const list = manual('list', feed);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([]);
    ignore(controller.fetch(create.endpoint, { type: 'post' }));
    await create.respond(null);
    expect(controller.get(feed, {})).toHaveLength(1);
    ignore(controller.fetch(list.endpoint, {}));
    await list.respond([{ id: '7', type: 'post' }]);
    expect(idsOf(controller.get(feed, {}))).toEqual(['7']);
  });

  it('is not exported, nor as the member of a list', async () => {
    await wire.create({ title: 'new' }).respond(null);
    const { entities, lists } = getState(wire.controller);
    expect(entities['Issue']?.map(({ pk }) => pk)).toEqual(['1']);
    expect(Object.values(lists).flat()).toMatchObject([{ listing: { members: ['1'] } }]);
  });
});
