import { act, render } from '@testing-library/react';
import { Activity, type ReactNode, StrictMode } from 'react';
import { Controller, Endpoint, type Manager, PollingManager } from 'restitch';
import { AsyncBoundary, DataProvider, useCache, useLive, useSubscription } from 'restitch/react';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { Clock } from '../support/clock.js';
import { counter, hasActivity, show, watchConsole, write } from '../support/reactWorld.js';

const logged = watchConsole();

let names = 0;

/** A counter on a server, polled every second, on a clock moved by hand. */
// The return type is what the class infers from its options; naming it would repeat them.
function polled(
  pollFrequency: number | undefined = 1_000,
  options: { dataExpiryLength?: number } = {},
) {
  const clock = new Clock();
  const subscriptions: string[] = [];
  const log: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === 'subscribe' || action.type === 'unsubscribe')
        subscriptions.push(action.type);
      next(action);
    },
  };
  const controller = new Controller({
    managers: [log, new PollingManager()],
    environment: clock.environment,
  });
  const server = { count: 0, isDown: false };
  const getCount = new Endpoint(
    async (_: { id: string }): Promise<number> => {
      server.count += 1;
      if (server.isDown) throw new Error('down');
      return server.count;
    },
    { name: `getCount${(names += 1)}`, pollFrequency, ...options },
  );
  const pass = (milliseconds: number): Promise<void> => act(() => clock.pass(milliseconds));
  return { clock, controller, subscriptions, server, getCount, pass };
}

const text = (): string => document.body.textContent ?? '';

describe('useLive', () => {
  it('shows every response of an endpoint that keeps none', async () => {
    const { controller, getCount, pass } = polled(1_000, { dataExpiryLength: 0 });
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    const { unmount } = show(<Live />, { controller });
    await pass(0);
    for (const count of ['1', '2', '3']) {
      expect(text()).toBe(count);
      await pass(1_000);
    }
    unmount();
    await pass(0);
    expect(controller.getResponse(getCount, { id: '1' })).toBeUndefined();
  });

  it('suspends for the first load, then shows a new response every period', async () => {
    const { clock, controller, server, getCount, pass } = polled();
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    const { unmount } = show(<Live />, { controller });
    expect(text()).toBe('loading');
    await pass(0);
    expect(text()).toBe('1');
    await pass(999);
    expect(text()).toBe('1');
    await pass(2_001);
    expect(text()).toBe('4');
    unmount();
    await pass(5_000);
    expect(server.count).toBe(4);
    expect([clock.timers, clock.listeners]).toEqual([0, 0]);
  });

  it('stops and gives undefined for null', async () => {
    const { controller, subscriptions, server, getCount, pass } = polled();
    const Live = ({ id }: { id: string | null }) => (
      <p>{useLive(getCount, id === null ? null : { id }) ?? 'nothing'}</p>
    );
    const { rerender } = show(<Live id={null} />, { controller, strict: false });
    await pass(2_000);
    expect([text(), server.count, subscriptions]).toEqual(['nothing', 0, []]);
    rerender(<Live id="1" />);
    await pass(1_000);
    expect([text(), subscriptions]).toEqual(['2', ['subscribe']]);
    rerender(<Live id={null} />);
    await pass(5_000);
    expect([text(), server.count]).toEqual(['nothing', 2]);
    expect(subscriptions).toEqual(['subscribe', 'unsubscribe']);
  });

  it('keeps its data when polling fails', async () => {
    const { controller, server, getCount, pass } = polled();
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    show(<Live />, { controller });
    await pass(0);
    server.isDown = true;
    await pass(3_000);
    expect([text(), server.count]).toEqual(['1', 3]);
    server.isDown = false;
    await pass(4_000);
    expect(text()).toBe('4');
  });

  it('renders only when the response is another one', async () => {
    const { controller, getCount, pass } = polled();
    const same = getCount.extend({ fetch: async () => 7, name: 'same' });
    const renders = counter();
    function Live() {
      renders.add();
      return <p>{useLive(same, { id: '1' })}</p>;
    }
    show(<Live />, { controller, strict: false });
    await pass(0);
    const before = renders.count;
    await pass(5_000);
    expect(renders.count).toBe(before);
  });

  it.runIf(hasActivity)('does not poll in a hidden <Activity>', async () => {
    const { controller, server, getCount, pass } = polled();
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    const page = (mode: 'visible' | 'hidden'): ReactNode => (
      <Activity mode={mode}>
        <Live />
      </Activity>
    );
    const { rerender } = show(page('visible'), { controller });
    await pass(1_000);
    expect(server.count).toBe(2);
    rerender(page('hidden'));
    await pass(5_000);
    expect(server.count).toBe(2);
    rerender(page('visible'));
    await pass(0);
    expect([server.count, text()]).toEqual([3, '3']);
  });
});

