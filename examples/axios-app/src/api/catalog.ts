import { api } from '../http/client.js';
import type { Book } from '../types.js';

export interface CatalogFilter {
  q?: string;
  author?: number;
}

/** A page of what was found, and how much was found in all. */
export async function browse(
  filter: CatalogFilter,
  page: number,
): Promise<{ books: Book[]; total: number }> {
  const response = await api.get<Book[]>('/books', { params: { ...filter, page, limit: 2 } });
  return { books: response.data, total: Number(response.headers['x-total-count']) };
}
