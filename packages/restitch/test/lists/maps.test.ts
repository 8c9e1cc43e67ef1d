/** Collections over `Values`: records under keys of the server's choice. */
import { Collection, Controller, Endpoint, Entity, resource, Union, Values } from 'restitch';
import { getState } from 'restitch/state';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Rate extends Entity {
  id = '';
  market = '';
  price = 0;
  static override key = 'Rate';
}

const server = await serverOfFile();

/** Rates by currency for each market, against a server that echoes bodies. */
async function openRates() {
  const Rates = resource({
    urlPrefix: server.origin,
    path: '/rates/:id',
    schema: Rate,
    searchParams: {} as { market?: string },
    optimistic: true,
  }).extend('getList', { schema: new Collection(new Values(Rate)) });
  const controller = new Controller();
  server.respond(({ url }) => {
    const market = new URL(url, server.origin).searchParams.get('market') ?? 'a';
    return { eur: { id: `eur-${market}`, market, price: 1 }, none: null };
  });
  await controller.fetch(Rates.getList, { market: 'a' });
  await controller.fetch(Rates.getList, { market: 'b' });
  const prices = (market: string) =>
    Object.fromEntries(
      Object.entries(controller.getResponse(Rates.getList, { market }) ?? {}).map(
        ([key, { price }]) => [key, price],
      ),
    );
  server.respond(({ body }) => JSON.parse(body || '{}') as object);
  return { Rates, controller, prices };
}

describe('getList.assign', () => {
  it('puts records under their keys into the maps that they match, before and after the response', async () => {
    const { Rates, controller, prices } = await openRates();
    const other = controller.getResponse(Rates.getList, { market: 'b' });
    const assigned = controller.fetch(Rates.getList.assign, {
      usd: { id: 'usd-a', market: 'a', price: 2 },
      eur: { id: 'eur-2', market: 'a', price: 3 },
    });
    expect(prices('a')).toEqual({ eur: 3, usd: 2 });
    const value = await assigned;
    expect(value['usd']).toBeInstanceOf(Rate);
    expect(value['usd']).toBe(controller.get(Rate, { id: 'usd-a' }));
    expect(prices('a')).toEqual({ eur: 3, usd: 2 });
    expect(controller.getResponse(Rates.getList, { market: 'b' })).toBe(other);
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', url: '/rates' });
  });

  it('passes over keys without a record', () => {
    const controller = new Controller();
    const rates = new Collection(new Values(Rate), { name: 'rates' });
    controller.set(rates, {}, { eur: { id: '1' }, none: null, gone: undefined } as never);
    controller.set(rates.assign, {}, { eur: null, usd: undefined, chf: { id: '3' } } as never);
    expect(controller.get(rates, {})).toEqual({
      eur: Rate.fromJS({ id: '1' }),
      chf: Rate.fromJS({ id: '3' }),
    });
    const [[list] = []] = Object.values(getState(controller).lists);
    expect(list?.listing.keys).toEqual(['eur', 'chf']);
  });

  it('may put one record under several keys', () => {
    const controller = new Controller();
    const rates = new Collection(new Values(Rate), { name: 'rates' });
    controller.set(rates, {}, {});
    controller.set(rates.assign, {}, { eur: { id: '1' }, euro: { id: '1' } });
    const { eur, euro } = controller.get(rates, {}) ?? {};
    expect(eur).toBe(controller.get(Rate, '1'));
    expect(euro).toBe(eur);
  });

  it('created records without a key yet keep their places when the server names them', async () => {
    const { Rates, controller, prices } = await openRates();
    server.respond((request) => {
      const body = JSON.parse(request.body) as Record<string, object>;
      return { gbp: { ...body['gbp'], id: 'gbp-a' } };
    });
    const assigned = controller.fetch(Rates.getList.assign, { gbp: { market: 'a', price: 5 } });
    expect(prices('a')).toEqual({ eur: 1, gbp: 5 });
    await assigned;
    expect(prices('a')).toEqual({ eur: 1, gbp: 5 });
    expect(controller.getResponse(Rates.getList, { market: 'a' })?.['gbp']?.id).toBe('gbp-a');
  });

  it('that fails leaves every map as it was', async () => {
    const { Rates, controller, prices } = await openRates();
    server.respond((_, response) => void response.writeHead(500).end());
    const assigned = controller.fetch(Rates.getList.assign, { eur: { market: 'a', price: 9 } });
    expect(prices('a')).toEqual({ eur: 9 });
    await expect(assigned).rejects.toThrow('500');
    expect(prices('a')).toEqual({ eur: 1 });
  });

  it('takes an object only', async () => {
    const { Rates, controller } = await openRates();
    server.respond(() => [1]);
    await expect(
      controller.fetch(Rates.getList.assign, { eur: { id: 'x' } }),
    ).rejects.toMatchObject({
      code: 'unexpected-shape',
    });
  });
});

