/** Random reorders that predict the whole list, between creates and deletes of several users, with responses in every order. */
import fc from 'fast-check';
import { Collection, Controller, Entity, resource, RestEndpoint, serial } from 'restitch';
import { describe, expect, it } from 'vitest';
import { readyData } from '../support/readyData.js';

class Song extends Entity {
  id = '';
  title = '';
}
class Playlist extends Entity {
  id = '';
  songs: Song[] = [];
  static override schema = {
    songs: new Collection([Song], {
      name: 'songs of a playlist',
      nestKey: (playlist: { id: string }) => ({ playlist: playlist.id }),
      argsKey: ({ playlist }: { playlist: string }) => ({ playlist }),
    }),
  };
}

type Step =
  | { readonly do: 'create' | 'poll' | 'otherCreate' }
  | { readonly do: 'reorder' | 'remove' | 'otherRemove' | 'release'; readonly pick: number };

const pick = fc.nat(5);
const bare = (name: 'create' | 'poll' | 'otherCreate') => fc.record({ do: fc.constant(name) });
const picked = (name: 'reorder' | 'remove' | 'otherRemove' | 'release') =>
  fc.record({ do: fc.constant(name), pick });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: bare('create') },
    { weight: 1, arbitrary: bare('poll') },
    { weight: 1, arbitrary: bare('otherCreate') },
    { weight: 4, arbitrary: picked('reorder') },
    { weight: 2, arbitrary: picked('remove') },
    { weight: 1, arbitrary: picked('otherRemove') },
    { weight: 6, arbitrary: picked('release') },
  ),
  { maxLength: 20, size: 'max' },
);

interface Program {
  readonly steps: readonly Step[];
  readonly isSerial: boolean;
  readonly isEmpty: boolean;
  readonly isNested: boolean;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
}

/** A server that runs each request at once. The test releases the responses. */
function open({ isSerial, isEmpty, isNested }: Program) {
  let rows = ['a', 'b', 'c'].map((id) => ({ id, title: id }));
  let names = 0;
  const held: (() => void)[] = [];
  const songs = () => rows.map((row) => ({ ...row }));
  const shown = () => (isNested ? { id: 'p', songs: songs() } : songs());
  const run = (url: string, { method = 'GET', body }: RequestInit): unknown => {
    if (method === 'DELETE') {
      rows = rows.filter(({ id }) => !url.endsWith(`/${id}`));
      return undefined;
    }
    if (method === 'POST') {
      const row = { ...JSON.parse(body as string), id: `n${(names += 1)}` };
      rows.push(row);
      return row;
    }
    if (method === 'PUT') {
      const { ids } = JSON.parse(body as string) as { ids: string[] };
      const place = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
      rows.sort((a, b) => place(a.id) - place(b.id));
      return isEmpty ? undefined : shown();
    }
    return url.endsWith('/songs') ? songs() : shown();
  };
  const send = (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      const value = run(url, init);
      held.push(() => {
        resolve(value === undefined ? new Response(null, { status: 204 }) : Response.json(value));
      });
    });
  const Songs = resource({
    urlPrefix: 'http://x',
    path: '/playlists/:playlist/songs/:id',
    schema: Song,
    body: {} as { title: string },
    optimistic: true,
    send,
  }).extend('getList', { schema: Playlist.schema.songs });
  const Playlists = resource({
    urlPrefix: 'http://x',
    path: '/playlists/:id',
    schema: Playlist,
    send,
  });
  const options = {
    urlPrefix: 'http://x',
    path: '/playlists/:playlist/order',
    method: 'PUT',
    body: {} as { ids: string[] },
    send,
  } as const;
  const ordered = (ids: readonly string[]) => ids.map((id) => ({ id }));
  const plain = isNested
    ? new RestEndpoint({
        ...options,
        schema: Playlist,
        getOptimisticResponse: (_, __, { ids }) => ({ id: 'p', songs: ordered(ids) }) as never,
      })
    : new RestEndpoint({
        ...options,
        schema: Playlist.schema.songs,
        getOptimisticResponse: (_, __, { ids }) => ordered(ids) as never,
      });
  const reorder = (isSerial ? serial(plain as never) : plain) as typeof plain;
  return {
    Songs,
    reorder,
    held,
    get: isNested ? Playlists.get : Songs.getList,
    ids: () => rows.map(({ id }) => id),
    titles: () => rows.map(({ title }) => title),
    addRow: () => rows.push({ id: `o${(names += 1)}`, title: `other ${names}` }),
    removeRow: (at: number) => rows.splice(at % Math.max(rows.length, 1), 1),
  };
}

