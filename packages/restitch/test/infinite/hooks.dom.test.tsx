import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { memo, StrictMode, type ReactNode } from 'react';
import { byCursor, Collection, Controller, Entity, logout, RestEndpoint } from 'restitch';
import { AsyncBoundary, DataProvider, useInfinite, useInfiniteDLE } from 'restitch/react';
import { getState, hydrate } from 'restitch/state';
import { afterEach, describe, expect, it } from 'vitest';
import { counter, hasActivity, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Post extends Entity {
  id = '';
  static override key = 'Post';
}

interface Call {
  readonly cursor: string | null;
  readonly respond: (body: unknown, status?: number) => Promise<void>;
}

/** A list of ten posts in pages of three. Each request waits for the test. */
function openPosts() {
  const calls: Call[] = [];
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://host',
    path: '/posts',
    searchParams: {} as { tag?: string },
    schema: { results: new Collection([Post]), next: null as string | null },
    pagination: byCursor({ param: 'cursor', next: 'next' }),
    send: (input: string) =>
      new Promise<Response>((resolve) => {
        const cursor = new URL(input).searchParams.get('cursor');
        const respond = (body: unknown, status = 200): Promise<void> =>
          act(async () => resolve(Response.json(body, { status })));
        calls.push({ cursor, respond });
      }),
  });
  const page = (ids: string, next: string | null = null) => ({
    results: [...ids].map((id) => ({ id })),
    next,
  });
  const controller = new Controller();
  const show = (children: ReactNode) =>
    render(
      <StrictMode>
        <DataProvider controller={controller}>
          <AsyncBoundary
            fallback={<p>loading</p>}
            errorComponent={({ error, resetErrorBoundary }) => (
              <button onClick={resetErrorBoundary}>{error.message}</button>
            )}
          >
            {children}
          </AsyncBoundary>
        </DataProvider>
      </StrictMode>,
      { onCaughtError: () => {} },
    );
  /** Answers a request once it was sent. */
  const respond = async (index: number, body: unknown, status?: number): Promise<void> => {
    await act(async () => {
      await expect.poll(() => calls.length).toBeGreaterThan(index);
    });
    await calls[index]?.respond(body, status);
  };
  return { calls, getPosts, page, controller, show, answer: respond };
}

const text = (): string | null => document.body.textContent;

afterEach(cleanup);

describe('useInfinite', () => {
  it('suspends for the first page only, grows, and renders each row once', async () => {
    const { calls, getPosts, page, show, answer: respond } = openPosts();
    const rows = counter();
    const Row = memo(({ post }: { post: Post }) => {
      rows.add();
      return <i>{post.id}</i>;
    });
    function List() {
      const { items, hasNext, isLoadingNext, loadNext } = useInfinite(getPosts);
      return (
        <>
          {items.map((post) => (
            <Row key={post.id} post={post} />
          ))}
          {hasNext && (
            <button disabled={isLoadingNext} onClick={() => void loadNext()}>
              more
            </button>
          )}
        </>
      );
    }
    show(<List />);
    expect(text()).toBe('loading');
    await respond(0, page('abc', 'c'));
    expect(text()).toBe('abcmore');
    const before = rows.count;
    fireEvent.click(screen.getByRole('button'));
    expect(screen.getByRole('button')).toHaveProperty('disabled', true);
    expect(text()).toBe('abcmore');
    await expect.poll(() => calls).toHaveLength(2);
    expect(calls.map(({ cursor }) => cursor)).toEqual([null, 'c']);
    await respond(1, page('def'));
    expect(text()).toBe('abcdef');
    // In Strict Mode, React renders each new row twice.
    expect(rows.count - before).toBe(6);
  });

  /** Shows the error of the first page. */
  async function openFailed() {
    const posts = openPosts();
    const List = () =>
      useInfinite(posts.getPosts)
        .items.map(({ id }) => id)
        .join('');
    posts.show(<List />);
    await posts.answer(0, {}, 404);
    expect(text()).toContain('404');
    return posts;
  }

  it('throws the error of the first page to the boundary, which can retry (rule 10)', async () => {
    const { page, answer: respond } = await openFailed();
    fireEvent.click(screen.getByRole('button'));
    await respond(1, page('abc', 'c'));
    expect(text()).toBe('abc');
  });

  it('is requested again after an invalidation that ends its error', async () => {
    const { getPosts, page, controller, calls, answer: respond } = await openFailed();
    await act(async () => void controller.invalidate(getPosts));
    await respond(1, page('abc', 'c'));
    expect(text()).toBe('abc');
    expect(calls).toHaveLength(2);
  });

  it('shows the error of a further page without throwing it (rule 10)', async () => {
    const { getPosts, page, show, answer: respond } = openPosts();
    function List() {
      const { items, nextError, loadNext } = useInfinite(getPosts);
      return (
        <button onClick={() => void loadNext()}>
          {items.map(({ id }) => id)} {nextError?.message}
        </button>
      );
    }
    show(<List />);
    await respond(0, page('abc', 'c'));
    fireEvent.click(screen.getByRole('button'));
    await respond(1, {}, 500);
    expect(text()).toMatch(/^abc .*500/);
    fireEvent.click(screen.getByRole('button'));
    await respond(2, page('d'));
    expect(text()).toBe('abcd ');
  });

  it('is empty and sends nothing for null arguments', () => {
    const { calls, getPosts, show } = openPosts();
    const List = () => {
      const { items, hasNext } = useInfinite(getPosts, null);
      return `${items.length} ${hasNext}`;
    };
    show(<List />);
    expect(text()).toBe('0 false');
    expect(calls).toHaveLength(0);
  });

  it('takes over the pages of a server without a request, and loads on (rule 11)', async () => {
    const { calls, getPosts, page, show, controller, answer: respond } = openPosts();
    const server = new Controller();
    server.setResponse(getPosts, page('abc', 'c'));
    hydrate(controller, JSON.parse(JSON.stringify(getState(server))));
    function List() {
      const { items, hasNext, loadNext } = useInfinite(getPosts);
      return (
        <button onClick={() => void loadNext()}>
          {items.map(({ id }) => id)}
          {hasNext ? '…' : ''}
        </button>
      );
    }
    show(<List />);
    expect(text()).toBe('abc…');
    expect(calls).toHaveLength(0);
    fireEvent.click(screen.getByRole('button'));
    await respond(0, page('d'));
    expect(text()).toBe('abcd');
    expect(calls.map(({ cursor }) => cursor)).toEqual(['c']);
  });

  it('follows another list when its arguments change', async () => {
    const { calls, getPosts, page, show, controller } = openPosts();
    const List = ({ tag }: { tag: string }) =>
      useInfinite(getPosts, { tag })
        .items.map(({ id }) => id)
        .join('');
    controller.setResponse(getPosts, { tag: 'x' }, page('xyz', 'z'));
    controller.setResponse(getPosts, { tag: 'y' }, page('uvw', 'w'));
    const { rerender } = show(<List tag="x" />);
    expect(text()).toBe('xyz');
    rerender(
      <DataProvider controller={controller}>
        <List tag="y" />
      </DataProvider>,
    );
    expect(text()).toBe('uvw');
    expect(calls).toHaveLength(0);
  });

  it.runIf(hasActivity)('catches up after it was hidden', async () => {
    const { Activity } = React;
    const { getPosts, page, controller, answer: respond } = openPosts();
    const List = () =>
      useInfinite(getPosts)
        .items.map(({ id }) => id)
        .join('');
    controller.setResponse(getPosts, page('abc', 'c'));
    const tree = (mode: 'visible' | 'hidden') => (
      <StrictMode>
        <DataProvider controller={controller}>
          <Activity mode={mode}>
            <p>
              <List />
            </p>
          </Activity>
        </DataProvider>
      </StrictMode>
    );
    const { rerender } = render(tree('visible'));
    rerender(tree('hidden'));
    const loading = controller.fetch(getPosts.getPage, { cursor: 'c' });
    await respond(0, page('def'));
    await loading;
    rerender(tree('visible'));
    expect(text()).toBe('abcdef');
  });
});

