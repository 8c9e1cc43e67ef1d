/** Readers of endpoints with one cache key share a view. No reader depends on the endpoint of another one. */
import type { ServerResponse } from 'node:http';
import { Controller, Entity, PollingManager, RestEndpoint } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class User extends Entity {
  id = '';
}

const getUser = new RestEndpoint({ urlPrefix: server.origin, path: '/users/:id', schema: User });
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  server.seen.length = 0;
  server.respond(() => ({ id: '1' }));
});

function observed(endpoint: typeof getUser) {
  const view = controller.observe(endpoint, { id: '1' });
  const load = (): void => {
    if (view.needsLoad(true)) view.load().catch(() => {});
  };
  const leave = view.subscribe(load);
  load();
  return { view, leave };
}

describe('a reader whose endpoint has no signal', () => {
  it.each([false, true])(
    'fetches after another reader has aborted and left, mounted first: %j',
    async (isFirst) => {
      const abort = new AbortController();
      const aborting = getUser.extend({ signal: abort.signal });
      const readers = (isFirst ? [getUser, aborting] : [aborting, getUser]).map(observed);
      const [plain, other] = isFirst ? readers : readers.toReversed();
      await expect.poll(() => plain?.view.getSnapshot().status).toBe('ready');
      other?.leave();
      abort.abort();
      for (const outdate of ['expireAll', 'invalidateAll', 'resetEntireStore'] as const) {
        const { length } = server.seen;
        if (outdate === 'resetEntireStore') controller.resetEntireStore();
        else void controller[outdate](getUser);
        await expect.poll(() => server.seen.length).toBe(length + 1);
        await expect
          .poll(() => plain?.view.getSnapshot())
          .toMatchObject({ status: 'ready', stale: false });
      }
    },
  );

  it('gets the response to a request that another reader began and aborted', async () => {
    const abort = new AbortController();
    let held: ServerResponse | undefined;
    server.respond((_, response) => {
      held = response;
      return undefined;
    });
    observed(getUser.extend({ signal: abort.signal }));
    const { view } = observed(getUser);
    await expect.poll(() => server.seen.length).toBe(1);
    abort.abort();
    held?.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
    await expect.poll(() => view.getSnapshot().status).toBe('ready');
    expect(server.seen).toHaveLength(1);
  });

  it.each([false, true])(
    'is polled after another subscriber has aborted, subscribed first: %j',
    async (isFirst) => {
      const clock = new Clock();
      controller = new Controller({
        managers: [new PollingManager()],
        environment: clock.environment,
      });
      const abort = new AbortController();
      const live = getUser.extend({ pollFrequency: 1_000 });
      const aborting = live.extend({ signal: abort.signal });
      for (const endpoint of isFirst ? [live, aborting] : [aborting, live]) {
        controller.subscribe(endpoint, { id: '1' });
      }
      await expect.poll(() => server.seen.length).toBe(1);
      await expect.poll(() => controller.countFetching()).toBe(0);
      controller.unsubscribe(aborting, { id: '1' });
      abort.abort();
      await clock.pass(2_000);
      await expect.poll(() => server.seen.length).toBe(2);
      controller.dispose();
    },
  );
});

it('a reader whose own signal aborts gets the error', async () => {
  const abort = new AbortController();
  server.respond(() => undefined);
  const { view } = observed(getUser.extend({ signal: abort.signal }));
  await expect.poll(() => server.seen.length).toBe(1);
  abort.abort();
  await expect
    .poll(() => view.getSnapshot())
    .toMatchObject({ status: 'error', error: { name: 'AbortError' } });
});

it('endpoints with one URL and other parameter names share a response', async () => {
  const other = new RestEndpoint({ urlPrefix: server.origin, path: '/users/:user', schema: User });
  const { view } = observed(getUser);
  const otherView = controller.observe(other, { user: '1' });
  await expect.poll(() => view.getSnapshot().status).toBe('ready');
  expect(otherView.getSnapshot()).toEqual(view.getSnapshot());
  expect(controller.getResponse(other, { user: '1' })).toBeInstanceOf(User);
  expect(server.seen).toHaveLength(1);
});
