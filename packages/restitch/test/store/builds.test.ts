/** When instances are built, and that each is built once. */
import { Collection, Controller, Entity, type View } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';

let built = 0;

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'Author';

  constructor() {
    super();
    built += 1;
  }
}

class Post extends Entity {
  id = '';
  title = '';
  author: Author | undefined = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: Author };

  constructor() {
    super();
    built += 1;
  }
}

const posts = new Collection([Post]);
const ROWS = 2000;
const AUTHORS = 50;

let controller: Controller;

beforeEach(() => {
  controller = new Controller();
  built = 0;
});

function dataOf<T>(view: View<T>): T | undefined {
  const snapshot = view.getSnapshot();
  return snapshot.status === 'ready' ? snapshot.data : undefined;
}

describe('the first read', () => {
  it('builds each row and each related row once, and a second one none', () => {
    controller.set(
      posts,
      {},
      Array.from({ length: ROWS }, (_, n) => ({
        id: String(n),
        author: { id: String(n % AUTHORS), name: 'ann' },
      })),
    );
    expect(built).toBe(0);
    const list = controller.get(posts, {});
    expect(list).toHaveLength(ROWS);
    expect(built).toBe(ROWS + AUTHORS);
    expect(new Set(list?.map(({ author }) => author)).size).toBe(AUTHORS);
    expect(controller.get(posts, {})).toBe(list);
    expect(built).toBe(ROWS + AUTHORS);
  });
});

describe('a row that nobody had read before its relation changed', () => {
  it('is one object for all who read it as it was', () => {
    controller.set(posts, {}, [{ id: '1', title: 'a', author: { id: '1', name: 'ann' } }]);
    const author = controller.observeQuery(Author, { id: '1' });
    const trace = controller.trace();
    const before = dataOf(author);
    const moments: ReturnType<typeof trace.hold>[] = [];
    author.subscribe(() => moments.push(trace.hold()));
    controller.set(Author, { id: '1' }, { id: '1', name: 'bob' });
    const [moment] = moments;
    const asOf = <T>(view: View<T>): T | undefined => {
      const snapshot = moment && view.getSnapshotAt(moment);
      return snapshot?.status === 'ready' ? snapshot.data : undefined;
    };
    const post = asOf(controller.observeQuery(Post, { id: '1' }));
    expect(post).toMatchObject({ title: 'a', author: { name: 'ann' } });
    expect(post?.author).toBe(before);
    expect(asOf(controller.observeQuery(Post, { id: '1' }))).toBe(post);
    expect(asOf(controller.observeQuery(posts, {}))?.[0]).toBe(post);
    trace.end();
    expect(controller.get(Post, { id: '1' })?.author?.name).toBe('bob');
  });
});
