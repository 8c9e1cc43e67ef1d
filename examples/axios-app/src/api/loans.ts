import axios from 'axios';
import { api } from '../http/client.js';
import type { Loan } from '../types.js';

/** Lends a book, or says that every copy is out. */
export async function lend(bookId: number, memberId: string): Promise<Loan | 'out'> {
  try {
    const { data } = await api.post<Loan>('/loans', { bookId, memberId });
    return data;
  } catch (error) {
    if (axios.isAxiosError(error) && error.response?.status === 409) return 'out';
    throw error;
  }
}

export async function extendLoan(id: string): Promise<string> {
  const { data } = await api.post<Loan>(`/loans/${encodeURIComponent(id)}/extend`);
  return data.due;
}

export async function giveBack(id: string, condition: string): Promise<unknown> {
  const { data } = await api.delete(`/loans/${id}`, { data: { condition } });
  return data;
}
