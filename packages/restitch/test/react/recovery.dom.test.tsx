import { act, render } from '@testing-library/react';
import { Controller, Endpoint, NetworkError } from 'restitch';
import { DataProvider, type DataProviderProps, useDLE } from 'restitch/react';
import { MockProvider } from 'restitch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchConsole } from '../support/reactWorld.js';

watchConsole();

const host = { now: 0, visibility: 'visible', onLine: true };
beforeEach(() => {
  Object.assign(host, { now: 0, visibility: 'visible', onLine: true });
  // Retries wait for a random time, from 0 to a limit.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.spyOn(Date, 'now').mockImplementation(() => host.now);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(
    () => host.visibility as DocumentVisibilityState,
  );
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => host.onLine);
});
afterEach(() => vi.restoreAllMocks());

let names = 0;

/** A counter whose first `failures` requests fail softly, read by a component. */
function counted(failures = 0) {
  let sent = 0;
  const count = vi.fn(async (_: { id: string }): Promise<number> => {
    sent += 1;
    if (sent <= failures) throw new NetworkError(new Response(null, { status: 503 }));
    return sent;
  });
  const getCount = new Endpoint(count, {
    name: `getRecovered${(names += 1)}`,
    dataExpiryLength: 1_000,
    errorPolicy: () => 'soft',
  });
  function Count() {
    const { data, error, fetchStatus, isFetching } = useDLE(getCount, { id: '1' });
    return <p>{[data ?? error?.message, fetchStatus, isFetching].join(' ')}</p>;
  }
  const open = (props?: DataProviderProps) =>
    render(
      <DataProvider {...props}>
        <Count />
      </DataProvider>,
    );
  return { count, getCount, Count, open };
}

/** Waits for a text on the page. */
async function shows(text: string): Promise<void> {
  await vi.waitUntil(async () => {
    await act(async () => {});
    return document.body.textContent?.startsWith(text);
  });
}

/** Lets the page become visible again, at a time. */
async function focus(now: number): Promise<void> {
  host.now = now;
  await act(async () => {
    host.visibility = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    host.visibility = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

describe('a DataProvider', () => {
  it('retries reads that failed softly twice', async () => {
    const { count, open } = counted(2);
    open();
    await shows('3 idle false');
    expect(count).toHaveBeenCalledTimes(3);
  });

  it('does not retry with `retry={0}`, with a controller of its own managers, or from fixtures', async () => {
    const error = new NetworkError(new Response(null, { status: 503 }));
    const { count, open } = counted(2);
    const first = open({ retry: 0 });
    await shows(error.message);
    first.unmount();
    const second = counted(2);
    const page = second.open({ controller: new Controller() });
    await shows(error.message);
    page.unmount();
    const mocked = counted();
    render(
      <MockProvider fixtures={[{ endpoint: mocked.getCount, error, delay: 0 }]}>
        <mocked.Count />
      </MockProvider>,
    );
    await shows(error.message);
    expect([count, second.count, mocked.count].map(({ mock }) => mock.calls.length)).toEqual([
      1, 1, 0,
    ]);
  });

  it('refetches what is stale on focus, at most every five seconds', async () => {
    const { count, open } = counted();
    open();
    await shows('1 idle');
    await focus(500);
    expect(count).toHaveBeenCalledTimes(1);
    await focus(6_000);
    await shows('2 idle');
    await focus(10_000);
    expect(count).toHaveBeenCalledTimes(2);
  });

  it('refetches nothing on focus with `refetchOnFocus={false}`', async () => {
    const { count, open } = counted();
    open({ refetchOnFocus: false });
    await shows('1 idle');
    await focus(6_000);
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('lets reads wait for the network, with the fetch status `paused`', async () => {
    host.onLine = false;
    const { count, open } = counted();
    open();
    await shows(' paused false');
    host.onLine = true;
    await act(async () => window.dispatchEvent(new Event('online')));
    await shows('1 idle false');
    expect(count).toHaveBeenCalledTimes(1);
  });
});
