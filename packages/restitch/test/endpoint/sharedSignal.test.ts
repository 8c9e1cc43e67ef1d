/** One signal for many requests, as that of a session: Node warns of more than ten listeners, since they may be a leak. */
import { getEventListeners } from 'node:events';
import { Controller, RestEndpoint } from 'restitch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
const warnings: Error[] = [];
const note = (warning: Error): void => void warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', note);
});
afterEach(() => {
  process.off('warning', note);
});

const COUNT = 30;
const each = <T>(call: (id: number) => T): T[] =>
  Array.from({ length: COUNT }, (_, id) => call(id));

const make = (options: object): RestEndpoint =>
  new RestEndpoint({
    urlPrefix: server.origin,
    path: '/x/:id',
    ...options,
  }) as unknown as RestEndpoint;

it.each<[string, object, (endpoint: RestEndpoint, id: number) => Promise<unknown>]>([
  ['a timeout', { timeout: 10_000 }, (endpoint, id) => endpoint({ id })],
  [
    'another signal',
    { requestInit: { signal: new AbortController().signal } },
    (endpoint, id) => endpoint({ id }),
  ],
  [
    'controller.fetch',
    { timeout: 10_000 },
    (endpoint, id) => new Controller().fetch(endpoint, { id }),
  ],
])('joined with %s by many requests at once has one listener', async (_, options, send) => {
  const { signal } = new AbortController();
  const endpoint = make({ ...options, signal });
  const sent = each((id) => send(endpoint, id));
  await Promise.resolve();
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
  await Promise.all(sent);
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
  expect(warnings).toEqual([]);
});

it('ends all requests when it aborts, each with its reason', async () => {
  server.respond(() => undefined);
  const controller = new AbortController();
  const endpoint = make({ timeout: 10_000, signal: controller.signal });
  const outcomes = Promise.allSettled(each((id) => endpoint({ id })));
  const reason = new Error('signed out');
  controller.abort(reason);
  expect(await outcomes).toEqual(each(() => ({ status: 'rejected', reason })));
});
