import axios from 'axios';
import { api, describeFailure } from '../http/index.js';
import type { Loan, Member } from '../types.js';

/** Everything about the people who borrow. */
export class Members {
  async find(member: { _id: string }): Promise<Member> {
    const { data } = await api.get<Member>(`/members/${member._id}`);
    return data;
  }

  async loansOf(member: { _id: string }, before?: string): Promise<Loan[]> {
    const { data: loans } = await api.get<Loan[]>(`/members/${member._id}/loans`, {
      params: { before },
    });
    return loans;
  }

  async changeEmail(member: { _id: string }, email: string): Promise<string> {
    try {
      const { data } = await api.patch<Member>(`/members/${member._id}`, { email });
      return `Write to ${data.email}`;
    } catch (error) {
      if (axios.isAxiosError(error)) return describeFailure(error.response?.status);
      throw error;
    }
  }
}
