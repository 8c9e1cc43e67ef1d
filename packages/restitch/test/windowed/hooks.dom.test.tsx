import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { memo, StrictMode, type ReactNode } from 'react';
import { byOffset, Collection, Controller, Entity, Invalidate, RestEndpoint } from 'restitch';
import { DataProvider, useWindow } from 'restitch/react';
import { afterEach, describe, expect, it } from 'vitest';
import { counter, hasActivity, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

interface Call {
  readonly offset: number;
  readonly respond: (status?: number) => Promise<void>;
}

/** A list of a hundred posts in pages of ten. Each request waits for the test. */
function openPosts() {
  const calls: Call[] = [];
  const getPosts = new RestEndpoint({
    urlPrefix: 'http://host',
    path: '/posts',
    searchParams: {} as { tag?: string },
    schema: { results: new Collection([Post]), total: 0 },
    pagination: byOffset({ param: 'offset', total: 'total' }),
    send: (input: string) =>
      new Promise<Response>((resolve) => {
        const offset = Number(new URL(input).searchParams.get('offset') ?? 0);
        const results = Array.from({ length: 10 }, (_, index) => ({ id: `${offset + index}` }));
        const respond = (status = 200): Promise<void> =>
          act(async () => resolve(Response.json({ results, total: 100 }, { status })));
        calls.push({ offset, respond });
      }),
  });
  const controller = new Controller();
  const tree = (children: ReactNode) => (
    <StrictMode>
      <DataProvider controller={controller}>{children}</DataProvider>
    </StrictMode>
  );
  const respond = async (index: number, status?: number): Promise<void> => {
    await act(async () => {
      await expect.poll(() => calls.length).toBeGreaterThan(index);
    });
    await calls[index]?.respond(status);
  };
  return { calls, getPosts, controller, tree, respond };
}

const text = (): string | null => document.body.textContent;

afterEach(cleanup);

describe('useWindow', () => {
  it('shows the rows of its range, and sends one request for each page in Strict Mode', async () => {
    const { calls, getPosts, tree, respond } = openPosts();
    const renders = counter();
    const Row = memo(({ post }: { post: Post }) => {
      renders.add();
      return <i>{post.id} </i>;
    });
    function List({ start }: { start: number }) {
      const rows = useWindow(getPosts, [], { start, end: start + 3 });
      return (
        <>
          {`${rows.length}: `}
          {[start, start + 1, start + 2].map((index) => {
            const post = rows.at(index);
            return post ? <Row key={post.id} post={post} /> : rows.isLoading(index) ? '… ' : '_ ';
          })}
        </>
      );
    }
    const { rerender } = render(tree(<List start={0} />));
    await respond(0);
    expect(text()).toBe('100: 0 1 2 ');
    const before = renders.count;
    rerender(tree(<List start={1} />));
    expect(text()).toBe('100: 1 2 3 ');
    // In Strict Mode, React renders each new row twice.
    expect(renders.count - before).toBe(2);
    rerender(tree(<List start={50} />));
    await act(async () => {
      await expect.poll(() => calls.length).toBe(2);
    });
    expect(text()).toBe('100: … … … ');
    await respond(1);
    expect(text()).toBe('100: 50 51 52 ');
    expect(calls.map(({ offset }) => offset)).toEqual([0, 50]);
  });

  it('shows the error of a page, and loads it again on request', async () => {
    const { getPosts, tree, respond } = openPosts();
    function List() {
      const rows = useWindow(getPosts, [], { start: 0, end: 3 });
      return (
        <button onClick={() => void rows.refresh()}>
          {rows.errorAt(0) ? 'failed' : rows.at(0)?.id}
        </button>
      );
    }
    render(tree(<List />));
    await respond(0, 500);
    expect(text()).toBe('failed');
    fireEvent.click(screen.getByRole('button'));
    await respond(1);
    expect(text()).toBe('0');
  });

  it('is empty and sends nothing for null arguments', () => {
    const { calls, getPosts, tree } = openPosts();
    const List = () => useWindow(getPosts, [null], { start: 0, end: 3 }).length;
    render(tree(<List />));
    expect(text()).toBe('0');
    expect(calls).toHaveLength(0);
  });

  it('follows another list when its arguments change', async () => {
    const { calls, getPosts, tree, respond } = openPosts();
    const List = ({ tag }: { tag: string }) => {
      const rows = useWindow(getPosts, [{ tag }], { start: 0, end: 3 });
      return `${tag} ${rows.length}`;
    };
    const { rerender } = render(tree(<List tag="x" />));
    await respond(0);
    expect(text()).toBe('x 100');
    rerender(tree(<List tag="y" />));
    expect(text()).toBe('y 0');
    await respond(1);
    expect(text()).toBe('y 100');
    rerender(tree(<List tag="x" />));
    expect(text()).toBe('x 100');
    expect(calls).toHaveLength(2);
  });

  it('shares its pages with another component', async () => {
    const { calls, getPosts, tree, respond } = openPosts();
    const List = ({ index }: { index: number }) =>
      useWindow(getPosts, [], { start: index, end: index + 1 }).at(index)?.id;
    render(tree([<List key="a" index={3} />, ' ', <List key="b" index={4} />]));
    await respond(0);
    expect(text()).toBe('3 4');
    expect(calls).toHaveLength(1);
  });

  it('a delete moves the rows up before it is answered', async () => {
    const { getPosts, tree, respond, controller } = openPosts();
    const remove = new RestEndpoint({
      urlPrefix: 'http://host',
      path: '/posts/:id',
      method: 'DELETE',
      schema: new Invalidate(Post),
      getOptimisticResponse: (_, { id }: { id: string }) => ({ id }),
      send: () => new Promise<Response>(() => {}),
    });
    const List = () => {
      const rows = useWindow(getPosts, [], { start: 0, end: 3 });
      return `${[0, 1, 2].map((index) => rows.at(index)?.id).join(' ')} of ${rows.length}`;
    };
    render(tree(<List />));
    await respond(0);
    act(() => void controller.fetch(remove, { id: '1' }));
    expect(text()).toBe('0 2 3 of 99');
  });

  it.runIf(hasActivity)('loads nothing while it is hidden, and catches up', async () => {
    const { Activity } = React;
    const { calls, getPosts, tree, respond, controller } = openPosts();
    const List = ({ start }: { start: number }) => {
      const rows = useWindow(getPosts, [], { start, end: start + 1 });
      return <p>{rows.at(start)?.title || rows.at(start)?.id}</p>;
    };
    const shown = (mode: 'visible' | 'hidden', start: number) =>
      tree(
        <Activity mode={mode}>
          <List start={start} />
        </Activity>,
      );
    const { rerender } = render(shown('visible', 0));
    await respond(0);
    expect(text()).toBe('0');
    rerender(shown('hidden', 30));
    await act(async () => {});
    expect(calls).toHaveLength(1);
    act(() => controller.set(Post, { id: '30' }, { id: '30', title: 'changed' }));
    rerender(shown('visible', 30));
    await respond(1);
    expect(text()).toBe('changed');
    expect(calls.map(({ offset }) => offset)).toEqual([0, 30]);
  });
});
