import { act, render } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { Controller, PollingManager, RestEndpoint, StreamManager } from 'restitch';
import { AsyncBoundary, DataProvider, useLive, useSubscription } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { Clock } from '../support/clock.js';
import { show, watchConsole } from '../support/reactWorld.js';
import { prices, sources } from '../support/sources.js';

watchConsole();

it('a page in Strict Mode has one connection, also after resets, and none after it', async () => {
  const clock = new Clock();
  let user = 'ann';
  const { options, getPrice, urls } = prices(() => `/${user}`);
  const controller = new Controller({
    managers: [new StreamManager(options)],
    environment: clock.environment,
  });
  const Page = () => {
    useSubscription(getPrice, { id: 'a' });
    useSubscription(getPrice, { id: 'b' });
    return null;
  };
  const { unmount } = show(<Page />, { controller });
  expect(urls()).toEqual(['/ann']);
  for (user of ['bob', 'cid']) {
    await act(async () => controller.resetEntireStore());
    expect(urls()).toEqual([`/${user}`]);
  }
  unmount();
  expect([urls(), clock.timers, clock.listeners, clock.reported]).toEqual([[], 0, 0, []]);
});

it('a page that renders again for another server leaves the connection of the old one', async () => {
  const clock = new Clock();
  const { Source, urls } = sources();
  let server = 'one';
  class Api extends RestEndpoint {
    override get urlPrefix(): string {
      return `https://${server}.example.com`;
    }
  }
  const getPrice = new Api({ path: '/price', pollFrequency: 1_000 });
  const streams = new StreamManager({
    EventSource: Source,
    url: ({ key }) => new URL('/stream', key.slice(key.indexOf('http'))).href,
    onMessage: () => {},
  });
  const controller = new Controller({
    managers: [streams, new PollingManager()],
    environment: clock.environment,
  });
  const Page = () => {
    useSubscription(getPrice);
    return null;
  };
  const { rerender, unmount } = show(<Page />, { controller });
  expect(urls()).toEqual(['https://one.example.com/stream']);
  server = 'two';
  // With the React Compiler, a hook of the same endpoint is not called again, so the key changes.
  rerender(<Page key="two" />);
  expect(urls()).toEqual(['https://two.example.com/stream']);
  unmount();
  expect([urls(), clock.timers, clock.reported]).toEqual([[], 0, []]);
});

describe('providers with the same managers', () => {
  /** A page whose managers are constants, as those of a module are. */
  // The return type is what the class infers from its options; naming it would repeat them.
  function page() {
    const { options, getPrice, made, urls } = prices(() => '/s');
    const managers = [new StreamManager(options)];
    const Live = () => <p>{useLive(getPrice, { id: 'a' }).amount}</p>;
    const provider = (key: string): ReactNode => (
      <DataProvider key={key} managers={managers}>
        <AsyncBoundary>
          <Live />
        </AsyncBoundary>
      </DataProvider>
    );
    const send = (amount: number): Promise<void> =>
      act(async () => made.forEach((source) => source.send({ id: 'a', amount })));
    return { provider, send, urls };
  }

  const texts = (): (string | null)[] =>
    [...document.querySelectorAll('p')].map(({ textContent }) => textContent);

  it('each show every message, also after one of them unmounts', async () => {
    const { provider, send, urls } = page();
    const { rerender, unmount } = render([provider('1'), provider('2')]);
    await act(async () => {});
    await send(100);
    expect([texts(), urls()]).toEqual([
      ['100', '100'],
      ['/s', '/s'],
    ]);
    rerender([provider('1')]);
    await act(async () => {});
    await send(200);
    expect([texts(), urls()]).toEqual([['200'], ['/s']]);
    unmount();
    await act(async () => {});
    expect(urls()).toEqual([]);
  });

  it('one after the other, in Strict Mode: the new one shows every message', async () => {
    const { provider, send, urls } = page();
    const { rerender, unmount } = render(null);
    for (const [key, amount] of [
      ['1', 100],
      ['2', 200],
      ['3', 300],
    ] as const) {
      rerender(<StrictMode>{provider(key)}</StrictMode>);
      await act(async () => {});
      await send(amount);
      expect([texts(), urls()]).toEqual([[String(amount)], ['/s']]);
    }
    unmount();
    await act(async () => {});
    expect(urls()).toEqual([]);
  });
});
