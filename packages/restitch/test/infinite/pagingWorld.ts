import { Entity, type EntityClass } from 'restitch';
import { authorOf, ListServer, type Row } from '../support/ListServer.js';

class Author extends Entity {
  id = '';
  note = '';
  static override key = 'Author';
}

/** Hides rows: `process` drops a row with or without a key, and `createIfValid` refuses a row. */
export class HidingPost extends Entity {
  id = '';
  side = '';
  hidden = '';
  note = '';
  acts = 0;
  static override key = 'Post';
  static override process(input: { readonly hidden?: string }): unknown {
    return input.hidden === 'key' || input.hidden === 'keyless' ? undefined : input;
  }
  static override createIfValid<T extends Entity>(
    this: EntityClass<T>,
    fields: Readonly<Record<string, unknown>>,
  ): T | undefined {
    return fields['hidden'] === 'invalid' ? undefined : this.fromJS(fields as Partial<T>);
  }
}

/** A row whose author is deleted is hidden. */
export class AuthoredPost extends HidingPost {
  author = Author.fromJS({});
  static override schema: typeof Entity.schema = { author: Author };
}

export { Author };

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
  /** The way in which the class hides a third of the rows that the program did not create. */
  readonly hides?: 'key' | 'keyless' | 'invalid' | undefined;
  /** The server sends some rows twice, as a join without DISTINCT does. */
  readonly repeats?: boolean;
  /** Rows contain their author. */
  readonly hasAuthors?: boolean;
}

/** A server that pages its list by cursor, `Link` header, offset or number. */
export class PagingWorld extends ListServer {
  readonly #paging: Paging;
  /** With `isMiddle`: the index of the row at which the list opens. */
  opening = 4;
  readonly #count: number;

  constructor(paging: Paging, count: number) {
    super(count);
    this.#paging = paging;
    this.#count = count;
  }

  /** The rows as pages contain them. */
  get joined(): readonly Row[] {
    return this.rows.flatMap((row) => (this.isRepeated(row.id) ? [row, row] : [row]));
  }

  /** The keys of the rows that a reader shows. */
  get visible(): string[] {
    return this.rows.map(({ id }) => id).filter((id) => !this.isHidden(id));
  }

  isRepeated(id: string): boolean {
    return this.#paging.repeats === true && Number(id) <= this.#count && Number(id) % 4 === 1;
  }

  isHidden(id: string): boolean {
    return this.#paging.hides !== undefined && !this.own.has(id) && Number(id) % 3 === 2;
  }

  protected override record(row: Row): object {
    const { hides, hasAuthors = false } = this.#paging;
    const isHidden = this.isHidden(row.id);
    return {
      ...(isHidden && hides === 'keyless' ? {} : { id: row.id }),
      ...(isHidden ? { hidden: hides } : {}),
      note: this.noteOf(row.id),
      acts: this.actsOf(row.id),
      ...(hasAuthors ? { author: { id: authorOf(row), note: this.noteOf(authorOf(row)) } } : {}),
    };
  }

  protected override page(query: URLSearchParams): unknown {
    const { style, size, hasTotal, hasMore, chat, isMiddle = false } = this.#paging;
    const { joined } = this;
    const total = hasTotal ? { total: joined.length } : {};
    const recordsOf = (rows: readonly Row[]) => rows.map((row) => this.record(row));
    if (query.has('top')) {
      return { results: recordsOf(joined.slice(0, Number(query.get('top')))) };
    }
    if (style === 'offset' || style === 'page') {
      const page = Number(query.get('page') ?? 1);
      const start = style === 'page' ? (page - 1) * size : Number(query.get('offset') ?? 0);
      const end = start + size;
      const more = hasMore ? { more: end < joined.length } : {};
      return { results: recordsOf(joined.slice(start, end)), ...total, ...more };
    }
    const placeOf = (name: string): number => this.places.get(query.get(name) ?? '') ?? Infinity;
    const isBefore = query.has('before');
    const isOpening = chat !== undefined && !isMiddle && !isBefore && !query.has('cursor');
    const middle = isMiddle
      ? this.rows[1 + (this.opening % Math.max(1, this.rows.length - 1))]?.at
      : undefined;
    const from =
      query.has('around') && !query.has('cursor') ? placeOf('around') : (middle ?? -Infinity);
    const matching = joined.filter(({ at }) =>
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
    return { results: recordsOf(page), next, previous, ...total };
  }

  protected override headers(said: unknown): Record<string, string> {
    const { next } = Object(said);
    const isLinked = this.#paging.style === 'link' && typeof next === 'string';
    return isLinked ? { link: `<http://x/posts?cursor=${next}>; rel="next"` } : {};
  }
}
