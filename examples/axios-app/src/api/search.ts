import { api } from '../http/client.js';
import type { Book } from '../types.js';

/** Finds books by a part of their title. An aborted search finds nothing. */
export async function searchBooks(q: string, signal?: AbortSignal): Promise<Book[]> {
  const { data } = await api.get<Book[]>('/books', { params: { q }, signal });
  return data;
}

export async function searchByAuthor(author: number, text: string): Promise<string[]> {
  const { data: books } = await api.get<Book[]>(
    `/books?author=${author}&q=${encodeURIComponent(text)}`,
  );
  return books.map((book) => book.title);
}