async function check(program: Program): Promise<void> {
  const { Songs, reorder, held, get, ids, titles, addRow, removeRow } = open(program);
  const controller = new Controller();
  const args = { id: 'p', playlist: 'p' };
  const view = controller.observe(get as typeof Songs.getList, args as never);
  view.subscribe(() => {
    if (view.needsLoad(true)) view.load().catch(() => {});
  });
  view.load().catch(() => {});
  await settle();
  held.shift()?.();
  await settle();
  const shownRows = (): readonly Song[] => {
    const data: unknown = readyData(view);
    return data instanceof Playlist ? data.songs : (data as Song[]);
  };
  // Titles tell the rows apart: a created row has another key before the response.
  const leaving = new Set<string>();
  const removed = new Set<string>();
  const confirmed = new Set<string>();
  let count = 0;
  const take = (step: Step): void => {
    const rows = shownRows();
    const target = rows.at('pick' in step ? step.pick % Math.max(rows.length, 1) : 0);
    switch (step.do) {
      case 'create':
        controller
          .fetch(Songs.getList.push, { playlist: 'p' }, { title: `t${(count += 1)}` })
          .then(({ title }) => confirmed.add(title))
          .catch(() => {});
        break;
      case 'reorder': {
        const order = rows.map(({ id }) => id);
        const [moved] = order.splice(step.pick % Math.max(order.length, 1), 1);
        if (moved !== undefined) order.unshift(moved);
        controller.fetch(reorder, { playlist: 'p' }, { ids: order }).catch(() => {});
        break;
      }
      case 'remove':
        if (target) {
          const { id, title } = target;
          leaving.add(title);
          controller
            .fetch(Songs.delete, { playlist: 'p', id })
            .then(() => removed.add(title))
            .catch(() => {});
        }
        break;
      case 'poll':
        view.load().catch(() => {});
        break;
      case 'otherCreate':
        addRow();
        break;
      case 'otherRemove':
        removeRow(step.pick);
        break;
      case 'release':
        held.splice(step.pick % Math.max(held.length, 1), 1)[0]?.();
    }
  };
  const verify = (): void => {
    const shown = shownRows().map(({ title }) => title);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.filter((title) => title === '' || removed.has(title))).toEqual([]);
    const missing = titles().filter((title) => confirmed.has(title) && !shown.includes(title));
    expect(missing.filter((title) => !leaving.has(title))).toEqual([]);
  };
  for (const step of program.steps) {
    take(step);
    await settle();
    verify();
  }
  const releaseAll = async (): Promise<void> => {
    for (let turn = 0; turn < 200 && held.length > 0; turn += 1) {
      held.shift()?.();
      await settle();
      verify();
    }
    expect(held).toEqual([]);
  };
  await releaseAll();
  // Changes of others show after the next request for the list; own ones without a request.
  if (program.steps.some((step) => step.do.startsWith('other'))) {
    view.load().catch(() => {});
    await settle();
    await releaseAll();
  }
  expect(shownRows().map(({ id }) => id)).toEqual(ids());
  controller.dispose();
}

describe.each([false, true])('a predicted order of a list, nested: %s', (isNested) => {
  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])(
    'keeps the rows that it did not know (serial: %s, 204: %s)',
    async (isSerial, isEmpty) => {
      await fc.assert(
        fc.asyncProperty(steps, (program) =>
          check({ steps: program, isSerial, isEmpty, isNested }),
        ),
        { numRuns: Math.min(Number(process.env['RESTITCH_MODEL_RUNS'] ?? 200), 300) },
      );
    },
    120_000,
  );
});
