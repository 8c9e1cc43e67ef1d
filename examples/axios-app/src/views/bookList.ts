import { listBooks } from '../api/books.js';
import { escaped, list } from '../util/html.js';

/** The page that shows what there is. */
export async function bookList(page?: number): Promise<string> {
  const books = await listBooks(page);
  return list(books.map((book) => `${escaped(book.title)} (${book.year})`));
}
