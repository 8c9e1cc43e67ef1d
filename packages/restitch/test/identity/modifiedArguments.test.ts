/** The caller may modify the arguments of a call: the call keeps the values that it began with. */
import {
  byOffset,
  Collection,
  Controller,
  Entity,
  infinite,
  PollingManager,
  resource,
  serial,
  windowed,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { serverOfFile } from '../support/server.js';

class Note extends Entity {
  id = '';
  tag = '';
  text = '';
  static override key = 'NoteOfArguments';
}

const server = await serverOfFile();
let controller: Controller;
/** How to end the mutations that the server holds back. */
let held: (() => void)[] = [];
const urls = () => server.seen.map(({ url }) => url.slice(1));

interface Filter {
  tag?: string;
  within?: { tags: string[] };
}

const Notes = resource({
  urlPrefix: server.origin,
  path: '/notes/:id',
  schema: Note,
  searchParams: {} as Filter,
  searchToString: ({ tag, within }) => `tag=${String(tag ?? within?.tags)}`,
});

beforeEach(() => {
  controller = new Controller();
  server.seen.splice(0);
  held = [];
  server.respond(({ method, url }, response) => {
    if (method !== 'GET') return void held.push(() => response.writeHead(204).end());
    const tag = new URL(url, server.origin).searchParams.get('tag') ?? '';
    return [{ id: `of ${tag}`, tag }];
  });
});

/** Waits until the server holds a mutation back, and returns how to end it. */
async function heldBack(): Promise<() => void> {
  await expect.poll(() => held.length).toBe(1);
  return held.shift() ?? (() => {});
}

const idsOf = (filter: Filter) =>
  controller.getResponse(Notes.getList, filter)?.map(({ id }) => id);

describe('arguments that are modified after a call', () => {
  it.each<[string, Filter, (filter: Filter) => void, Filter]>([
    ['a field', { tag: 'a' }, (filter) => (filter.tag = 'b'), { tag: 'b' }],
    [
      'a nested array',
      { within: { tags: ['a'] } },
      ({ within }) => within?.tags.splice(0, 1, 'b'),
      { within: { tags: ['b'] } },
    ],
  ])('do not change the list that a response fills: %s', async (_, filter, modify, later) => {
    const first = structuredClone(filter);
    const read = controller.fetch(Notes.getList, filter);
    modify(filter);
    await read;
    expect([idsOf(first), idsOf(later)]).toEqual([['of a'], undefined]);
    const next = await controller.fetchIfStale(Notes.getList, later);
    expect(next.map(({ id }) => id)).toEqual(['of b']);
    expect(urls()).toEqual(['notes?tag=a', 'notes?tag=b']);
  });

  it('do not change the list of fetchIfStale', async () => {
    const filter = { tag: 'a' };
    const read = controller.fetchIfStale(Notes.getList, filter);
    filter.tag = 'b';
    await read;
    expect([idsOf({ tag: 'a' }), idsOf({ tag: 'b' })]).toEqual([['of a'], undefined]);
  });

  it('do not change what an update with an empty response stores', async () => {
    controller.set(Note, { id: '1' }, { id: '1', text: 'old' });
    const form = { text: 'sent' };
    const update = controller.fetch(Notes.partialUpdate, { id: '1' }, form);
    const respond = await heldBack();
    form.text = '';
    respond();
    await update;
    expect(server.seen[0]?.body).toBe('{"text":"sent"}');
    expect(controller.get(Note, { id: '1' })?.text).toBe('sent');
  });

  it.each([
    ['FormData', () => new FormData()],
    ['URLSearchParams', () => new URLSearchParams()],
  ])('do not change what an update with %s stores, and what a queue sends', async (_, create) => {
    controller.set(Note, { id: '1' }, { id: '1', text: 'old' });
    const update = serial(Notes.partialUpdate.extend({ body: new FormData() as BodyInit }));
    const form = create();
    const updates = ['first', 'second'].map((text) => {
      form.set('text', text);
      return controller.fetch(update, { id: '1' }, form);
    });
    form.set('text', 'unsent');
    for (const sent of updates) {
      (await heldBack())();
      await sent;
    }
    expect(server.seen.map(({ body }) => /first|second|unsent/.exec(body)?.[0])).toEqual([
      'first',
      'second',
    ]);
    expect(controller.get(Note, { id: '1' })?.text).toBe('second');
  });

  it('do not change the record that an update with an empty response concerns', async () => {
    for (const id of ['1', '2']) controller.set(Note, { id }, { id, text: 'old' });
    const params = { id: '1' };
    const update = controller.fetch(Notes.partialUpdate, params, { text: 'sent' });
    const respond = await heldBack();
    params.id = '2';
    respond();
    await update;
    const texts = ['1', '2'].map((id) => controller.get(Note, { id })?.text);
    expect(texts).toEqual(['sent', 'old']);
  });

  it('do not change what a queue sends later', async () => {
    const update = serial(Notes.partialUpdate);
    const forms = ['first', 'second'].map((text) => ({ text }));
    const updates = forms.map((form) => controller.fetch(update, { id: '1' }, form));
    for (const form of forms) form.text = '';
    for (const _ of forms) (await heldBack())();
    await Promise.all(updates);
    expect(server.seen.map(({ body }) => body)).toEqual(['{"text":"first"}', '{"text":"second"}']);
  });
});

describe('arguments that are modified while a view is in use', () => {
  it('do not change what the view loads, and where it is stored', async () => {
    const filter = { tag: 'a' };
    const view = controller.observe(Notes.getList, filter);
    const stop = view.subscribe(() => {});
    await view.load();
    filter.tag = 'b';
    await view.load();
    expect(urls()).toEqual(['notes?tag=a', 'notes?tag=a']);
    expect([idsOf({ tag: 'a' }), idsOf({ tag: 'b' })]).toEqual([['of a'], undefined]);
    expect(view.getSnapshot()).toMatchObject({ data: [{ id: 'of a' }] });
    stop();
  });

  it('do not change the list that the view loads after it is invalidated', async () => {
    const filter = { tag: 'a' };
    const view = controller.observe(Notes.getList, filter);
    const stop = view.subscribe(() => {
      if (view.needsLoad(true)) void view.load();
    });
    await view.load();
    filter.tag = 'b';
    await controller.invalidate(Notes.getList, { tag: 'a' });
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    expect(urls()).toEqual(['notes?tag=a', 'notes?tag=a']);
    expect([idsOf({ tag: 'a' }), idsOf({ tag: 'b' })]).toEqual([['of a'], undefined]);
    stop();
  });

  it('do not change which pages an infinite and a windowed list load', async () => {
    const asked: string[] = [];
    const options = {
      async send(input: string) {
        const { searchParams } = new URL(input);
        asked.push(searchParams.toString());
        const id = `${searchParams.get('tag')} ${searchParams.get('offset') ?? 0}`;
        return Response.json({ results: [{ id }], total: 2 });
      },
      pagination: byOffset({ param: 'offset', limit: 'limit', total: 'total' }),
      schema: { results: new Collection([Note]), total: 0 },
    };
    const getList = Notes.getList.extend({ searchToString: undefined, ...options });
    const filter = { tag: 'a' };
    const list = infinite(controller, getList, filter);
    const window = windowed(controller, getList, filter);
    window.subscribe(() => {});
    await list.load();
    filter.tag = 'b';
    await list.loadNext();
    const rows = window.open({ start: 0, end: 2 });
    await expect.poll(() => asked.filter((query) => query.includes('tag=a')).length).toBe(4);
    expect(asked).toHaveLength(4);
    rows.close();
  });

  it('do not change what a subscription polls', async () => {
    const clock = new Clock();
    controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
    });
    const asked: string[] = [];
    const getNotes = Notes.getList.extend({
      pollFrequency: 1_000,
      async send(input: string) {
        const tag = new URL(input).searchParams.get('tag') ?? '';
        asked.push(tag);
        return Response.json([{ id: tag, tag }]);
      },
    });
    const filter = { tag: 'a' };
    controller.subscribe(getNotes, filter);
    await clock.pass(0);
    filter.tag = 'b';
    await clock.pass(1_000);
    expect(asked).toEqual(['a', 'a']);
    expect(controller.getResponse(getNotes, { tag: 'b' })).toBeUndefined();
  });
});
