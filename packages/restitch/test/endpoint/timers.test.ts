import { Controller, Endpoint, Entity, NetworkError, PollingManager, RestEndpoint } from 'restitch';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../support/clock.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const MONTH = 30 * 24 * 3_600_000;

/** A request that only its signal ends; returns its outcome. */
function hanging(timeout: number | undefined) {
  const endpoint = new RestEndpoint({
    path: '/slow',
    timeout,
    fetchResponse: (_: RequestInfo, { signal }: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  const outcome = { name: 'pending' };
  endpoint().catch((error: Error) => {
    outcome.name = error.name;
  });
  return outcome;
}

describe('a timeout', () => {
  it.each([0, Infinity, Number.NaN, undefined])(
    'does not end the request when it is %s',
    async (timeout) => {
      const outcome = hanging(timeout);
      await vi.advanceTimersByTimeAsync(3 * MONTH);
      expect([outcome.name, vi.getTimerCount()]).toEqual(['pending', 0]);
    },
  );

  it('ends a request after a month when it is a month', async () => {
    const outcome = hanging(MONTH);
    await vi.advanceTimersByTimeAsync(MONTH - 1);
    expect(outcome.name).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect([outcome.name, vi.getTimerCount()]).toEqual(['TimeoutError', 0]);
  });

  it('replaces the timeout of the class when it is 0', async () => {
    class Api extends RestEndpoint {
      override timeout = 10;
    }
    const response = new Promise<Response>((resolve) => {
      setTimeout(() => resolve(Response.json('late')), 1_000);
    });
    const get = new Api({ path: '/slow', timeout: 0, fetchResponse: () => response });
    const late = get();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe('late');
  });
});

describe('the wait before a retry', () => {
  function failing(backoff: () => number) {
    const times: number[] = [];
    const endpoint = new RestEndpoint({
      path: '/failing',
      retry: { limit: 1, backoff },
      async fetchResponse(): Promise<Response> {
        times.push(Date.now());
        throw new NetworkError(new Response('', { status: 503 }));
      },
    });
    const outcome = { isOver: false };
    endpoint().catch(() => {
      outcome.isOver = true;
    });
    return { times, outcome };
  }

  it('may be a month', async () => {
    const { times } = failing(() => MONTH);
    await vi.advanceTimersByTimeAsync(MONTH - 1);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(times).toHaveLength(2);
  });

  it.each([0, -1, Number.NaN])('does not end the request when it is %s', async (wait) => {
    const { times } = failing(() => wait);
    await vi.advanceTimersByTimeAsync(5);
    expect(times).toHaveLength(2);
  });

  it('means no further try when it is Infinity', async () => {
    const { times, outcome } = failing(() => Infinity);
    await vi.advanceTimersByTimeAsync(0);
    expect([times.length, outcome.isOver, vi.getTimerCount()]).toEqual([1, true, 0]);
  });
});

describe('the time between two garbage collections', () => {
  class User extends Entity {
    id = '';
    static override key = 'User';
  }

  it('may be a month', async () => {
    const clock = new Clock();
    const controller = new Controller({
      sweep: { interval: MONTH },
      environment: clock.environment,
    });
    const getUser = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'getUser',
      schema: User,
    });
    await Promise.all([controller.fetch(getUser, { id: '1' }), clock.pass(0)]);
    await clock.pass(MONTH - 1);
    expect(controller.get(User, { id: '1' })).toBeDefined();
    await clock.pass(2);
    expect(controller.get(User, { id: '1' })).toBeUndefined();
  });

  it('switches garbage collection off when it is Infinity', async () => {
    const clock = new Clock();
    const controller = new Controller({
      sweep: { interval: Infinity },
      environment: clock.environment,
    });
    controller.set(User, { id: '1' }, { id: '1' });
    expect(clock.idleWaits).toBe(0);
  });
});

describe('the period of a poll', () => {
  it.each([MONTH, Infinity])('may be %s', async (pollFrequency) => {
    const clock = new Clock();
    const controller = new Controller({
      managers: [new PollingManager()],
      environment: clock.environment,
    });
    let count = 0;
    const getCount = new Endpoint(async () => (count += 1), { name: 'getCount', pollFrequency });
    controller.subscribe(getCount);
    await clock.pass(MONTH - 1);
    expect(count).toBe(1);
    await clock.pass(1);
    expect(count).toBe(pollFrequency === MONTH ? 2 : 1);
    controller.dispose();
  });
});

describe('the lifetime of an error', () => {
  it.each([
    [Number.NaN, 100],
    [-5, 100],
    [MONTH, MONTH],
  ])('that is set to %s ends after %s ms', async (errorExpiryLength, end) => {
    let now = 0;
    const controller = new Controller({ environment: { now: () => now } });
    const failing = new Endpoint(
      async () => {
        throw new Error('no');
      },
      { name: 'failing', errorExpiryLength },
    );
    const view = controller.observe(failing);
    await view.load().catch(() => {});
    now = end - 1;
    expect(view.needsLoad()).toBe(false);
    now = end;
    expect(view.needsLoad()).toBe(true);
  });
});