describe('useInfiniteDLE', () => {
  it('returns loading, the error of the first page and the list', async () => {
    const { getPosts, page, show, answer: respond } = openPosts();
    function List() {
      const { items, loading, error, hasNext, loadNext, refresh } = useInfiniteDLE(getPosts);
      if (loading) return 'waiting';
      return (
        <>
          {error && `failed ${items.length} `}
          <button onClick={() => void (error ? refresh() : loadNext())}>
            {items.map(({ id }) => id)}
            {hasNext ? '…' : ''}
          </button>
        </>
      );
    }
    show(<List />);
    expect(text()).toBe('waiting');
    await respond(0, {}, 404);
    expect(text()).toBe('failed 0 …');
    fireEvent.click(screen.getByRole('button'));
    await respond(1, page('abc', 'c'));
    expect(text()).toBe('abc…');
    fireEvent.click(screen.getByRole('button'));
    await respond(2, page('def'));
    expect(text()).toBe('abcdef');
  });

  it.each(['a reset', 'a sign-out and a reset'])(
    'loads again after %s, loaded or not',
    async (how) => {
      const { calls, getPosts, page, show, controller, answer: respond } = openPosts();
      const List = () => {
        const { items, loading } = useInfiniteDLE(getPosts);
        return loading ? 'waiting' : items.map(({ id }) => id).join('');
      };
      const resetAll = (): Promise<void> =>
        act(async () => {
          if (how !== 'a reset') logout(controller);
          controller.resetEntireStore();
        });
      show(<List />);
      await expect.poll(() => calls).toHaveLength(1);
      await resetAll();
      expect(text()).toBe('waiting');
      await respond(1, page('abc'));
      expect(text()).toBe('abc');
      await resetAll();
      expect(text()).toBe('waiting');
      await respond(2, page('def'));
      expect(text()).toBe('def');
      expect(calls).toHaveLength(3);
    },
  );

  it('after a sign-out, waits for the sign-in', async () => {
    const { calls, getPosts, page, show, controller, answer: respond } = openPosts();
    const List = () => {
      const { items, loading } = useInfiniteDLE(getPosts);
      return loading ? 'waiting' : items.map(({ id }) => id).join('');
    };
    show(<List />);
    await respond(0, page('abc'));
    await act(async () => logout(controller));
    expect(text()).toBe('waiting');
    expect(calls).toHaveLength(1);
    await act(async () => controller.resetEntireStore());
    await respond(1, page('def'));
    expect(text()).toBe('def');
  });
});
