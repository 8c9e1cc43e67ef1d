/** Sent fields that make a stored record invalid are refused, as a whole response would be. */
import { coalesced, Controller, Entity, RestEndpoint, resource } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { describe, expect, it, vi } from 'vitest';

class Trip extends Entity {
  id = '';
  from = 0;
  to = 0;
  note = '';
  static override key = 'Trip';
  static override validate({ from, to }: Readonly<Record<string, unknown>>) {
    return Number(from) > Number(to) ? '`from` is after `to`' : undefined;
  }
}

const first = { id: '1', from: 1, to: 5, note: '' };
const second = { id: '2', from: 2, to: 6, note: '' };

/** The server sends `answer` to each mutation, and `rows` to each read. */
function setUp({ answer, optimistic }: { answer: unknown; optimistic: boolean }) {
  const rows = [first, second];
  const requests: string[] = [];
  const send = (_: string, { method = 'GET' }: RequestInit): Promise<Response> => {
    requests.push(method);
    const isEmpty = method !== 'GET' && answer === undefined;
    const value = method === 'GET' ? rows : answer;
    return Promise.resolve(isEmpty ? new Response(null, { status: 204 }) : Response.json(value));
  };
  const common = { urlPrefix: 'http://x', schema: Trip, send };
  const Trips = resource({
    ...common,
    path: '/trips/:id',
    optimistic,
    body: {} as Partial<Trip>,
  });
  const plan = new RestEndpoint({
    ...common,
    path: '/trips/:id',
    method: 'PATCH',
    body: {} as Partial<Trip>,
    schema: { trip: Trip },
  });
  const controller = new Controller({ environment: { report: () => {} } });
  const trips = controller.observe(Trips.getList);
  const stop = trips.subscribe(() => {
    if (trips.needsLoad(true)) {
      void trips.load();
    }
  });
  const shown = () => controller.getResponse(Trips.getList)?.map(({ id, from }) => [id, from]);
  return { Trips, plan, controller, requests, shown, stop };
}

const KINDS = ['partialUpdate', 'update', 'move', 'coalesced'] as const;

function call(
  { Trips, controller }: ReturnType<typeof setUp>,
  kind: (typeof KINDS)[number],
): Promise<unknown> {
  const one = { id: '1' };
  switch (kind) {
    case 'update':
      return controller.fetch(Trips.update, one, { ...first, from: 9 });
    case 'move':
      return controller.fetch(Trips.getList.move, one, { from: 9 });
    case 'coalesced':
      return controller.fetch(coalesced(Trips.partialUpdate), one, { from: 9 });
    default:
      return controller.fetch(Trips.partialUpdate, one, { from: 9 });
  }
}

describe.each([
  ['an empty response', undefined],
  ['a response with the key only', { id: '1' }],
])('%s', (_, answer) => {
  it.each(KINDS.flatMap((kind) => [[kind, true] as const, [kind, false] as const]))(
    'to %s rejects, and the old record is shown and fetched again (optimistic: %s)',
    async (kind, optimistic) => {
      const world = setUp({ answer, optimistic });
      await world.controller.fetch(world.Trips.getList);
      await expect(call(world, kind)).rejects.toMatchObject({ code: 'validation-failed' });
      expect(world.shown()).toEqual([
        ['1', 1],
        ['2', 2],
      ]);
      await vi.waitFor(() => expect(world.requests.slice(2)).toEqual(['GET']));
      expect(world.shown()).toHaveLength(2);
      world.stop();
    },
  );
});

it('an envelope with the key only is refused for sent fields that make its record invalid', async () => {
  const world = setUp({ answer: { trip: { id: '1' } }, optimistic: false });
  await world.controller.fetch(world.Trips.getList);
  const planned = world.controller.fetch(world.plan, { id: '1' }, { from: 9 });
  await expect(planned).rejects.toMatchObject({ code: 'validation-failed' });
  expect(world.shown()?.[0]).toEqual(['1', 1]);
  world.stop();
});

