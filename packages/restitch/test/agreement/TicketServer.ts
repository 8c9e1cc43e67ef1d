/** A simulated server of tickets and their owners. A program says when a request is carried out and when its response arrives. */
import type { Change, Program, Style } from './program.js';

export interface Owner {
  readonly id: string;
  name: string;
}

interface StoredTicket {
  readonly id: string;
  title: string;
  status: string;
  tags: readonly string[];
  votes: number;
  flag: boolean;
  owner: string;
}

export interface Comment {
  readonly id: string;
  readonly ticket: string;
  readonly text: string;
}

export type Ticket = Omit<StoredTicket, 'owner'> & {
  readonly owner: Owner;
  readonly comments?: readonly Comment[];
  readonly notes?: readonly { readonly id: string }[];
};

/** What a list asks for: the fields that its tickets have. */
export type Filter = Readonly<Record<string, string>>;

export interface Request {
  readonly label: string;
  readonly method: string;
  readonly path: readonly string[];
  readonly query: Filter;
  readonly body: Change & { readonly name?: string; readonly text?: string };
  readonly resolve: (response: Response) => void;
  /** The response; undefined until the server has carried the request out. */
  response: (() => Response) | undefined;
  /** The id of the ticket or comment that this request created. */
  created: string | undefined;
}

export class TicketServer {
  readonly tickets: Map<string, StoredTicket> = new Map();
  readonly owners: Map<string, Owner> = new Map();
  /** The requests that are not answered. */
  readonly pending: Request[] = [];
  readonly #hasComments: boolean;
  readonly #isInOrder: boolean;
  readonly #log: (line: string) => void;
  #comments: readonly Comment[] = [];
  #created = 0;
  #requests = 0;

  constructor(program: Program, log: (line: string) => void) {
    this.#log = log;
    this.#hasComments = program.hasComments;
    this.#isInOrder = program.runs === 'as sent';
    for (const id of ['u1', 'u2']) this.owners.set(id, { id, name: id });
    for (const ticket of program.tickets) this.#create(ticket);
  }

  get sent(): number {
    return this.#requests;
  }

