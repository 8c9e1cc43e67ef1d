import { ListServer, type Row } from '../support/ListServer.js';

export interface Paging {
  readonly style: 'cursor' | 'link' | 'offset' | 'page';
  readonly size: number;
  readonly hasTotal: boolean;
  /** With an offset or a number: each page says if another one follows. */
  readonly hasMore?: boolean;
  /**
   * By cursor: the list opens with its last page, as a chat does. A page before another one then names the next page if it
   * is `linked`.
   */
  readonly chat?: 'linked' | 'unlinked' | undefined;
  /** With `chat`: the list opens at a row in the middle instead, which others move. Every page names the previous one. */
  readonly isMiddle?: boolean | undefined;
}

/** A server that pages its list by cursor, `Link` header, offset or number. */
export class PagingWorld extends ListServer {
  readonly #paging: Paging;
  /** With `isMiddle`: the index of the row at which the list opens. */
  opening = 4;

  constructor(paging: Paging, count: number) {
    super(count);
    this.#paging = paging;
  }

  protected override page(query: URLSearchParams): unknown {
    const { style, size, hasTotal, hasMore, chat, isMiddle = false } = this.#paging;
    const total = hasTotal ? { total: this.rows.length } : {};
    const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => ({ id }));
    if (style === 'offset' || style === 'page') {
      const page = Number(query.get('page') ?? 1);
      const start = style === 'page' ? (page - 1) * size : Number(query.get('offset') ?? 0);
      const end = start + size;
      const more = hasMore ? { more: end < this.rows.length } : {};
      return { results: idsOf(this.rows.slice(start, end)), ...total, ...more };
    }
    const placeOf = (name: string): number => this.places.get(query.get(name) ?? '') ?? Infinity;
    const isBefore = query.has('before');
    const isOpening = chat !== undefined && !isMiddle && !isBefore && !query.has('cursor');
    const middle = isMiddle
      ? this.rows[1 + (this.opening % Math.max(1, this.rows.length - 1))]?.at
      : undefined;
    const from =
      query.has('around') && !query.has('cursor') ? placeOf('around') : (middle ?? -Infinity);
    const matching = this.rows.filter(({ at }) =>
      isBefore ? at < placeOf('before') : query.has('cursor') ? at > placeOf('cursor') : at >= from,
    );
    const page = isBefore || isOpening ? matching.slice(-size) : matching.slice(0, size);
    const first = page[0]?.at ?? (isBefore ? -Infinity : from);
    const last = page.at(-1)?.at ?? Infinity;
    const isNamed = !isBefore || chat !== 'unlinked';
    const next = isNamed && this.rows.some(({ at }) => at > last) ? page.at(-1)?.id : null;
    const isAfter = this.rows.some(({ at }) => at < first);
    const isBehind = isAfter && (isMiddle || !query.has('cursor'));
    const previous = isBehind ? (page[0]?.id ?? query.get('around')) : null;
    return { results: idsOf(page), next, previous, ...total };
  }

  protected override headers(said: unknown): Record<string, string> {
    const { next } = Object(said);
    const isLinked = this.#paging.style === 'link' && typeof next === 'string';
    return isLinked ? { link: `<http://x/posts?cursor=${next}>; rel="next"` } : {};
  }
}
