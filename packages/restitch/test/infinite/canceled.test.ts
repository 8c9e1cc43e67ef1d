/** Pages whose requests overlapped a delete that was canceled, aborted, or failed. */
import { byCursor, byOffset, undoable } from 'restitch';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cursorPage, type Feed, numberedPage, openFeed, rowsOf, startFeed } from './feed.js';

let feed: Feed;
beforeAll(async () => {
  feed = await startFeed((rows, query, seen) =>
    seen.url.includes('cursor') || !seen.url.includes('offset')
      ? cursorPage(rows, query)
      : numberedPage(rows, query),
  );
});
beforeEach(() => {
  feed.rows = rowsOf('abcdefghi');
  feed.before = () => undefined;
  feed.asked.length = 0;
});
afterAll(() => feed.server.close());

const styles = [
  ['by cursor', byCursor({ param: 'cursor', next: 'nextCursor', total: 'total' })],
  ['by offset', byOffset({ param: 'offset', total: 'total' })],
] as const;

describe.each(styles)('a list %s that was fetched during a delete', (_, pagination) => {
  async function open() {
    const opened = openFeed(feed, pagination);
    const stop = opened.view.subscribe(() => {});
    await opened.view.load();
    feed.asked.length = 0;
    return { ...opened, stop };
  }

  it('loads again as soon as the delete is canceled', async () => {
    const { view, controller, Posts, shownNow, stop } = await open();
    const deletion = controller.fetch(undoable(Posts.delete, Infinity), { id: 'b' });
    await controller.fetch(Posts.getList, {});
    expect(feed.asked).toEqual(['']);
    feed.rows = rowsOf('acdefghi');
    deletion.cancel();
    await expect(deletion).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => feed.asked).toEqual(['', '']);
    await expect.poll(shownNow).toBe('acd…');
    expect(view.getSnapshot()).toMatchObject({ data: { total: 8 } });
    stop();
  });

  it('loads again as soon as the delete is aborted', async () => {
    const { controller, Posts, shownNow, stop } = await open();
    const abort = new AbortController();
    const { signal } = abort;
    const remove = Posts.delete.extend({
      signal,
      fetch: () =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const deletion = controller.fetch(remove, { id: 'b' });
    await controller.fetch(Posts.getList, {});
    feed.rows = rowsOf('acdefghi');
    abort.abort();
    await expect(deletion).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => feed.asked).toEqual(['', '']);
    await expect.poll(shownNow).toBe('acd…');
    stop();
  });

  it('loads again as soon as the delete fails', async () => {
    const { controller, Posts, shownNow, stop } = await open();
    let fail: (error: Error) => void = () => {};
    const remove = Posts.delete.extend({
      fetch: () => new Promise((_resolve, reject) => (fail = reject)),
    });
    const deletion = controller.fetch(remove, { id: 'b' });
    await controller.fetch(Posts.getList, {});
    feed.rows = rowsOf('acdefghi');
    fail(new Error('no'));
    await expect(deletion).rejects.toThrow('no');
    await expect.poll(() => feed.asked).toEqual(['', '']);
    await expect.poll(shownNow).toBe('acd…');
    stop();
  });
});

it('loadPrevious first loads the pages again that could not be loaded after a delete', async () => {
  feed.rows = rowsOf('abcdefghijkl');
  const pagination = byOffset({ param: 'offset', total: 'total', maxPages: 2 });
  const { view, controller, Posts, list, shownNow } = openFeed(feed, pagination);
  const stop = view.subscribe(() => {});
  await view.load();
  await view.loadNext();
  await view.loadNext();
  expect(shownNow()).toBe('defghi…');
  const deletion = controller.fetch(undoable(Posts.delete, Infinity), { id: 'e' });
  await view.refresh();
  feed.rows = rowsOf('abcdfghijkl');
  feed.before = () => 500;
  deletion.cancel();
  await expect(deletion).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => list().nextError).toMatchObject({ status: 500 });
  await view.loadPrevious();
  expect(list()).toMatchObject({ nextError: undefined, previousError: { status: 500 } });
  feed.before = () => undefined;
  await view.loadPrevious();
  expect(list()).toMatchObject({ nextError: undefined, previousError: undefined, total: 11 });
  expect(shownNow()).toBe('abcdfg…');
  stop();
});
