import { createStore } from '../state/createStore.js';
import { parse } from '../state/place.js';
import { affectedBy } from './affected.js';
import { isShown, rowsShown } from './shown.js';

/** The server offers its interface a second time here, so that these requests can be told from those of the page. */
const PREFIX = '/by-url';

/** What the other cache has cost beyond the requests that both send. */
export const costByUrl = createStore({ requests: 0, rowRenders: 0 });

/** Whether the comparison runs. */
export const isCompared = createStore(true);

/**
 * A cache as most are, which runs beside the page to measure what it would cost: one entry for each URL, with copies of all records in
 * it. It gets the responses of the page. After a change it really fetches the entries on the screen that hold a copy of what changed.
 * It is a good one of its kind: an entry that came back equal renders nothing, and of a list only the rows that differ.
 */
class CacheByUrl {
  readonly #entries = new Map<string, unknown>();
  readonly #loading = new Set<string>();
  #rows = new Map<number, string>();

  /** A response that the page got. */
  receive(method: string, href: string, value: unknown) {
    const { pathname, search } = new URL(href);
    const path = pathname.replace(/^\/api/, '') + search;
    const isAffected = affectedBy(method, path, value);
    if (method === 'GET' && !path.startsWith('/changes')) this.#store(path, value);
    const place = parse(location.search);
    for (const entry of this.#entries.keys()) {
      if (isShown(entry, place) && isAffected(entry)) void this.#load(entry);
    }
  }

  /** A component shows this. The page may know it from another response; here it has an entry of its own. */
  need(path: string) {
    if (!this.#entries.has(path) && !this.#loading.has(path)) void this.#load(path);
  }

  /** Counts the rows that would be rendered now: those that are new or differ. */
  countRows() {
    const rows = rowsShown(this.#entries, parse(location.search));
    if (rows === undefined) return;
    const rendered = [...rows].filter(([id, text]) => this.#rows.get(id) !== text).length;
    this.#rows = rows;
    if (rendered > 0) add({ rowRenders: rendered });
  }

  #store(path: string, value: unknown) {
    this.#entries.set(path, value);
    this.countRows();
  }

  async #load(path: string) {
    if (!isCompared.get()) return;
    this.#loading.add(path);
    add({ requests: 1 });
    try {
      const response = await fetch(PREFIX + path);
      if (response.ok) this.#store(path, await response.json());
    } catch {
      // The page says so itself when the server is gone.
    } finally {
      this.#loading.delete(path);
    }
  }
}

export const cacheByUrl = new CacheByUrl();

function add({ requests = 0, rowRenders = 0 }: { requests?: number; rowRenders?: number }) {
  const cost = costByUrl.get();
  costByUrl.set({
    requests: cost.requests + requests,
    rowRenders: cost.rowRenders + rowRenders,
  });
}