describe('a map of records', () => {
  it('loses deleted members, and shows changed ones', async () => {
    const { Rates, controller, prices } = await openRates();
    await controller.fetch(Rates.partialUpdate, { id: 'eur-a' }, { id: 'eur-a', price: 7 });
    expect(prices('a')).toEqual({ eur: 7 });
    await controller.fetch(Rates.delete, { id: 'eur-a' });
    expect(prices('a')).toEqual({});
    expect(prices('b')).toEqual({ eur: 1 });
  });

  it('is fetched again after a move into it, because only the server knows the key', async () => {
    const { Rates, controller, prices } = await openRates();
    const view = controller.observe(Rates.getList, { market: 'b' });
    const moved = { id: 'eur-a', market: 'b', price: 3 };
    server.respond(() => moved);
    await controller.fetch(Rates.getList.move, { id: 'eur-a' }, { market: 'b' });
    expect(prices('a')).toEqual({});
    expect(view.needsLoad()).toBe(true);
    server.respond(() => ({ eur: { id: 'eur-b', market: 'b', price: 1 }, other: moved }));
    await view.load();
    expect(prices('b')).toEqual({ eur: 1, other: 3 });
  });

  it('stays the same object after an equal response', async () => {
    const { Rates, controller } = await openRates();
    const before = controller.getResponse(Rates.getList, { market: 'a' });
    server.respond(() => ({ eur: { id: 'eur-a', market: 'a', price: 1 }, none: null }));
    expect(await controller.fetch(Rates.getList, { market: 'a' })).toBe(before);
  });

  it('loses a member that is removed from it, and the removal gives that', async () => {
    const controller = new Controller();
    const rates = new Collection(new Values(Rate), { name: 'rates' });
    controller.set(rates, {}, { eur: { id: '1', price: 5 }, usd: { id: '2' } });
    const remove = new Endpoint(async (_: { id: string }): Promise<object> => ({ id: '1' }), {
      name: 'remove',
      schema: rates.remove,
      sideEffect: true,
    });
    expect(await controller.fetch(remove, { id: '1' })).toBe(controller.get(Rate, { id: '1' }));
    expect(controller.get(rates, {})).toEqual({ usd: Rate.fromJS({ id: '2' }) });
  });

  it('takes further pages, each key once', async () => {
    const { Rates, controller, prices } = await openRates();
    server.respond(() => ({ eur: { id: 'other', price: 8 }, usd: { id: 'usd-a', price: 2 } }));
    const page = await controller.fetch(Rates.getList.paginated('page'), { market: 'a', page: 2 });
    expect(Object.keys(page)).toEqual(['eur', 'usd']);
    expect(prices('a')).toEqual({ eur: 1, usd: 2 });
  });

  it('is not the same as a list of the same members', async () => {
    const { Rates, controller, prices } = await openRates();
    const list = Rates.getList.extend({ schema: new Collection([Rate]) });
    controller.setResponse(list, { market: 'a' }, [{ id: 'x', market: 'a' }]);
    expect(prices('a')).toEqual({ eur: 1 });
    await controller.fetch(Rates.getList.assign, { usd: { id: 'usd-a', market: 'a' } });
    expect(controller.getResponse(list, { market: 'a' })).toHaveLength(1);
  });

  it('may hold members of a union', () => {
    const Any = new Union({ a: Rate }, 'market');
    const rates = new Collection(new Values(Any));
    const controller = new Controller();
    controller.set(rates, {}, { eur: { id: '1', market: 'a' } });
    expect(controller.get(rates, {})?.['eur']).toBe(controller.get(Rate, { id: '1' }));
    controller.set(rates.assign, {}, { usd: { id: '2', market: 'a' } });
    expect(Object.keys(controller.get(rates, {}) ?? {})).toEqual(['eur', 'usd']);
  });

  it('has keys and no places: it cannot be pushed to, nor a list assigned to', async () => {
    const { Rates } = await openRates();
    const { push, unshift, remove } = Rates.getList as {
      [edit in 'push' | 'unshift' | 'remove']?: unknown;
    };
    expect([push, unshift, typeof remove]).toEqual([undefined, undefined, 'function']);
    const List = resource({ path: '/rates/:id', schema: Rate });
    expect((List.getList as { assign?: unknown }).assign).toBeUndefined();
    // @ts-expect-error a map has no end
    void (() => Rates.getList.push({}));
    // @ts-expect-error a list has no keys
    void (() => List.getList.assign({}));
  });

  it('with keys such as __proto__ holds them as data', () => {
    const rates = new Collection(new Values(Rate), { name: 'rates' });
    const controller = new Controller();
    controller.set(
      rates,
      {},
      JSON.parse('{"__proto__": {"id": "1"}, "constructor": {"id": "2"}}') as object,
    );
    expect(Object.keys(controller.get(rates, {}) ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(controller.get(rates, {}))).toBe(Object.prototype);
  });
});
