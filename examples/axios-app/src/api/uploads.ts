import { api } from '../http/client.js';

export interface StoredCover {
  bytes: number;
  type: string;
}

/** Sends a new cover and says how far it got, from 0 to 1. */
export async function putCover(
  bookId: number,
  cover: FormData,
  onProgress: (done: number) => void,
): Promise<StoredCover> {
  const { data } = await api.put<StoredCover>(`/books/${bookId}/cover`, cover, {
    onUploadProgress: (event) => onProgress(event.progress ?? 0),
  });
  return data;
}

/** Leaves a note for the librarians. */
export async function leaveNote(text: string): Promise<{ text: string }> {
  const { data } = await api.post<{ text: string }>('/notes', new URLSearchParams({ text }));
  return data;
}
