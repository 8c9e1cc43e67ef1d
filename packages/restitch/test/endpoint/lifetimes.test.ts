import { Controller, type ReadEndpoint, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, test } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.seen.length = 0;
  server.respond((request) => request);
});

/** Whether a read that comes `age` milliseconds after the first one gets its response from the store. */
async function isFreshAt(age: number, endpoint: ReadEndpoint): Promise<boolean> {
  let now = 0;
  const controller = new Controller({ environment: { now: () => now } });
  await controller.fetch(endpoint);
  const requests = server.seen.length;
  now = age;
  await controller.fetchIfStale(endpoint);
  controller.dispose();
  return server.seen.length === requests;
}

const make = (options: object = {}): RestEndpoint =>
  new RestEndpoint({ path: '/things', urlPrefix: server.origin, ...options });

describe('a result is fresh', () => {
  test('for a minute by default', async () => {
    expect(await isFreshAt(59_999, make())).toBe(true);
    expect(await isFreshAt(60_001, make())).toBe(false);
  });

  test('for the `dataExpiryLength` of its endpoint, whether option or class field', async () => {
    class Short extends RestEndpoint {
      override dataExpiryLength: number = 5;
    }
    const short = new Short({ path: '/things', urlPrefix: server.origin });
    for (const endpoint of [make({ dataExpiryLength: 5 }), short]) {
      expect(await isFreshAt(4, endpoint)).toBe(true);
      expect(await isFreshAt(6, endpoint)).toBe(false);
    }
  });

  test('for ever with `Infinity`', async () => {
    expect(await isFreshAt(1e12, make({ dataExpiryLength: Infinity }))).toBe(true);
  });
});

test('a failure is remembered for a second by default, or for the `errorExpiryLength`', async () => {
  server.raw(404, undefined, '');
  let now = 0;
  const controller = new Controller({ environment: { now: () => now } });
  const plain = make();
  const other = make({ path: '/others', errorExpiryLength: 5_000 });
  for (const endpoint of [plain, other]) {
    await expect(controller.fetch(endpoint)).rejects.toMatchObject({ status: 404 });
  }
  const needed = (): boolean[] =>
    [plain, other].map((endpoint) => controller.observe(endpoint).needsLoad());
  now = 999;
  expect(needed()).toEqual([false, false]);
  now = 1_001;
  expect(needed()).toEqual([true, false]);
  now = 5_001;
  expect(needed()).toEqual([true, true]);
  controller.dispose();
});
