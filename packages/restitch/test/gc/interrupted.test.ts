/** Readers that come between two steps of a garbage collection, at every step in turn. */
import { Collection, Entity } from 'restitch';
import { describe, expect, it } from 'vitest';
import { openSteps } from '../support/sweeping.js';
import { dataOf, listen, manual } from '../support/world.js';

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'BetweenAuthor';
}
class Article extends Entity {
  id = '';
  author: Author | undefined = undefined;
  comments: Author[] = [];
  static override key = 'BetweenArticle';
  static override schema = {
    author: Author,
    comments: new Collection([Author], { name: 'BetweenComments' }),
  };
}
const articles = new Collection([Article], { name: 'BetweenArticles' });
const article = (id: string): object => ({
  id,
  author: { id: `author of ${id}`, name: 'ann' },
  comments: ['x', 'y'].map((name) => ({ id: `${name} of ${id}`, name })),
});

/** A store that is about to evict: one step for each call of `step`, which returns true at the end. */
function open(maxEntities: number) {
  let isOver = false;
  const { controller, run, later } = openSteps({ maxEntities }, (milliseconds) => {
    isOver = milliseconds > 0;
  });
  const step = (): boolean => {
    const hasNext = run();
    return isOver || !hasNext;
  };
  const list = manual('between-list', articles, {
    dataExpiryLength: maxEntities === Infinity ? 60_000 : Infinity,
  });
  // Creates the table of the authors first.
  controller.set(Author, { id: '0' }, { name: 'zoe' });
  for (const page of ['a', 'b', 'c']) {
    controller.setResponse(
      list.endpoint,
      { page },
      ['1', '2', '3'].map((id) => article(page + id)),
    );
  }
  if (maxEntities === Infinity) later(1_000_000);
  return { controller, list, step };
}

/** The texts of a value after each number of steps, and after the whole collection. */
function readAfterEachStep(
  maxEntities: number,
  read: (world: ReturnType<typeof open>) => unknown,
): Set<string> {
  const texts = new Set<string>();
  for (let count = 1; ; count += 1) {
    const world = open(maxEntities);
    let isOver = false;
    for (let made = 0; made < count && !isOver; made += 1) isOver = world.step();
    texts.add(JSON.stringify(read(world)) ?? 'nothing');
    if (isOver) return texts;
    while (!world.step());
    texts.add(JSON.stringify(read(world)) ?? 'nothing');
  }
}

const everything = JSON.stringify(['1', '2', '3'].map((id) => article(`a${id}`)));

describe.each([20, Infinity])(
  'between two steps of a garbage collection (maxEntities %s)',
  (max) => {
    it('a view of a list shows everything or waits, then and later', () => {
      const texts = readAfterEachStep(max, ({ controller, list }) =>
        dataOf(controller.observe(list.endpoint, { page: 'a' })),
      );
      expect(texts).toEqual(new Set(['nothing', everything]));
    });

    it('a query of a list returns everything or nothing, then and later', () => {
      const texts = readAfterEachStep(max, ({ controller }) =>
        controller.get(articles, { page: 'a' }),
      );
      expect(texts).toEqual(new Set(['nothing', everything]));
    });

    it('a record keeps its related records and its own lists for as long as it is readable', () => {
      const texts = readAfterEachStep(max, ({ controller }) =>
        controller.get(Article, { id: 'a1' }),
      );
      expect(texts).toEqual(new Set(['nothing', JSON.stringify(article('a1'))]));
    });

    it('a reader that mounts is notified of the next change of what it shows', () => {
      const outcomes = readAfterEachStep(max, ({ controller, step }) => {
        const view = controller.observeQuery(articles, { page: 'a' });
        const notified = listen(view);
        if (!dataOf(view)) return undefined;
        while (!step());
        controller.set(Author, { id: 'author of a2' }, { name: 'bea' });
        return [notified.count, dataOf(view)?.[1]?.author?.name];
      });
      expect(outcomes).toContain(JSON.stringify([1, 'bea']));
      expect([...outcomes].filter((text) => text !== 'nothing').length).toBeLessThanOrEqual(2);
    });
  },
);
