import { api } from '../http/client.js';

/** The picture on the front of a book. */
export async function getCover(bookId: number): Promise<ArrayBuffer> {
  const { data } = await api.get<ArrayBuffer>(`/books/${bookId}/cover`, {
    responseType: 'arraybuffer',
  });
  return data;
}
