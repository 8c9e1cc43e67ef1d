import { act } from '@testing-library/react';
import { Controller, PollingManager, RestEndpoint, StreamManager } from 'restitch';
import { useSubscription } from 'restitch/react';
import { expect, it } from 'vitest';
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
  rerender(<Page />);
  expect(urls()).toEqual(['https://two.example.com/stream']);
  unmount();
  expect([urls(), clock.timers, clock.reported]).toEqual([[], 0, []]);
});
