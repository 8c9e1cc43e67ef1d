/** A server that pages its list by cursor, simulated: it carries requests out, and its answers arrive, whenever a program says. */

export interface Row {
  readonly id: string;
  /** What the list is sorted by. */
  readonly at: number;
}

export interface Paging {
  readonly size: number;
  /** What a cursor looks like: an id, which may look like a number of members, or a text that means nothing to anybody else. */
  readonly cursor: 'id' | 'opaque';
  /** Whether a count stands beside the list, which may look like a cursor. */
  readonly hasTotal: boolean;
  /** Where the rows stand: beside the cursor, in an object beside it, or under keys of their own. */
  readonly form: 'flat' | 'deep' | 'map';
}

/** Where a created row comes to stand. */
export type Side = 'start' | 'end' | 'middle';

interface Pending {
  readonly url: URL;
  readonly method: string;
  readonly body: { readonly side?: Side };
  readonly resolve: (response: Response) => void;
  /** What the server said; undefined until it has carried the request out. */
  said: (() => Response) | undefined;
}

export class PagingServer {
  rows: Row[] = [];
  /** Every request there was. */
  sent = 0;
  readonly pending: Pending[] = [];
  /** Where rows stood that are gone: their ids are still cursors. */
  readonly #places = new Map<string, number>();
  readonly #paging: Paging;
  #ids = 0;

  constructor(paging: Paging, count: number) {
    this.#paging = paging;
    for (let index = 0; index < count; index += 1) this.add('end');
  }

  /** The `send` of a resource. */
  readonly send = (input: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      this.sent += 1;
      const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
      const request: Pending = {
        url: new URL(input),
        method: init.method ?? 'GET',
        body,
        resolve,
        said: undefined,
      };
      this.pending.push(request);
      init.signal?.addEventListener('abort', () => {
        this.#take(request);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

  /** Adds a row, as any client may. */
  add(side: Side): Row {
    const places = this.rows.map(({ at }) => at);
    const middle = Math.floor(places.length / 2);
    const [lower = 0, upper = lower + 2] = places.slice(middle - 1, middle + 1);
    const at = {
      start: (places[0] ?? 0) - 1,
      end: (places.at(-1) ?? 0) + 1,
      middle: middle > 0 ? (lower + upper) / 2 : (places.at(-1) ?? 0) + 1,
    }[side];
    const row = { id: String((this.#ids += 1)), at };
    this.#places.set(row.id, at);
    this.rows = [...this.rows, row].sort((a, b) => a.at - b.at);
    return row;
  }

  delete(id: string): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  /** Carries out a request that has come in. */
  execute(pick: number): void {
    const waiting = this.pending.filter(({ said }) => said === undefined);
    const request = waiting[pick % waiting.length];
    if (request) request.said = this.#carryOut(request);
  }

  /** Lets an answer arrive; false where there is none. */
  deliver(pick: number): boolean {
    const ready = this.pending.filter(({ said }) => said !== undefined);
    const request = ready[pick % ready.length];
    if (request?.said) {
      this.#take(request);
      request.resolve(request.said());
    }
    return request !== undefined;
  }

  #take(request: Pending): void {
    this.pending.splice(this.pending.indexOf(request), 1);
  }

  #carryOut({ url, method, body }: Pending): () => Response {
    const id = url.pathname.split('/')[2];
    if (method === 'DELETE' && id !== undefined) {
      const status = this.rows.some((row) => row.id === id) ? 204 : 404;
      this.delete(id);
      return () => new Response(null, { status });
    }
    const said =
      method === 'POST' ? { id: this.add(body.side ?? 'end').id } : this.#page(url.searchParams);
    return () => Response.json(said);
  }

  #page(query: URLSearchParams): unknown {
    const { size, hasTotal, form } = this.#paging;
    const cursor = query.get('cursor');
    const after = cursor === null ? -Infinity : (this.#places.get(this.#idOf(cursor)) ?? Infinity);
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
