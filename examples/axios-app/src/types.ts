/** Types of the responses. */
export interface Author {
  id: number;
  name: string;
  born: number;
}

export interface Book {
  id: number;
  title: string;
  authorId: number;
  year: number;
  copies: number;
  tags: string[];
}

export interface Member {
  _id: string;
  name: string;
  email: string;
  /** Cents. */
  owes: number;
}

export interface Loan {
  id: string;
  bookId: number;
  memberId: string;
  /** As in `2026-12-24`. */
  due: string;
}

export interface Reservation {
  id: number;
  bookId: number;
  memberId: string;
}

export type NewBook = Pick<Book, 'title' | 'authorId' | 'year'> & Partial<Book>;
