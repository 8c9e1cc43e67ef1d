import { createStore } from './createStore.js';

/** Which rows of the list are in the page, by their place in it. */
export const shownRows = createStore({ first: 0, last: 0 });