describe('polling without a manager that polls', () => {
  /** As `polled`, with these managers alone. */
  function managedBy(managers: readonly Manager[]) {
    const { clock, server, getCount, pass } = polled();
    const controller = new Controller({ managers, environment: clock.environment });
    return { clock, controller, server, getCount, pass };
  }

  it('useLive and useSubscription poll, with one timer for all', async () => {
    const { clock, controller, server, getCount, pass } = managedBy([]);
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    const Keep = () => {
      useSubscription(getCount, { id: '1' });
      return null;
    };
    const { unmount } = show(
      <>
        <Live />
        <Keep />
      </>,
      { controller },
    );
    await pass(0);
    await pass(2_000);
    expect([text(), server.count]).toEqual(['3', 3]);
    unmount();
    await pass(5_000);
    expect([server.count, clock.timers, clock.listeners, clock.reported]).toEqual([3, 0, 0, []]);
  });

  it('actions that a manager keeps for itself are not polled, those that it hands on are', async () => {
    const taken: string[] = [];
    const stream: Manager = {
      middleware: () => (next) => (action) => {
        const isMine = 'args' in action && (action.args[0] as { id: string }).id === 'streamed';
        if (isMine && action.type.endsWith('subscribe')) taken.push(action.type);
        else next(action);
      },
    };
    const { clock, controller, server, getCount, pass } = managedBy([stream]);
    const Keep = ({ id }: { id: string }) => {
      useSubscription(getCount, { id });
      return null;
    };
    const { rerender } = show(<Keep id="streamed" />, { controller, strict: false });
    await pass(5_000);
    expect([taken, server.count]).toEqual([['subscribe'], 0]);
    rerender(<Keep id="polled" />);
    await pass(1_000);
    expect([taken, server.count]).toEqual([['subscribe', 'unsubscribe'], 2]);
    expect(clock.reported).toEqual([]);
  });

  it('polling goes on after the store was reset, and ends with the controller', async () => {
    const { clock, controller, server, getCount, pass } = managedBy([]);
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    show(<Live />, { controller });
    await pass(1_000);
    act(() => controller.resetEntireStore());
    await pass(1_000);
    const before = server.count;
    expect(before).toBeGreaterThan(2);
    controller.dispose();
    await pass(5_000);
    expect([server.count, clock.timers]).toEqual([before, 0]);
  });
});

describe('useSubscription', () => {
  it('subscribes once, however often it renders and whatever object the endpoint is', async () => {
    const { controller, subscriptions, getCount, pass } = polled();
    const Keep = ({ period }: { period: number }) => {
      useSubscription(getCount.extend({ pollFrequency: period }), { id: '1' });
      return <p>{useCache(getCount, { id: '1' })}</p>;
    };
    const { rerender } = show(<Keep period={1_000} />, { controller, strict: false });
    await pass(500);
    rerender(<Keep period={1_000} />);
    await pass(1_500);
    expect([text(), subscriptions]).toEqual(['3', ['subscribe']]);
    rerender(<Keep period={100} />);
    await pass(100);
    expect([text(), subscriptions]).toEqual(['4', ['subscribe', 'subscribe', 'unsubscribe']]);
  });

  it('with another period in each render, polls with the newest', async () => {
    const { controller, server, getCount, pass } = polled();
    const renders = counter();
    const Keep = ({ period }: { period: number }) => {
      renders.add();
      return (
        <p>{useLive(getCount.extend({ pollFrequency: period + renders.count }), { id: '1' })}</p>
      );
    };
    const { rerender } = show(<Keep period={1_000} />, { controller });
    await pass(500);
    rerender(<Keep period={1_000} />);
    await pass(500);
    rerender(<Keep period={100} />);
    await pass(600);
    expect(server.count).toBeGreaterThan(3);
    expect(text()).toMatch(/^\d+$/);
  });

  it('sends one first request in Strict Mode', async () => {
    const { clock, controller, server, getCount, pass } = polled();
    const Keep = () => {
      useSubscription(getCount, { id: '1' });
      return null;
    };
    const { unmount } = show(<Keep />, { controller });
    await pass(0);
    expect([server.count, clock.timers]).toEqual([1, 1]);
    unmount();
    expect([clock.timers, clock.reported]).toEqual([0, []]);
  });

  it('without pollFrequency logs what to do and renders all the same', async () => {
    const { server, getCount } = polled();
    const never = getCount.extend({ pollFrequency: undefined });
    const Keep = () => {
      useSubscription(never, { id: '1' });
      return <p>here</p>;
    };
    render(
      <DataProvider>
        <Keep />
      </DataProvider>,
    );
    await write(() => {});
    expect([text(), server.count]).toEqual(['here', 0]);
    expect(logged.splice(0).join()).toMatch(/has no `pollFrequency`\. Set it/);
  });
});

describe('DataProvider', () => {
  it('polls by itself, also when it is given managers that do not', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { server, getCount } = polled();
    const Live = () => <p>{useLive(getCount, { id: '1' })}</p>;
    const page = (managers?: readonly Manager[]): ReactNode => (
      <StrictMode>
        <DataProvider managers={managers}>
          <AsyncBoundary>
            <Live />
          </AsyncBoundary>
        </DataProvider>
      </StrictMode>
    );
    const pass = async (): Promise<void> => {
      for (let second = 0; second < 5; second += 1) {
        await act(() => vi.advanceTimersByTimeAsync(1_100));
      }
    };
    const polling = render(page());
    await pass();
    // Periods vary by a tenth.
    expect(server.count).toBeGreaterThan(3);
    polling.unmount();
    await pass();
    const before = server.count;
    render(page([]));
    await pass();
    expect(server.count).toBeGreaterThan(before + 3);
  });
});

// Checked by the compiler, never called.
export function useTypes(condition: boolean): void {
  const { getCount } = polled();
  const send = new Endpoint(async () => 1, { name: 'send', sideEffect: true as const });
  expectTypeOf(useLive(getCount, { id: '1' })).toEqualTypeOf<number>();
  expectTypeOf(useLive(getCount, condition ? { id: '1' } : null)).toEqualTypeOf<
    number | undefined
  >();
  // @ts-expect-error -- a parameter is missing
  useLive(getCount, {});
  // @ts-expect-error -- a parameter is misspelled
  useSubscription(getCount, { ID: '1' });
  // @ts-expect-error -- has a side effect
  useSubscription(send);
}
