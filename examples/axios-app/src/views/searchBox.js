import { searchBooks } from '../api/search.js';
import { orElse } from '../util/settled.js';

/** A search box that aborts its search when another one starts. */
export class SearchBox {
  #running = new AbortController();

  /** @param {string} text @returns {Promise<string[]>} */
  type(text) {
    this.#running.abort();
    this.#running = new AbortController();
    const found = searchBooks(text, this.#running.signal);
    return orElse(
      found.then((books) => books.map((book) => book.title)),
      [],
    );
  }
}
