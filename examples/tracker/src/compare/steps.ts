import { createStore } from '../state/createStore.js';

/**
 * The steps of the user that the cache by URL repeats: this part of the comparison is always there, and small. The
 * cache itself is loaded when it runs.
 */

/** A response that the page got. */
export interface PageResponse {
  method: string;
  /** With the query. */
  path: string;
  value: unknown;
}

/** The number of pages that the user has scrolled through, by the query of the list. */
export const pagesShown = createStore<Readonly<Record<string, number>>>({});

const listeners = new Set<(response: PageResponse) => void>();

/** Calls a function with each response that the page gets. Returns a function that stops it. */
export function onResponse(listener: (response: PageResponse) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function reportResponse(response: PageResponse) {
  const { method, path } = response;
  const [resource, search] = path.split('?');
  const query = new URLSearchParams(search);
  if (method === 'GET' && resource === '/issues') {
    const isFurther = query.has('after');
    query.delete('after');
    const list = listKey(query);
    const pages = pagesShown.get();
    pagesShown.set({ ...pages, [list]: isFurther ? (pages[list] ?? 0) + 1 : 1 });
  }
  for (const listener of listeners) listener(response);
}

/** Names a list by its filters, in whatever order they are. */
export function listKey(filters: Record<string, string | undefined> | URLSearchParams): string {
  const given = filters instanceof URLSearchParams ? [...filters] : Object.entries(filters);
  const query = new URLSearchParams(
    given.flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  query.sort();
  return String(query);
}
