import { act } from '@testing-library/react';
import { Controller, Endpoint, FocusManager } from 'restitch';
import { useCache, useDLE, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { show, watchConsole } from '../support/reactWorld.js';
import { Clock } from '../support/clock.js';

watchConsole();

let names = 0;

/** A counter on a server that is fresh for a second, on a clock moved by hand. */
// The return type is what the class infers from its options; naming it would repeat them.
function counted() {
  const clock = new Clock();
  const controller = new Controller({
    managers: [new FocusManager()],
    environment: clock.environment,
  });
  const server = { count: 0, isDown: false };
  const getCount = new Endpoint(
    async (_: { id: string }): Promise<number> => {
      server.count += 1;
      if (server.isDown) throw new Error('down');
      return server.count;
    },
    { name: `getCounted${(names += 1)}`, dataExpiryLength: 1_000 },
  );
  const pass = (milliseconds: number): Promise<void> => act(() => clock.pass(milliseconds));
  const change = (state: { isVisible?: boolean; isOnline?: boolean }): Promise<void> =>
    act(() => clock.change(state));
  return { clock, controller, server, getCount, pass, change };
}

const text = (): string => document.body.textContent ?? '';

describe('FocusManager', () => {
  it('lets mounted readers fetch what is stale when the screen is seen again, without a fallback', async () => {
    const { controller, server, getCount, pass, change } = counted();
    const Count = () => <p>{useSuspense(getCount, { id: '1' })}</p>;
    show(<Count />, { controller });
    await pass(0);
    await pass(1_000);
    await change({ isVisible: false });
    expect(server.count).toBe(1);
    await change({ isVisible: true });
    expect([server.count, text()]).toEqual([2, '2']);
  });

  it('does so when the network is back, and not while still hidden', async () => {
    const { controller, server, getCount, pass, change } = counted();
    const Count = () => <p>{useSuspense(getCount, { id: '1' })}</p>;
    show(<Count />, { controller });
    await pass(0);
    await pass(1_000);
    await change({ isOnline: false, isVisible: false });
    await change({ isOnline: true });
    expect(server.count).toBe(1);
    await change({ isVisible: true });
    expect(text()).toBe('2');
  });

  it('refetches no fresh result, none without a reader, and none that is read without fetching', async () => {
    const { controller, server, getCount, pass, change } = counted();
    const Look = () => <p>{useCache(getCount, { id: '2' })}</p>;
    const Count = () => <p>{useSuspense(getCount, { id: '1' })}</p>;
    await controller.fetch(getCount, { id: '2' });
    await controller.fetch(getCount, { id: '3' });
    await pass(1_000);
    show(
      <>
        <Look />
        <Count />
      </>,
      { controller },
    );
    await pass(0);
    expect(server.count).toBe(3);
    await change({ isVisible: false });
    await change({ isVisible: true });
    expect([server.count, text()]).toEqual([3, '13']);
  });

  it('tries again what had failed', async () => {
    const { controller, server, getCount, pass, change } = counted();
    const Count = () => {
      const { data, error } = useDLE(getCount, { id: '1' });
      return <p>{error?.message ?? data}</p>;
    };
    server.isDown = true;
    show(<Count />, { controller });
    await pass(0);
    await pass(1_000);
    expect(text()).toBe('down');
    server.isDown = false;
    await change({ isOnline: false });
    await change({ isOnline: true });
    expect(text()).toBe('2');
  });

  it('does not ask again for what is under way, and ends with the controller', async () => {
    const { clock, controller, server, getCount, pass, change } = counted();
    const Count = () => <p>{useDLE(getCount, { id: '1' }).data}</p>;
    show(<Count />, { controller });
    await pass(0);
    await pass(1_000);
    await act(async () => {
      void controller.fetch(getCount, { id: '1' });
      clock.isVisible = false;
    });
    expect(server.count).toBe(2);
    await change({ isVisible: true });
    expect(server.count).toBe(2);
    controller.dispose();
    expect(clock.listeners).toBe(0);
  });
});
