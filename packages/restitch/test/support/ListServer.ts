/** A simulated server with one list. A test says when it carries a request out and when the response arrives. */
import { settle } from './clock.js';

export interface Row {
  readonly id: string;
  /** The sort key. */
  readonly at: number;
}

/** If the program deletes an author, the server also deletes the rows of this author. */
export const authorOf = ({ id }: Pick<Row, 'id'>): string => `u${Number(id) % 4}`;

/** Where a created row comes to stand. */
export type Side = 'start' | 'end' | 'middle';

interface Pending {
  readonly url: URL;
  readonly method: string;
  readonly body: { readonly side?: Side; readonly note?: string };
  readonly resolve: (response: Response) => void;
  /** The response; undefined until the server has carried the request out. */
  said: (() => Response) | undefined;
}

export abstract class ListServer {
  rows: Row[] = [];
  /** The rows that the program created itself. */
  readonly own: Set<string> = new Set();
  /** True if creates are carried out in the order in which they were sent. */
  inOrder = false;
  /** True if creates and edits get an empty response (204). */
  isSilent = false;
  sent = 0;
  readonly pending: Pending[] = [];
  /** The sort keys of all rows, also of deleted ones: their ids are still cursors. */
  protected readonly places: Map<string, number> = new Map();
  /** Edits and actions change the note of a row or author, by id. */
  protected readonly notes: Map<string | undefined, string> = new Map();
  /** Actions count, so that an edit of the note does not replace the whole effect of an action. */
  protected readonly acts: Map<string | undefined, number> = new Map();
  #ids = 0;

  constructor(count: number) {
    for (let index = 0; index < count; index += 1) this.add('end');
  }

  /** The response to a read of the list. */
  protected abstract page(query: URLSearchParams): unknown;

  /** A row in the response to a read or a create. */
  protected record({ id }: Row): object {
    return { id };
  }

  /** The headers of that response. */
  protected headers(_: unknown): Record<string, string> {
    return {};
  }

  /** The `send` of a resource. */
  readonly send = (input: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      this.sent += 1;
      const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
      const method = init.method ?? 'GET';
      const request: Pending = { url: new URL(input), method, body, resolve, said: undefined };
      this.pending.push(request);
      init.signal?.addEventListener('abort', () => {
        this.#take(request);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

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
    this.places.set(row.id, at);
    this.rows = [...this.rows, row].sort((a, b) => a.at - b.at);
    return row;
  }

  delete(id: string): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  /** An action of another client. */
  act(id: string | undefined): void {
    this.acts.set(id, this.actsOf(id) + 1);
  }

  /** Carries out a request such as `GET /posts?offset=3`, if that is still to be done. */
  read(label: string): void {
    this.carryOut(this.#labelled(label));
  }

  /** Carries out a request, if that is still to be done. */
  carryOut(request: Pending): void {
    request.said ??= this.#respond(request);
  }

  /** Lets the response to such a request arrive. */
  answer(label: string): void {
    this.read(label);
    this.reply(this.#labelled(label));
  }

  #labelled(label: string): Pending {
    const found = this.pending.find(
      ({ method, url }) => `${method} ${url.pathname}${url.search}` === label,
    );
    if (!found) throw new Error(`There is no request ${label}.`);
    return found;
  }

  actsOf(id: string | undefined): number {
    return this.acts.get(id) ?? 0;
  }

  noteOf(id: string): string {
    return this.notes.get(id) ?? '';
  }

  /** Carries out a request. An edit waits until its response arrives, so that responses keep the order of edits. */
  execute(pick: number): void {
    const waiting = this.pending.filter(
      ({ said, method }) => said === undefined && method !== 'PATCH',
    );
    const picked = waiting[pick % waiting.length];
    const isMoved = this.inOrder && picked?.method === 'POST';
    const request = isMoved ? waiting.find(({ method }) => method === 'POST') : picked;
    if (request) this.carryOut(request);
  }

  /** Lets a response arrive; false if there is none. */
  deliver(pick: number): boolean {
    const ready = this.pending.filter(
      ({ said, method }) => said !== undefined || method === 'PATCH',
    );
    const request = ready[pick % ready.length];
    if (request) {
      this.carryOut(request);
      this.reply(request);
    }
    return request !== undefined;
  }

  /** Lets the response to a request arrive, unless the request was aborted. */
  reply(request: Pending): void {
    if (request.said && this.#take(request)) request.resolve(request.said());
  }

  /** Answers all requests until there is none. */
  readonly quiet = async (): Promise<void> => {
    await settle();
    while (this.pending.length > 0) {
      this.execute(0);
      this.deliver(0);
      await settle();
    }
  };

  /** Returns false for a request that is not in flight, such as one whose response has arrived. */
  #take(request: Pending): boolean {
    const index = this.pending.indexOf(request);
    return index >= 0 && this.pending.splice(index, 1).length > 0;
  }

  #respond({ url, method, body }: Pending): () => Response {
    const id = url.pathname.split('/')[2];
    if (method === 'DELETE' && url.pathname.startsWith('/authors/')) {
      this.rows = this.rows.filter((row) => authorOf(row) !== id);
      return () => new Response(null, { status: 204 });
    }
    if (method === 'DELETE' && id !== undefined) {
      const status = this.rows.some((row) => row.id === id) ? 204 : 404;
      this.delete(id);
      return () => new Response(null, { status });
    }
    const empty = (): Response => new Response(null, { status: 204 });
    if (method === 'PATCH') {
      this.notes.set(id, body.note ?? this.noteOf(id ?? ''));
      return this.isSilent ? empty : () => Response.json({ ...body, id });
    }
    if (url.pathname.endsWith('/act')) {
      this.notes.set(id, `acted ${this.sent}`);
      this.act(id);
      return empty;
    }
    if (method === 'POST') {
      const row = this.add(body.side ?? 'end');
      this.own.add(row.id);
      const record = this.record(row);
      return this.isSilent ? empty : () => Response.json(record);
    }
    const said = this.page(url.searchParams);
    const headers = this.headers(said);
    return () => Response.json(said, { headers });
  }
}