  /** The `send` of each endpoint. An aborted mutation is carried out all the same. */
  readonly send = (input: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input);
      const method = init.method ?? 'GET';
      const text = typeof init.body === 'string' ? init.body : '';
      const request: Request = {
        label: `${(this.#requests += 1)} ${method} ${url.pathname}${url.search} ${text}`,
        method,
        path: url.pathname.split('/').slice(1),
        query: Object.fromEntries(url.searchParams),
        body: text === '' ? {} : JSON.parse(text),
        resolve,
        response: undefined,
        created: undefined,
      };
      this.#log(`  sent: ${request.label}`);
      this.pending.push(request);
      init.signal?.addEventListener('abort', () => {
        if (!this.pending.includes(request)) return;
        this.#log(`  aborted: ${request.label}`);
        if (method !== 'GET') this.carryOut(request, 'full', false);
        this.pending.splice(this.pending.indexOf(request), 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

  /** True if the request may be carried out before its response arrives. */
  runsEarly({ method }: Request): boolean {
    return this.#isInOrder || method === 'GET';
  }

  /** Carries a request out, unless that was done. With `runs: 'as sent'`, older mutations are carried out before. */
  carryOut(request: Request, style: Style, fails: boolean): void {
    if (request.response !== undefined) return;
    const isMutation = request.method !== 'GET' && this.#isInOrder;
    const waiting = this.pending.filter((one) => one.method !== 'GET' && !one.response);
    const earlier = isMutation ? waiting.slice(0, waiting.indexOf(request)) : [];
    for (const one of earlier) this.carryOut(one, style, false);
    const [status, body] = fails ? [500, {}] : this.#respond(request, style);
    const text = body === undefined ? null : JSON.stringify(body);
    this.#log(`  carried out: ${request.label} → ${status} ${text ?? ''}`);
    const headers = { 'content-type': 'application/json' };
    request.response = () => new Response(text, { status, headers });
  }

  /** Lets a response arrive. */
  deliver(request: Request): void {
    this.#log(`  answered: ${request.label}`);
    this.pending.splice(this.pending.indexOf(request), 1);
    if (request.response) request.resolve(request.response());
  }

  /** The ids that a client can know: not those of creates whose response has not arrived. */
  knownIds(): string[] {
    return [...this.tickets.keys()].filter(this.#isKnown);
  }

  ticket(id: string): Ticket | undefined {
    const stored = this.tickets.get(id);
    const owner = this.owners.get(stored?.owner ?? '');
    return stored && owner && { ...stored, owner: { ...owner }, ...this.#listsOf(stored) };
  }

  #listsOf({ id, status }: StoredTicket): Pick<Ticket, 'comments' | 'notes'> {
    const notes = [{ id: `on ${status || id}` }];
    return this.#hasComments ? { comments: this.comments(id), notes } : {};
  }

  comments(ticket: string): readonly Comment[] {
    return this.#comments.filter((comment) => comment.ticket === ticket);
  }

  /** The comments that a client can know. */
  knownComments(): readonly Comment[] {
    return this.#comments.filter(({ id }) => this.#isKnown(id));
  }

  readonly #isKnown = (id: string): boolean => this.pending.every(({ created }) => created !== id);

  list(filter: Filter): Ticket[] {
    return [...this.tickets.keys()]
      .flatMap((id) => this.ticket(id) ?? [])
      .filter((ticket) => Object.entries(filter).every((entry) => matches(ticket, entry)));
  }

  /** Another user changes a ticket, deletes it (without a body) or creates one (without an id). */
  write(id: string | undefined, body: Change | undefined): void {
    const stored = this.tickets.get(id ?? '');
    if (stored && body) Object.assign(stored, body);
    else if (body) this.#create(body);
    else if (id !== undefined) this.tickets.delete(id);
  }

  /** Another user creates a ticket, or moves one. Returns the message about it: the owner is only a key. */
  tell(id: string | undefined, body: Change): Omit<Ticket, 'owner'> & { readonly owner: string } {
    const stored = this.tickets.get(id ?? '') ?? this.#create(body);
    Object.assign(stored, body);
    return { ...stored, ...this.#listsOf(stored) };
  }

  #create(body: Change): StoredTicket {
    const id = `t${(this.#created += 1)}`;
    const defaults = { title: '', status: 'open', tags: [], votes: 0, flag: false, owner: 'u1' };
    const ticket: StoredTicket = { ...defaults, ...body, id };
    this.tickets.set(id, ticket);
    return ticket;
  }

  #respond(request: Request, style: Style): [status: number, body?: object] {
    const { method, path, query, body } = request;
    const [table, id = '', action] = path;
    const isRead = method === 'GET';
    if (table === 'users') {
      const owner = this.owners.get(id);
      if (!owner) return [404, {}];
      if (action === 'praise') {
        owner.name += '!';
        return say(owner, style, ['name']);
      }
      return isRead ? [200, { ...owner }] : say(Object.assign(owner, body), style, []);
    }
    if (id === '') {
      if (isRead) return [200, this.list(query)];
      const created = this.#create(body);
      request.created = created.id;
      // A created ticket without its comments would show none, whatever is added later.
      return say(this.ticket(created.id) ?? created, this.#hasComments ? 'full' : style, []);
    }
    if (id === 'flag') return this.#flagAll(query);
    const stored = this.tickets.get(id);
    const ticket = this.ticket(id);
    if (!stored || !ticket) return [404, {}];
    if (action === 'comments') return this.#respondComment(request, id, style);
    if (isRead) return [200, ticket];
    if (method === 'DELETE') {
      this.tickets.delete(id);
      return style === 'empty' ? [204] : [200, ticket];
    }
    if (action === 'vote') stored.votes += 1;
    else if (action === 'flag') stored.flag = true;
    else Object.assign(stored, body);
    const field = { vote: ['votes'], flag: ['flag'] }[action ?? ''] ?? [];
    return say(this.ticket(id) ?? stored, style, field);
  }

  #flagAll(query: Filter): [status: number, body: object] {
    for (const { id } of this.list(query))
      Object.assign(this.tickets.get(id) ?? {}, { flag: true });
    return [200, this.list(query)];
  }

  #respondComment(request: Request, ticket: string, style: Style): [status: number, body?: object] {
    const { method, path, body } = request;
    if (method === 'GET') return [200, this.comments(ticket)];
    if (method === 'POST') {
      const created = { id: `c${(this.#created += 1)}`, ticket, text: body.text ?? '' };
      request.created = created.id;
      this.#comments = [...this.#comments, created];
      return say(created, style, []);
    }
    const found = this.#comments.find(({ id }) => id === path[3]);
    this.#comments = this.#comments.filter((comment) => comment !== found);
    return !found ? [404, {}] : style === 'empty' ? [204] : [200, found];
  }
}

function matches(ticket: Ticket, [field, value]: [string, string]): boolean {
  const own: unknown = Object(ticket)[field];
  return Array.isArray(own) ? own.includes(value) : String(own) === value;
}

/** The response to a mutation. */
function say(
  record: object,
  style: Style,
  changed: readonly string[],
): [status: number, body?: object] {
  if (style === 'empty') return [204];
  const isSaid = ([field]: [string, unknown]): boolean => field === 'id' || changed.includes(field);
  const entries = Object.entries(record);
  return [200, Object.fromEntries(style === 'full' ? entries : entries.filter(isSaid))];
}
