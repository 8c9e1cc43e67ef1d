// @ts-check

/** The stock of the library when it opens: new for each server, so that tests cannot disturb one another. */
export function openingStock() {
  return {
    authors: [
      { id: 1, name: 'Ursula K. Le Guin', born: 1929 },
      { id: 2, name: 'Italo Calvino', born: 1923 },
      { id: 3, name: 'Stanisław Lem', born: 1921 },
    ],
    books: [
      { id: 1, title: 'The Dispossessed', authorId: 1, year: 1974, copies: 3, tags: ['novel'] },
      { id: 2, title: 'Invisible Cities', authorId: 2, year: 1972, copies: 1, tags: ['novel'] },
      { id: 3, title: 'Solaris', authorId: 3, year: 1961, copies: 2, tags: ['novel', 'film'] },
      { id: 4, title: 'Cosmicomics', authorId: 2, year: 1965, copies: 0, tags: ['stories'] },
    ],
    members: [
      { _id: 'm-1', name: 'Grace Hopper', email: 'grace@example.com', owes: 0 },
      { _id: 'm-2', name: 'Alan Turing', email: 'alan@example.com', owes: 250 },
    ],
    loans: [
      { id: 'l1', bookId: 1, memberId: 'm-1', due: '2026-03-01' },
      { id: 'l2', bookId: 3, memberId: 'm-2', due: '2026-01-15' },
    ],
    /** @type {{ id: number, bookId: number, memberId: string }[]} */
    reservations: [],
    /** @type {Record<string, number[]>} */
    ratings: { 1: [5, 4], 2: [5] },
    settings: { theme: 'light', pageSize: 20 },
    /** @type {{ path: string, at: string }[]} */
    audit: [],
  };
}

/** @typedef {ReturnType<typeof openingStock>} Stock */
