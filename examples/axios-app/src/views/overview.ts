import { api } from '../http/index.js';
import { isOpen } from '../api/health.js';
import type { Author, Book } from '../types.js';

/** Numbers for the front page, from three requests at once. */
export async function overview(): Promise<string> {
  const [books, authors, open] = await Promise.all([
    api.get<Book[]>('/books'),
    api.get<Author[]>('/authors'),
    isOpen(),
  ]);
  const state = open ? 'open' : 'closed';
  return `${books.data.length} books by ${authors.data.length} authors; ${state}`;
}
