import { memo, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { byCursor, Collection, Controller, Entity, type InfiniteList, resource } from 'restitch';
import { AsyncBoundary, useInfinite } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { open } from '../support/screen.js';
import { counter } from '../support/reactWorld.js';

/** A virtual list of fixed height in a real browser: long lists stay cheap, and nothing jumps. */

const SIZE = 50;
const PAGES = 200;
const HEIGHT = 20;
const SHOWN = 20;

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

const nameOf = (index: number): string => `p${String(index).padStart(5, '0')}`;

function openPosts(around = 0) {
  /** When the last response was about to be read. */
  const received = { at: 0 };
  const Posts = resource({
    urlPrefix: 'http://host',
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { around?: number },
    pagination: byCursor({
      param: 'after',
      next: 'next',
      previousParam: 'before',
      previous: 'previous',
    }),
    send: async (input: string) => {
      const query = new URL(input).searchParams;
      const before = query.get('before');
      const start =
        before === null
          ? Number(query.get('after') ?? query.get('around') ?? 0)
          : Math.max(0, Number(before) - SIZE);
      const end = Math.min(PAGES * SIZE, start + SIZE);
      const results = Array.from({ length: end - start }, (_, index) => ({
        id: nameOf(start + index),
        title: `title ${start + index}`,
      }));
      const body = {
        results,
        next: end < PAGES * SIZE ? String(end) : null,
        previous: start > 0 ? String(start) : null,
      };
      return Response.json(body);
    },
  }).extend('getList', {
    schema: {
      results: new Collection([Post]),
      next: null as string | null,
      previous: null as string | null,
    },
    process(value: unknown) {
      received.at = performance.now();
      return value;
    },
  });
  const rendered = counter();
  const shown: { list?: InfiniteList<typeof Posts.getList>; committed: number } = { committed: 0 };
  const Row = memo(({ post, top }: { post: Post; top: number }) => {
    rendered.add();
    return (
      <div id={post.id} style={{ position: 'absolute', top, height: HEIGHT }}>
        {post.title}
      </div>
    );
  });
  function List() {
    const list = useInfinite(Posts.getList, { around });
    const { items, firstIndex } = list;
    const [top, setTop] = useState(0);
    const box = useRef<HTMLDivElement>(null);
    const anchor = useRef(firstIndex);
    useLayoutEffect(() => {
      shown.list = list;
      shown.committed = performance.now();
    }, [list]);
    useLayoutEffect(() => {
      // Rows in front move the others down: the view follows before the browser paints.
      const moved = (anchor.current - firstIndex) * HEIGHT;
      anchor.current = firstIndex;
      if (box.current) box.current.scrollTop += moved;
    }, [firstIndex]);
    const start = Math.max(0, Math.floor(top / HEIGHT));
    return (
      <div
        ref={box}
        id="box"
        style={{ height: SHOWN * HEIGHT, overflow: 'auto', overflowAnchor: 'none' }}
        onScroll={(event) => {
          const { scrollTop } = event.currentTarget;
          flushSync(() => setTop(scrollTop));
        }}
      >
        <div style={{ height: items.length * HEIGHT, position: 'relative' }}>
          {items.slice(start, start + SHOWN).map((post, index) => (
            <Row key={post.id} post={post} top={(start + index) * HEIGHT} />
          ))}
        </div>
      </div>
    );
  }
  const controller = new Controller();
  return { Posts, List, rendered, shown, controller, received };
}

/** Waits for the next frame to be painted. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`${id} is not rendered.`);
  return element;
};

describe('a virtual list over ten thousand rows', () => {
  it('renders one row for a changed row, and adds page 200 about as fast as page 2', async () => {
    const { List, rendered, shown, controller, received } = openPosts();
    const page = open(
      <AsyncBoundary fallback="loading">
        <List />
      </AsyncBoundary>,
      controller,
    );
    await page.until((text) => text.includes('title 19'));
    const times: number[] = [];
    while (shown.list?.hasNext) {
      const length = shown.list.items.length + SIZE;
      await shown.list.loadNext();
      await expect.poll(() => shown.list?.items.length, { interval: 0 }).toBe(length);
      times.push(shown.committed - received.at);
    }
    expect(shown.list?.items).toHaveLength(PAGES * SIZE);
    // No row that is on the screen was rendered again.
    expect(rendered.count).toBe(SHOWN);
    // Both from one run, the best of twenty: the speed of the machine cancels out. Building the rows before would
    // cost ten times as much.
    expect(Math.min(...times.slice(-20))).toBeLessThanOrEqual(4 * Math.min(...times.slice(0, 20)));

    controller.set(Post, { id: nameOf(7) }, { id: nameOf(7), title: 'changed' });
    await page.until((text) => text.includes('changed'));
    expect(rendered.count).toBe(SHOWN + 1);
    // A row out of sight renders none.
    controller.set(Post, { id: nameOf(9_000) }, { id: nameOf(9_000), title: 'changed too' });
    await painted();
    expect(shown.list?.items[9_000]?.title).toBe('changed too');
    expect(rendered.count).toBe(SHOWN + 1);
  });

  it('moves no visible row by a pixel when a page is put in front', async () => {
    const { List, shown, controller } = openPosts(5_000);
    const page = open(
      <AsyncBoundary fallback="loading">
        <List />
      </AsyncBoundary>,
      controller,
    );
    await page.until((text) => text.includes('title 5000'));
    byId('box').scrollTop = 10 * HEIGHT + 7;
    await page.until((text) => text.includes('title 5029'));
    for (let count = 1; count <= 5; count += 1) {
      const visible = [5_011, 5_020, 5_029].map((index) => nameOf(index));
      const places = (): number[] => visible.map((id) => byId(id).getBoundingClientRect().top);
      const before = places();
      const seen: number[][] = [];
      let isWatching = true;
      const watch = (): void => {
        if (!isWatching) return;
        seen.push(places());
        requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
      await shown.list?.loadPrevious();
      await expect.poll(() => shown.list?.firstIndex).toBe(-count * SIZE);
      await painted();
      await painted();
      isWatching = false;
      expect(places()).toEqual(before);
      for (const frame of seen) expect(frame).toEqual(before);
    }
    expect(shown.list?.items[0]?.id).toBe(nameOf(5_000 - 5 * SIZE));
  });
});
