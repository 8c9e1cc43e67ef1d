import { api } from '../http/index.js';

/** @param {number} id */
export function getAuthor(id) {
  return api.get(`/authors/${id}`).then((response) => response.data);
}

export function listAuthors() {
  return api.get('/authors').then(({ data }) => data);
}

/**
 * @param {{ id: number }} author
 * @param {boolean} [newestFirst]
 */
export function booksOf(author, newestFirst) {
  return api
    .get(`/authors/${author.id}/books/${newestFirst ? 'newest' : 'oldest'}`)
    .then((response) => response.data.map((book) => book.title));
}
