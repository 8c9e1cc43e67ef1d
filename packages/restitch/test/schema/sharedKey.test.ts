import { Collection, Entity, Invalidate, Union } from 'restitch';
import { describe, expect, it } from 'vitest';
import { dataOf, listen, mutation, ignore, openWorld } from '../regressions/kit.js';

class Author extends Entity {
  id = '';
  type = 'author' as const;
  name = '';
  boss: Author | undefined = undefined;
  born: Date | undefined = undefined;
  static override key = 'SharedAuthor';
  static override schema: Record<string, unknown> = {};
}
Author.schema = { boss: Author, born: Date };

/** The whole view of a book: it knows which of its fields are records. */
class Book extends Entity {
  id = '';
  title = '';
  author: Author | undefined = undefined;
  others: Author[] = [];
  reviewer: Author | undefined = undefined;
  readers: Author[] = [];
  static override key = 'Book';
  static override schema = {
    author: Author,
    others: [Author],
    reviewer: new Union({ author: Author }, 'type'),
    readers: new Collection([Author]),
  };
  get by(): string {
    return this.author?.name ?? 'nobody';
  }
}

/** A summary of the same rows, that does not. */
class BookSummary extends Entity {
  id = '';
  title = '';
  author: unknown = undefined;
  others: unknown = undefined;
  static override key = 'Book';
}

describe('two classes of one key', () => {
  it('read one record, each through its own class', () => {
    const { controller } = openWorld();
    controller.set(BookSummary, { id: '1' }, { title: 'Emma' });
    const book = controller.get(Book, { id: '1' });
    const summary = controller.get(BookSummary, { id: '1' });
    expect(book).toBeInstanceOf(Book);
    expect(summary).toBeInstanceOf(BookSummary);
    expect(book?.title).toBe('Emma');
    controller.set(Book, { id: '1' }, { title: 'Changed' });
    expect(controller.get(BookSummary, { id: '1' })?.title).toBe('Changed');
  });

  it('resolve a relation that the other stored whole: as the row where there is one', () => {
    const { controller } = openWorld();
    controller.set(Author, { id: 'a' }, { name: 'Jane' });
    controller.set(
      BookSummary,
      { id: '1' },
      {
        author: { id: 'a', name: 'stale copy' },
        others: [{ id: 'a' }, 'b'],
        reviewer: { type: 'author', id: 'a' },
        readers: [{ id: 'a' }],
      },
    );
    const view = controller.observeQuery(Book, { id: '1' });
    const told = listen(view);
    const jane = controller.get(Author, { id: 'a' });
    expect(dataOf(view)?.author).toBe(jane);
    expect(dataOf(view)?.others).toEqual([jane]);
    expect(dataOf(view)?.reviewer).toBe(jane);
    expect(dataOf(view)?.readers).toEqual([jane]);
    controller.set(Author, { id: 'a' }, { name: 'Jane Austen' });
    expect(told.count).toBe(1);
    expect(dataOf(view)?.by).toBe('Jane Austen');
  });

  it('else as an instance of what was stored, until the row arrives', async () => {
    const { controller } = openWorld();
    controller.set(
      BookSummary,
      { id: '1' },
      { author: { id: 'a', name: 'Jane', born: '1775-12-16', boss: { id: 'b', name: 'B' } } },
    );
    const view = controller.observeQuery(Book, { id: '1' });
    listen(view);
    const { author } = dataOf(view) ?? {};
    expect(author).toBeInstanceOf(Author);
    expect(author).toMatchObject({
      name: 'Jane',
      born: new Date('1775-12-16'),
      boss: { name: 'B' },
    });
    expect(author?.boss).toBeInstanceOf(Author);
    controller.set(BookSummary, { id: '1' }, { title: 'Emma' });
    expect(dataOf(view)?.by).toBe('Jane');
    controller.set(Author, { id: 'a' }, { name: 'Jane Austen' });
    expect(dataOf(view)?.by).toBe('Jane Austen');
    const remove = mutation('remove', new Invalidate(Author));
    ignore(controller.fetch(remove.endpoint, { id: 'a' }));
    await remove.answer({ id: 'a' });
    expect(dataOf(view)?.author).toBeUndefined();
  });

  it('read the primary key where the other stored a relation', () => {
    const { controller } = openWorld();
    controller.set(Book, { id: '1' }, { author: { id: 'a', name: 'Jane' }, others: [{ id: 'b' }] });
    expect(controller.get(BookSummary, { id: '1' })).toMatchObject({ author: 'a', others: ['b'] });
  });
});
