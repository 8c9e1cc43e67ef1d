import { act, screen } from '@testing-library/react';
import { memo, useTransition } from 'react';
import { Collection, Controller, Endpoint, Entity } from 'restitch';
import { useController, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, show, watchConsole } from '../support/reactWorld.js';

watchConsole();

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

/** Seven posts in pages of three, on a screen with a button for more. */
function openPosts() {
  const all = Array.from({ length: 7 }, (_, index) => ({ id: `${index}`, title: `post ${index}` }));
  const posts = new Collection([Post]);
  const page = async ({ cursor = 0 }: { cursor?: number } = {}): Promise<any> => ({
    results: all.slice(cursor, cursor + 3),
    next: cursor + 3 < all.length ? cursor + 3 : null,
  });
  const getPosts = new Endpoint(page, {
    name: 'getPosts',
    schema: { results: posts, next: 0 as number | null },
  });
  const getPage = new Endpoint(page, {
    name: 'getPage',
    schema: { results: posts.paginated('cursor'), next: 0 as number | null },
  });
  const rows = counter();
  const Row = memo(({ post }: { post: Post }) => {
    rows.add();
    return <li>{post.title}</li>;
  });
  function List() {
    const { results, next } = useSuspense(getPosts);
    const controller = useController();
    const [isPending, startTransition] = useTransition();
    return (
      <>
        {results.map((post) => (
          <Row key={post.id} post={post} />
        ))}
        {next !== null && (
          <button
            disabled={isPending}
            onClick={() => startTransition(() => void controller.fetch(getPage, { cursor: next }))}
          >
            more
          </button>
        )}
      </>
    );
  }
  const titles = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
  const more = () => act(async () => screen.getByRole('button').click());
  return { List, titles, more, rows, getPosts };
}

describe('a list with pages on the screen', () => {
  it('grows without a fallback, each row rendered once, and says when there are no more', async () => {
    const { List, titles, more, rows } = openPosts();
    show(<List />, { strict: false });
    expect(await screen.findAllByRole('listitem')).toHaveLength(3);
    await more();
    expect(titles()).toHaveLength(6);
    await more();
    expect(titles()).toEqual(Array.from({ length: 7 }, (_, index) => `post ${index}`));
    expect(screen.queryByRole('button')).toBeNull();
    expect(rows.count).toBe(7);
  });

  it('keeps its pages and renders nothing when the first page is fetched again', async () => {
    const { List, titles, more, rows, getPosts } = openPosts();
    const controller = new Controller();
    show(<List />, { controller, strict: false });
    await screen.findAllByRole('listitem');
    await more();
    await act(async () => void (await controller.fetch(getPosts)));
    expect(titles()).toHaveLength(6);
    expect(rows.count).toBe(6);
    await more();
    expect(titles()).toHaveLength(7);
  });
});
