import { api } from '../http/index.js';
import type { Book, NewBook } from '../types.js';

export async function listBooks(page = 1): Promise<Book[]> {
  const { data } = await api.get<Book[]>('/books', { params: { page, limit: 20 } });
  return data;
}

export async function getBook(id: number): Promise<Book> {
  const response = await api.get<Book>(`/books/${id}`);
  return response.data;
}

export async function createBook(book: NewBook): Promise<Book> {
  const { data: created } = await api.post<Book>('/books', book);
  return created;
}

// The server wants every field.
export async function replaceBook(book: Book): Promise<Book> {
  return (await api.put<Book>(`/books/${book.id}`, book)).data;
}

export async function renameBook(id: number, title: string): Promise<Book> {
  const { data } = await api.patch<Book>(`/books/${id}`, { title });
  return data;
}

export async function removeBook(id: number): Promise<void> {
  await api.delete(`/books/${id}`);
}