it('a response with a part of the record is checked together with the stored record', async () => {
  class Price extends Entity {
    id = '';
    amount = 0;
    note = '';
    static override key = 'Price';
    static override validate({ amount }: Readonly<Record<string, unknown>>) {
      return typeof amount === 'number' ? undefined : '`amount` must be a number';
    }
  }
  const Prices = resource({
    urlPrefix: 'http://x',
    path: '/prices/:id',
    schema: Price,
    send: (_, { method }) =>
      Promise.resolve(
        Response.json(method === 'GET' ? { id: 'eur', amount: 1 } : { id: 'eur', note: 'new' }),
      ),
  });
  const controller = new Controller();
  await controller.fetch(Prices.get, { id: 'eur' });
  const updated = await controller.fetch(Prices.partialUpdate, { id: 'eur' }, { note: 'new' });
  expect(updated).toMatchObject({ id: 'eur', amount: 1, note: 'new' });
});

/** Each update waits for `settle`. */
function setUpPending() {
  const settle: (() => void)[] = [];
  const Trips = resource({
    urlPrefix: 'http://x',
    path: '/trips/:id',
    schema: Trip,
    optimistic: true,
    send: () =>
      new Promise((resolve) => {
        settle.push(() => resolve(new Response(null, { status: 204 })));
      }),
  });
  const controller = new Controller({ environment: { report: () => {} } });
  controller.setResponse(Trips.get, { id: '1' }, first);
  const update = (fields: Partial<Trip>) =>
    controller.fetch(Trips.partialUpdate, { id: '1' }, fields);
  return { Trips, controller, settle, update, trip: () => controller.get(Trip, { id: '1' }) };
}

it('an update is checked together with an earlier one that is still pending', async () => {
  const { settle, update, trip } = setUpPending();
  const extended = update({ to: 10 });
  const delayed = update({ from: 7 });
  await vi.waitFor(() => expect(settle).toHaveLength(2));
  settle[1]?.();
  expect(await delayed).toMatchObject({ from: 7, to: 10 });
  settle[0]?.();
  expect(await extended).toMatchObject({ from: 7, to: 10 });
  expect(trip()).toMatchObject({ from: 7, to: 10 });
});

it('an update is refused if a later response made its optimistic record invalid', async () => {
  const { Trips, controller, settle, update, trip } = setUpPending();
  const moved = update({ from: 4 });
  await vi.waitFor(() => expect(settle).toHaveLength(1));
  controller.setResponse(Trips.get, { id: '1' }, { ...first, to: 3 });
  settle[0]?.();
  await expect(moved).rejects.toMatchObject({ code: 'validation-failed' });
  expect(trip()).toMatchObject({ from: 1, to: 3 });
});

it('an update of another field of a record that was already invalid is no error', async () => {
  const world = setUp({ answer: undefined, optimistic: false });
  const exported = new Controller();
  exported.setResponse(world.Trips.getList, [first, second]);
  const state = JSON.stringify(getState(exported)).replaceAll('"to":5', '"to":0');
  hydrate(world.controller, JSON.parse(state));
  expect(world.shown()).toEqual([['2', 2]]);
  const { Trips, controller } = world;
  await controller.fetch(Trips.partialUpdate, { id: '1' }, { note: 'new' });
  await controller.fetch(Trips.partialUpdate, { id: '1' }, { to: 7 });
  expect(controller.get(Trip, { id: '1' })).toMatchObject({ from: 1, to: 7, note: 'new' });
  world.stop();
});

it('a created record whose response is refused is fetched with its lists', async () => {
  const world = setUp({ answer: { id: '3', from: 9, to: 0 }, optimistic: true });
  const { Trips, controller } = world;
  await controller.fetch(Trips.getList);
  const created = controller.fetch(Trips.getList.push, { from: 9, to: 9 });
  await expect(created).rejects.toMatchObject({ code: 'validation-failed' });
  await vi.waitFor(() => expect(world.requests).toEqual(['GET', 'POST', 'GET']));
  world.stop();
});

it.each<[string, (world: ReturnType<typeof setUp>, fields: Partial<Trip>) => void]>([
  ['a written value', ({ controller }, fields) => controller.set(Trip, { id: '1' }, fields)],
  [
    'a message',
    ({ controller, Trips }, fields) =>
      controller.setResponse(Trips.partialUpdate, { id: '1' }, {}, { id: '1', ...fields }),
  ],
])('%s with a part of a record is checked together with the stored record', (_, write) => {
  const world = setUp({ answer: undefined, optimistic: false });
  world.controller.setResponse(world.Trips.getList, [first, second]);
  expect(() => write(world, { from: 9 })).toThrow(/after/);
  expect(world.shown()?.[0]).toEqual(['1', 1]);
  write(world, { from: 3 });
  expect(world.shown()?.[0]).toEqual(['1', 3]);
  world.stop();
});
