import {
  conditional,
  Controller,
  Entity,
  freshFromHeaders,
  resource,
  RestEndpoint,
} from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { serverOfFile } from '../support/server.js';

class Product extends Entity {
  id = '';
  name = '';
}

const server = await serverOfFile();
/** The headers of the responses. */
let headers: Record<string, string> = {};
beforeEach(() => {
  server.seen.splice(0);
  server.respond((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (headers.etag && request.headers['if-none-match'] === headers.etag) {
      return void response.writeHead(304).end();
    }
    return { id: '1', name: 'Tea' };
  });
});

function open(isConditional = false) {
  const clock = new Clock();
  const { get } = resource({
    urlPrefix: server.origin ?? '',
    path: '/products/:id',
    schema: Product,
    dataExpiryLength: 1_000,
  });
  const getProduct = freshFromHeaders(isConditional ? conditional(get) : get);
  const controller = new Controller({ environment: clock.environment });
  /** Reads after some seconds. Returns the number of requests so far. */
  const readAfter = async (seconds: number): Promise<number | undefined> => {
    clock.now += seconds * 1_000;
    await controller.fetchIfStale(getProduct, { id: '1' });
    return server.seen.length;
  };
  return { clock, controller, getProduct, readAfter };
}

describe('the lifetime of data of freshFromHeaders', () => {
  it.each<readonly [name: string, headers: Record<string, string>, seconds: number]>([
    ['max-age', { 'cache-control': 'public, Max-Age=60' }, 60],
    ['max-age, quoted', { 'cache-control': 'max-age="60"' }, 60],
    ['max-age minus Age', { 'cache-control': 'max-age=60', age: '20' }, 40],
    ...['old', '-20', '1.5', '0x10', '1e1', 'Infinity'].map(
      (age): [string, Record<string, string>, number] => [
        `max-age, with the Age ${age}`,
        { 'cache-control': 'max-age=60', age },
        60,
      ],
    ),
    ['max-age minus the first of two Ages', { 'cache-control': 'max-age=60', age: '20, 5' }, 40],
    ['the first of two max-ages', { 'cache-control': 'max-age=60, max-age=20' }, 60],
    ['dataExpiryLength without Cache-Control', {}, 1],
    ['dataExpiryLength without max-age', { 'cache-control': 'private, s-maxage=60' }, 1],
    [
      'max-age beside no-cache for some headers',
      { 'cache-control': 'no-cache="set-cookie", max-age=60' },
      60,
    ],
  ])('is %s', async (_, given, seconds) => {
    headers = given;
    const { readAfter } = open();
    expect(await readAfter(0)).toBe(1);
    expect(await readAfter(seconds - 0.001)).toBe(1);
    expect(await readAfter(0.001)).toBe(2);
  });

  it.each([
    'no-cache',
    'no-store, max-age=60',
    'max-age=60,No-Cache',
    ...['0', 'x', '-5', '1.5', '1e3', '0x3c', 'Infinity', ''].map((age) => `max-age=${age}`),
  ])('is none with %s', async (directives) => {
    headers = { 'cache-control': directives };
    const { readAfter } = open();
    expect([await readAfter(0), await readAfter(0)]).toEqual([1, 2]);
  });

  it('is none when Age is above max-age; a mounted reader keeps its data', async () => {
    headers = { 'cache-control': 'max-age=60', age: '90' };
    const { clock, controller, getProduct } = open();
    const view = controller.observe(getProduct, { id: '1' });
    view.subscribe(() => {});
    await view.load();
    clock.now += 10_000;
    expect(view.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'Tea' } });
    expect([view.needsLoad(true), view.needsLoad()]).toEqual([false, true]);
  });

  it('is none with no-store; a mounted reader shows each response and removes the last one', async () => {
    let count = 0;
    server.respond((_, response) => {
      response.setHeader('cache-control', 'no-store');
      return { count: (count += 1) };
    });
    const clock = new Clock();
    const controller = new Controller({ environment: clock.environment });
    const getCount = freshFromHeaders(
      new RestEndpoint({ urlPrefix: server.origin ?? '', path: '/count/:id' }),
    );
    const view = controller.observe(getCount, { id: '1' });
    const stop = view.subscribe(() => {});
    await view.load();
    expect(view.getSnapshot()).toMatchObject({ data: { count: 1 } });
    await controller.fetch(getCount, { id: '1' });
    expect(view.getSnapshot()).toMatchObject({ data: { count: 2 } });
    stop();
    await Promise.resolve();
    expect(view.getSnapshot()).toEqual({ status: 'pending' });
  });

  it('is that of each response, and starts again with a 304 and its headers', async () => {
    headers = { 'cache-control': 'max-age=60', age: '50', etag: '"1"' };
    const { readAfter } = open(true);
    expect(await readAfter(0)).toBe(1);
    expect(await readAfter(10)).toBe(2);
    headers = { etag: '"1"', 'cache-control': 'max-age=100' };
    expect(await readAfter(10)).toBe(3);
    expect(await readAfter(99)).toBe(3);
    headers = { etag: '"1"' };
    expect(await readAfter(1)).toBe(4);
    // The headers that a 304 leaves out are those before.
    expect(await readAfter(99)).toBe(4);
    expect(await readAfter(1)).toBe(5);
  });
});
