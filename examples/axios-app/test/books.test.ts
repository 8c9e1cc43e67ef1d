import { expect, it } from 'vitest';
import * as books from '../src/api/books.js';
import { browse } from '../src/api/catalog.js';
import { searchBooks, searchByAuthor } from '../src/api/search.js';

it('lists and finds books', async () => {
  expect((await books.listBooks()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(await books.listBooks(2)).toEqual([]);
  expect(await books.getBook(3)).toMatchObject({ title: 'Solaris', year: 1961 });
});

it('adds, changes and removes a book', async () => {
  const created = await books.createBook({ title: 'The Cyberiad', authorId: 3, year: 1965 });
  expect(created).toMatchObject({ id: 5, title: 'The Cyberiad', copies: 1 });
  expect(await books.renameBook(created.id, 'Cyberiad')).toMatchObject({ title: 'Cyberiad' });
  expect(await books.replaceBook({ ...created, copies: 7 })).toMatchObject({
    title: 'The Cyberiad',
    copies: 7,
  });
  await books.removeBook(created.id);
  await expect(books.getBook(created.id)).rejects.toMatchObject({ message: expect.any(String) });
});

it('refuses a book without a title', async () => {
  await expect(books.createBook({ title: '', authorId: 1, year: 2000 })).rejects.toThrow();
});

it('searches by text and by author', async () => {
  expect((await searchBooks('so')).map(({ title }) => title)).toEqual(['Solaris']);
  expect(await searchBooks('a&b=c/ü?')).toEqual([]);
  expect(await searchByAuthor(2, 'Cos')).toEqual(['Cosmicomics']);
});

it('says how much was found in all', async () => {
  const { books: page, total } = await browse({ q: 'i' }, 1);
  expect([page.length, total]).toEqual([2, 4]);
});
