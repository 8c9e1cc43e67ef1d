/** An infinite list in a page that a server renders: the browser goes on from its first page. */
import { Script, createContext } from 'node:vm';
import { createElement, type ReactNode } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server';
import { byOffset, Controller, infinite, type Pagination, type StoreState } from 'restitch';
import { AsyncBoundary, DataProvider, useInfinite } from 'restitch/react';
import { hydrate, serializeState, stateTransformStream } from 'restitch/ssr';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cursorPage,
  cursors,
  type Feed,
  numberedPage,
  openFeed,
  rowsOf,
  startFeed,
} from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed((rows, query) =>
    query.has('offset') ? numberedPage(rows, query) : cursorPage(rows, query),
  );
});
beforeEach(() => {
  feed.rows = rowsOf('abcdefgh');
  feed.asked.length = 0;
  feed.before = () => undefined;
});
afterAll(() => feed.server.close());

type Opened = ReturnType<typeof openFeed>;

/** A page with the list, which waits for its first page. */
function page({ Posts }: Opened, controller: Controller): ReactNode {
  function List() {
    const { items, hasNext } = useInfinite(Posts.getList, {});
    return items.map(({ id }) => id).join('') + (hasNext ? '…' : '.');
  }
  return createElement(
    DataProvider,
    { controller },
    createElement(
      'main',
      null,
      createElement(AsyncBoundary, { fallback: 'loading' }, createElement(List)),
    ),
  );
}

/** The state in the scripts of a page, in order. */
function statesIn(html: string): StoreState[] {
  const global: { document: object; self?: object; __restitch?: StoreState[] } = {
    document: { currentScript: { remove: () => {} } },
  };
  global.self = global;
  const context = createContext(global);
  for (const [, source = ''] of html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)) {
    if (source.includes('__restitch')) new Script(source).runInContext(context);
  }
  return JSON.parse(JSON.stringify(global.__restitch ?? []));
}

/** Takes over a page, as the browser does. */
async function expectTakenOver(html: string, style: Pagination, first: string, isMore: boolean) {
  const requests = feed.asked.length;
  const browser = openFeed(feed, style);
  statesIn(html).forEach((state) => hydrate(browser.controller, state));
  expect(browser.view.needsLoad()).toBe(false);
  const again = renderToString(page(browser, browser.controller));
  expect(again).toContain(`${first}${isMore ? '…' : '.'}`);
  expect(browser.list()).toMatchObject({ hasNext: isMore, firstIndex: 0, isRefreshing: false });
  expect(feed.asked).toHaveLength(requests);
  while (browser.list().hasNext) await browser.view.loadNext();
  expect(browser.shownNow()).toBe(feed.rows.map(({ id }) => id).join(''));
}

const byKey: Pagination = cursors;
const styles: readonly (readonly [string, Pagination])[] = [
  ['cursor', byKey],
  ['offset', byOffset({ param: 'offset', total: 'total' })],
];

describe.each(styles)('a list by %s that a server rendered (rule 11)', (_, style) => {
  it.each([
    ['abcdefgh', 'abc', true],
    ['abc', 'abc', false],
  ])('in one piece is taken over without a request: %s', async (rows, first, isMore) => {
    feed.rows = rowsOf(rows);
    const server = openFeed(feed, style);
    await server.view.load();
    const html =
      renderToString(page(server, server.controller)) + serializeState(server.controller);
    await expectTakenOver(html, style, first, isMore);
  });

  it.each([
    ['abcdefgh', 'abc', true],
    ['abc', 'abc', false],
  ])('in a stream is taken over without a request: %s', async (rows, first, isMore) => {
    feed.rows = rowsOf(rows);
    let release = (): void => {};
    feed.before = () => new Promise((resolve) => (release = () => resolve(undefined)));
    const server = openFeed(feed, style);
    const stream = await renderToReadableStream(page(server, server.controller));
    const reader = stream.pipeThrough(stateTransformStream(server.controller)).getReader();
    const decoder = new TextDecoder();
    let html = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      html += decoder.decode(part.value, { stream: true });
      // The shell is sent before the list is there.
      if (html.includes('loading')) {
        await expect.poll(() => feed.asked).toHaveLength(1);
        feed.before = () => undefined;
        release();
      }
    }
    expect(html.indexOf('loading')).toBeLessThan(html.indexOf(first));
    await expectTakenOver(html, style, first, isMore);
  });
});

it('the pages after the first one are in the state, too', async () => {
  const server = openFeed(feed, byKey);
  await server.view.load();
  await server.view.loadNext();
  const html = renderToString(page(server, server.controller)) + serializeState(server.controller);
  await expectTakenOver(html, byKey, 'abcdef', true);
  expect(feed.asked).toEqual(['', 'cursor=c', 'cursor=f']);
  expect(infinite(server.controller, server.Posts.getList, {})).toBe(server.view);
});
