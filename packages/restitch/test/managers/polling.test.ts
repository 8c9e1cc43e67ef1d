import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Endpoint, type Manager, PollingManager, RestEndpoint } from 'restitch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Clock, settle } from '../support/clock.js';

let names = 0;

/** A price that counts how often it was asked for, on a clock moved by hand. */
// The return type is what the class infers from its options; naming it would repeat them.
function polled(pollFrequency: number | undefined = 1_000) {
  const clock = new Clock();
  const manager = new PollingManager();
  const controller = new Controller({ managers: [manager], environment: clock.environment });
  const times: number[] = [];
  const responses: { next: () => Promise<number> } = { next: async () => times.length };
  const start = clock.now;
  const getPrice = new Endpoint(
    async (_: { id: string }): Promise<number> => {
      times.push(clock.now - start);
      return responses.next();
    },
    { name: `getPrice${(names += 1)}`, pollFrequency },
  );
  return { clock, controller, times, answers: responses, getPrice, id: { id: '1' } };
}

describe('polling', () => {
  it('fetches at once when there is no data, then every period, until the last subscriber leaves', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(3_500);
    expect(times).toEqual([0, 1_000, 2_000, 3_000]);
    expect(controller.getResponse(getPrice, id)).toBe(4);
    controller.unsubscribe(getPrice, id);
    await clock.pass(10_000);
    expect(times).toHaveLength(4);
    expect([clock.timers, clock.listeners, clock.reported]).toEqual([0, 0, []]);
  });

  it('shared by two copies has one timer, and the options of the newest subscriber', async () => {
    const clock = new Clock();
    const { environment } = clock;
    const controller = new Controller({ managers: [new PollingManager()], environment });
    const tokens: unknown[] = [];
    const getRates = new RestEndpoint({
      path: '/rates',
      send: async (_: string, { headers }: RequestInit) => {
        tokens.push(new Headers(headers).get('authorization'));
        return Response.json({});
      },
    });
    const withToken = (authorization: string) =>
      getRates.extend({ pollFrequency: 1_000, requestInit: { headers: { authorization } } });
    const old = withToken('old');
    const recent = withToken('recent');
    controller.subscribe(old);
    await clock.pass(500);
    controller.subscribe(recent);
    await clock.pass(1_500);
    expect(tokens).toEqual(['old', 'recent', 'recent']);
    controller.unsubscribe(recent);
    await clock.pass(1_000);
    expect(tokens.slice(3)).toEqual(['old']);
    controller.resetEntireStore();
    await clock.pass(1_500);
    expect(tokens.slice(4)).toEqual(['old', 'old']);
    controller.unsubscribe(old);
    await clock.pass(5_000);
    expect([tokens.length, clock.timers, clock.reported]).toEqual([6, 0, []]);
  });

  it('never returns to the options of a copy whose subscription has ended', async () => {
    const clock = new Clock();
    const { environment } = clock;
    const controller = new Controller({ managers: [new PollingManager()], environment });
    const tokens: unknown[] = [];
    const getInbox = new RestEndpoint({
      path: '/inbox',
      pollFrequency: 1_000,
      send: async (_: string, { headers }: RequestInit) => {
        tokens.push(new Headers(headers).get('authorization'));
        return Response.json({});
      },
    });
    // A component makes such a copy for each user. The functions have the same text.
    const copyFor = (authorization: string) =>
      getInbox.extend({ getHeaders: (headers) => ({ ...headers, authorization }) });
    const [old, other, recent] = [copyFor('old'), copyFor('old'), copyFor('recent')];
    controller.subscribe(old);
    controller.subscribe(other);
    await clock.pass(500);
    // The components render again with the next user's copy, and one of them unmounts.
    controller.observe(recent);
    controller.unsubscribe(other);
    tokens.length = 0;
    await clock.pass(2_000);
    expect(tokens).toEqual(['recent', 'recent']);
    controller.unsubscribe(old);
    await clock.pass(5_000);
    expect([tokens.length, clock.timers, clock.reported]).toEqual([2, 0, []]);
  });

  it('waits until data that is there is one period old', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    await controller.fetch(getPrice, id);
    await clock.pass(700);
    controller.subscribe(getPrice, id);
    await clock.pass(299);
    expect(times).toEqual([0]);
    await clock.pass(1);
    expect(times).toEqual([0, 1_000]);
  });

  it('counts what others fetch or set meanwhile', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(600);
    await controller.fetch(getPrice, id);
    await clock.pass(600);
    controller.setResponse(getPrice, id, 9);
    await clock.pass(999);
    expect(times).toEqual([0, 600]);
    await clock.pass(1);
    expect(times).toEqual([0, 600, 2_200]);
  });

  it('has one timer for all subscribers of a key, at the shortest period, and falls back to the next one', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    const fast = getPrice.extend({ pollFrequency: 100 });
    controller.subscribe(getPrice, id);
    controller.subscribe(fast, id);
    controller.subscribe(getPrice, id);
    await clock.pass(250);
    expect(times).toEqual([0, 100, 200]);
    expect(clock.timers).toBe(1);
    controller.unsubscribe(fast, id);
    await clock.pass(1_000);
    expect(times).toEqual([0, 100, 200, 1_200]);
    controller.unsubscribe(getPrice, id);
    await clock.pass(1_000);
    expect(times).toEqual([0, 100, 200, 1_200, 2_200]);
    controller.unsubscribe(getPrice, id);
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
  });

  it('never overlaps itself: the period begins when the response is there', async () => {
    const { clock, controller, times, answers: responses, getPrice, id } = polled();
    let respond = (_: number): void => {};
    responses.next = () => new Promise((resolve) => (respond = resolve));
    controller.subscribe(getPrice, id);
    await clock.pass(5_000);
    expect(times).toEqual([0]);
    respond(1);
    await clock.pass(1_000);
    expect(times).toEqual([0, 6_000]);
  });

  it('varies each period by a tenth', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    clock.random = 1;
    controller.subscribe(getPrice, id);
    await clock.pass(0);
    clock.random = 0;
    await clock.pass(1_100);
    await clock.pass(900);
    expect(times).toEqual([0, 1_100, 2_000]);
  });

  it('outlasts a clock that is set back, and periods longer than a timer can be', async () => {
    const { clock, controller, times, answers: responses, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(0);
    responses.next = async () => {
      throw new Error('down');
    };
    clock.now -= 3_600_000;
    await clock.change({});
    expect(times).toHaveLength(2);
    await clock.pass(1_999);
    expect(times).toHaveLength(2);
    await clock.pass(1);
    expect(times).toHaveLength(3);
    const waits: number[] = [];
    const other = new Controller({
      managers: [new PollingManager()],
      environment: { ...clock.environment, setTimeout: (_, wait) => waits.push(wait) },
    });
    other.setResponse(getPrice, id, 1);
    other.subscribe(getPrice.extend({ pollFrequency: Infinity }), id);
    expect(waits).toEqual([2 ** 31 - 1]);
  });

  it('asks with the endpoint that was used last', async () => {
    const { clock, controller, getPrice, id } = polled();
    const asked: string[] = [];
    const withToken = (token: string) =>
      getPrice.extend({
        fetch: async () => asked.push(token),
        key: ({ id: product }: { id: string }) => `getPrice ${product}`,
      });
    controller.subscribe(withToken('old'), id);
    await clock.pass(0);
    controller.observe(withToken('new'), id);
    await clock.pass(1_000);
    expect(asked).toEqual(['old', 'new']);
  });
});

