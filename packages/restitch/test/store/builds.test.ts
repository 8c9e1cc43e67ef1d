/** When instances are built, and that each is built once. */
import { Collection, Controller, Entity } from 'restitch';
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
