import { getAuthor } from '../api/authors.js';
import { getBook } from '../api/books.js';
import { escaped } from '../util/html.js';
import ratings from '../legacy/ratings.cjs';

/** One book, with its author and what readers think of it. */
export async function bookPage(id: number): Promise<string> {
  const book = await getBook(id);
  const [author, stars] = await Promise.all([getAuthor(book.authorId), ratings.average(id)]);
  const rating = stars === undefined ? 'not rated' : `${stars} stars`;
  return `<h1>${escaped(book.title)}</h1><p>${escaped(author.name)}, ${rating}</p>`;
}