describe('polling that fails', () => {
  it('leaves the data in place, throws nothing, and waits twice as long after each error, up to five minutes', async () => {
    const { clock, controller, times, answers: responses, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(0);
    responses.next = async () => {
      throw new Error('hard');
    };
    await clock.pass(7_000);
    expect(times).toEqual([0, 1_000, 3_000, 7_000]);
    expect(controller.getResponse(getPrice, id)).toBe(1);
    expect(controller.getError(getPrice, id)?.message).toBe('hard');
    await clock.pass(3_600_000);
    expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBe(300_000);
    responses.next = async () => 5;
    await clock.pass(300_000);
    const count = times.length;
    await clock.pass(2_000);
    expect(times).toHaveLength(count + 2);
    expect(clock.reported).toEqual([]);
  });

  it('at the first load stores the error, and goes on', async () => {
    const { clock, controller, times, answers: responses, getPrice, id } = polled();
    responses.next = async () => {
      throw new Error('down');
    };
    controller.subscribe(getPrice, id);
    await clock.pass(0);
    expect(controller.getError(getPrice, id)?.message).toBe('down');
    responses.next = async () => 5;
    await clock.pass(2_000);
    expect(times).toEqual([0, 2_000]);
    expect(controller.getResponse(getPrice, id)).toBe(5);
  });
});

describe('polling while the screen is hidden or the network is down', () => {
  it('pauses while the screen is hidden, and goes on when a period has passed', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(500);
    await clock.change({ isVisible: false });
    await clock.pass(200);
    await clock.change({ isVisible: true });
    await clock.pass(299);
    expect(times).toEqual([0]);
    await clock.pass(1);
    expect(times).toEqual([0, 1_000]);
    await clock.change({ isVisible: false });
    expect(clock.timers).toBe(0);
    await clock.pass(5_000);
    expect(times).toEqual([0, 1_000]);
    await clock.change({ isVisible: true });
    expect(times).toEqual([0, 1_000, 6_000]);
  });

  it('stops offline, and fetches at once when online again', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(100);
    await clock.change({ isOnline: false });
    expect(clock.timers).toBe(0);
    await clock.pass(100);
    await clock.change({ isOnline: true });
    expect(times).toEqual([0, 200]);
    await clock.change({ isVisible: false, isOnline: false });
    await clock.change({ isOnline: true });
    expect(times).toEqual([0, 200]);
    await clock.change({ isVisible: true });
    expect(times).toEqual([0, 200, 200]);
  });

  it('does not begin while hidden', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    clock.isVisible = false;
    controller.subscribe(getPrice, id);
    await clock.pass(5_000);
    expect(times).toEqual([]);
    await clock.change({ isVisible: true });
    expect(times).toEqual([5_000]);
  });
});

