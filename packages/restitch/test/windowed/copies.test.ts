/** Copies of one endpoint share their windowed list, outside of React too. */
import {
  byOffset,
  Collection,
  Controller,
  Entity,
  type Environment,
  infinite,
  resource,
  RestEndpoint,
  windowed,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { Clock, settle } from '../support/clock.js';
import { readyData } from '../support/readyData.js';

class Item extends Entity {
  id = '';
  team = '';
}

function open(environment?: Environment) {
  const sent: string[] = [];
  const tokens: (string | null)[] = [];
  const getItems = new RestEndpoint({
    path: '/items',
    searchParams: {} as { team?: string },
    schema: { results: new Collection([Item]), total: 0 },
    pagination: byOffset({ param: 'offset', total: 'total' }),
    async send(url: string, { headers, signal }: RequestInit) {
      sent.push(url);
      tokens.push(new Headers(headers).get('authorization'));
      signal?.throwIfAborted();
      const first = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0);
      const results = [0, 1, 2].map((index) => ({ id: `${first + index}` }));
      return Response.json({ results, total: 30 });
    },
  });
  const withToken = (authorization: string) =>
    getItems.extend({ requestInit: { headers: { authorization } } });
  return {
    getItems,
    sent,
    tokens,
    withToken,
    controller: new Controller({ maxEntities: 0, environment }),
  };
}

const range = { start: 0, end: 3 };

it('copies have one view, whose pages load with the options of the newest copy', async () => {
  const { withToken, tokens, controller } = open();
  const view = windowed(controller, withToken('old'));
  view.subscribe(() => {});
  const rows = view.open(range);
  await settle();
  expect(windowed(controller, withToken('new'))).toBe(view);
  await settle();
  expect(tokens).toEqual(['old']);
  await view.refresh();
  rows.move({ start: 12, end: 15 });
  await settle();
  expect(tokens).toEqual(['old', 'new', 'new']);
  expect(readyData(view).at(12)?.id).toBe('12');
});

it('while the view is in use, a copy finds it after garbage collection, too', async () => {
  const clock = new Clock();
  const { getItems, withToken, controller } = open(clock.environment);
  const view = windowed(controller, getItems);
  view.subscribe(() => {});
  view.open({ start: 12, end: 15, keep: 0 });
  await clock.pass(600_000);
  expect(readyData(view).at(12)?.id).toBe('12');
  expect(windowed(controller, withToken('new'))).toBe(view);
});

it('copies with other filters, functions or classes have views of their own', () => {
  const { getItems, controller } = open();
  const view = windowed(controller, getItems);
  const others = [
    windowed(controller, getItems, { team: 'a' }),
    windowed(controller, getItems.extend({ scope: 'bob' })),
    windowed(controller, getItems.extend({ process: (value: unknown) => value })),
    windowed(
      controller,
      getItems.extend({ schema: { results: new Collection([class extends Item {}]), total: 0 } }),
    ),
    windowed(controller, getItems.extend({ path: '/others' })),
  ];
  expect(new Set([view, ...others]).size).toBe(6);
});

it('a team that is a default of one copy and an argument of the other stays in the URL', async () => {
  const { getItems, sent, controller } = open();
  const ofTeam = getItems.extend({ searchParams: { team: 'a' } as { team?: string } });
  const view = windowed(controller, ofTeam);
  view.subscribe(() => {});
  const rows = view.open(range);
  await settle();
  expect(windowed(controller, getItems, { team: 'a' })).toBe(view);
  await view.refresh();
  rows.move({ start: 3, end: 6 });
  await settle();
  expect(sent).toEqual(['/items?team=a', '/items?team=a', '/items?offset=3&team=a']);
});

it('the next page of an infinite list has it, too', async () => {
  const { getItems, sent, controller } = open();
  const ofTeam = getItems.extend({ searchParams: { team: 'a' } as { team?: string } });
  const list = infinite(controller, ofTeam);
  list.subscribe(() => {});
  await list.load();
  expect(infinite(controller, getItems, { team: 'a' })).toBe(list);
  await list.loadNext();
  expect(sent).toEqual(['/items?team=a', '/items?offset=3&team=a']);
});

describe('a page whose request was aborted', () => {
  it('loads when another copy has a new signal', async () => {
    const { getItems, controller } = open();
    const abort = new AbortController();
    abort.abort();
    const view = windowed(controller, getItems.extend({ signal: abort.signal }));
    view.subscribe(() => {});
    view.open(range);
    await settle();
    expect(readyData(view).errorAt(0)).toMatchObject({ name: 'AbortError' });
    windowed(controller, getItems.extend({ signal: new AbortController().signal }));
    await settle();
    expect(readyData(view).errorAt(0)).toBeUndefined();
    expect(readyData(view).at(0)?.id).toBe('0');
  });
});

it('a deleted record is removed from the shared list', async () => {
  const sent: string[] = [];
  const Items = resource({
    path: '/items/:id',
    schema: Item,
    pagination: byOffset({ param: 'offset', total: 'total' }),
    send: async (url: string, { method }: RequestInit) => {
      sent.push(`${method} ${url}`);
      return Response.json(method === 'POST' ? { id: '9' } : { results: [{ id: '1' }], total: 1 });
    },
  }).extend('getList', { schema: { results: new Collection([Item]), total: 0 } });
  const controller = new Controller();
  const view = windowed(controller, Items.getList);
  expect(windowed(controller, Items.getList.extend({ timeout: 9_000 }))).toBe(view);
  view.subscribe(() => {});
  view.open(range);
  await settle();
  expect(readyData(view).length).toBe(1);
  await controller.fetch(Items.delete, { id: '1' });
  expect(readyData(view).at(0)).toBeUndefined();
});
