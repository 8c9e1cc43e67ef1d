/** A stream that was lost has missed messages, perhaps of rows on further pages. */
import {
  byPage,
  Collection,
  Controller,
  Entity,
  infinite,
  resource,
  StreamManager,
} from 'restitch';
import { expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { readyData } from '../support/readyData.js';
import { sources } from '../support/sources.js';
import { PagingWorld } from './pagingWorld.js';

class Message extends Entity {
  id = '';
}

it('all loaded pages of a subscribed list are fetched after a reconnect', async () => {
  const world = new PagingWorld({ style: 'page', size: 2, hasTotal: true }, 6);
  const clock = new Clock();
  const { Source, last } = sources();
  const stream = new StreamManager({
    EventSource: Source,
    url: () => 'http://x/s',
    onMessage: () => {},
  });
  const controller = new Controller({ managers: [stream], environment: clock.environment });
  const Messages = resource({
    urlPrefix: 'http://x',
    path: '/messages/:id',
    schema: Message,
    send: world.send,
    pagination: byPage({ param: 'page', total: 'total' }),
  }).extend('getList', { schema: { results: new Collection([Message]), total: 0 } });
  const view = infinite(controller, Messages.getList);
  view.subscribe(() => {
    if (view.needsLoad(true)) void view.load();
  });
  void view.load();
  await world.quiet();
  void view.loadNext();
  await world.quiet();
  controller.subscribe(Messages.getList);
  last().open();
  last().cut();
  world.delete(world.rows[2]?.id ?? '');
  await clock.pass(1_000);
  last().open();
  await world.quiet();
  const ids = readyData(view).items.map(({ id }) => id);
  expect(ids).toEqual(world.rows.slice(0, 4).map(({ id }) => id));
  controller.dispose();
});