describe('a subscription', () => {
  it('without pollFrequency logs an error and nothing else', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    const never = getPrice.extend({ pollFrequency: undefined });
    const zero = getPrice.extend({ pollFrequency: 0 });
    for (const endpoint of [never, zero]) {
      controller.subscribe(endpoint, id);
      controller.unsubscribe(endpoint, id);
    }
    await clock.pass(5_000);
    expect([times, clock.timers]).toEqual([[], 0]);
    expect(clock.reported).toMatchObject([
      { code: 'no-poll-frequency' },
      { code: 'no-poll-frequency' },
    ]);
  });

  it('that was never made cannot be ended: an error is logged, the others go on', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.unsubscribe(getPrice, id);
    controller.subscribe(getPrice, id);
    controller.unsubscribe(getPrice.extend({ pollFrequency: 77 }), id);
    await clock.pass(1_000);
    expect(times).toEqual([0, 1_000]);
    expect(clock.reported).toMatchObject([{ code: 'not-subscribed' }, { code: 'not-subscribed' }]);
  });

  it('to null is none', () => {
    const { clock, controller, getPrice } = polled();
    controller.subscribe(getPrice, null);
    controller.unsubscribe(getPrice, null);
    expect([clock.timers, clock.reported]).toEqual([0, []]);
  });

  it('does nothing, and does not throw, where no manager cares: development says so once', async () => {
    const { clock, getPrice, id, times } = polled();
    const controller = new Controller({ environment: clock.environment });
    expect(() => {
      controller.subscribe(getPrice, id);
      controller.subscribe(getPrice, { id: '2' });
      controller.unsubscribe(getPrice, id);
    }).not.toThrow();
    await clock.pass(5_000);
    expect(times).toEqual([]);
    expect(clock.reported).toMatchObject([
      { code: 'nothing-polls', message: expect.stringMatching(/`new PollingManager\(\)`/) },
    ]);
  });

  it('is an action that a manager may keep for itself', async () => {
    const { clock, getPrice, id, times } = polled();
    const taken: string[] = [];
    const stream: Manager = {
      middleware: () => (next) => (action) => {
        if (action.type === 'subscribe' || action.type === 'unsubscribe') taken.push(action.type);
        else next(action);
      },
    };
    const controller = new Controller({
      managers: [stream, new PollingManager()],
      environment: clock.environment,
    });
    controller.subscribe(getPrice, id);
    controller.unsubscribe(getPrice, id);
    await clock.pass(5_000);
    expect(taken).toEqual(['subscribe', 'unsubscribe']);
    expect([times, clock.reported]).toEqual([[], []]);
  });

  it('starts anew with an empty store, and ends with the controller', async () => {
    const { clock, controller, times, getPrice, id } = polled();
    controller.subscribe(getPrice, id);
    await clock.pass(500);
    controller.resetEntireStore();
    await settle();
    expect(times).toEqual([0, 500]);
    expect(controller.getResponse(getPrice, id)).toBe(2);
    controller.dispose();
    await clock.pass(5_000);
    expect(times).toEqual([0, 500]);
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
  });
});

describe('the environment that is there by itself', () => {
  it('polls a real server, without a document, a navigator or a window', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"amount":1}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const requested = vi.fn();
    server.on('request', requested);
    const { port } = server.address() as AddressInfo;
    const controller = new Controller({ managers: [new PollingManager()] });
    const getPrice = new RestEndpoint({
      urlPrefix: `http://127.0.0.1:${port}`,
      path: '/price/:id',
      pollFrequency: 5,
    });
    controller.subscribe(getPrice, { id: '1' });
    await expect.poll(() => requested.mock.calls.length).toBeGreaterThan(2);
    controller.dispose();
    expect(controller.getResponse(getPrice, { id: '1' })).toEqual({ amount: 1 });
  });
});
