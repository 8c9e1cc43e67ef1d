import { ListServer } from '../support/ListServer.js';

export interface Paging {
  readonly size: number;
  /** What a cursor looks like: an id, which may look like a number of members, or a text that means nothing to anybody else. */
  readonly cursor: 'id' | 'opaque';
  /** Whether a count stands beside the list, which may look like a cursor. */
  readonly hasTotal: boolean;
  /** Where the rows stand: beside the cursor, in an object beside it, or under keys of their own. */
  readonly form: 'flat' | 'deep' | 'map';
}

/** A server that pages its list by cursor. */
export class PagingServer extends ListServer {
  readonly #paging: Paging;

  constructor(paging: Paging, count: number) {
    super(count);
    this.#paging = paging;
  }

  protected override page(query: URLSearchParams): unknown {
    const { size, hasTotal, form } = this.#paging;
    const cursor = query.get('cursor');
    const after = cursor === null ? -Infinity : (this.places.get(this.#idOf(cursor)) ?? Infinity);
    const following = this.rows.filter(({ at }) => at > after);
    const page = following.slice(0, size).map(({ id }) => ({ id }));
    const last = page.at(-1);
    const next = last && following.length > size ? this.#cursorOf(last.id) : null;
    const beside = hasTotal ? { next, total: this.rows.length } : { next };
    const keyed = Object.fromEntries(page.map((row) => [`k${row.id}`, row]));
    return form === 'deep'
      ? { data: { results: page }, ...beside }
      : { results: form === 'map' ? keyed : page, ...beside };
  }

  #cursorOf(id: string): string {
    return this.#paging.cursor === 'id' ? id : `after-${id}`;
  }

  #idOf(cursor: string): string {
    return this.#paging.cursor === 'id' ? cursor : cursor.slice('after-'.length);
  }
}
