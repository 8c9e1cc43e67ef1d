/** A client and its server: carries a program out, and compares both when all is quiet. */
import { Controller, expireWhere, type ReadEndpoint, type View } from 'restitch';
import { Clock, settle } from '../support/clock.js';
import { type Client, declare, Ticket } from './client.js';
import type { Kind, Program, Step } from './program.js';
import { type Filter, TicketServer } from './TicketServer.js';

/** More requests, and more notifications of one reader, than any program needs. */
const LIMIT = 500;

const FILTERS: readonly Filter[] = [
  { status: 'open' },
  { status: 'done' },
  { tags: 'a' },
  { tags: 'b' },
  {},
  { status: 'open', tags: 'a' },
];

interface Reader {
  readonly kind: Kind;
  readonly args: Filter;
  readonly view: View<unknown>;
  readonly stop: () => void;
}

/** A step that asks for a record, while there is none. */
class Nothing extends Error {}

export class World {
  readonly story: string[] = [];
  readonly #clock = new Clock();
  readonly #server: TicketServer;
  readonly #client: Client;
  readonly #controller: Controller;
  readonly #readers: Reader[] = [];
  /** The calls that are not settled. */
  readonly #calls = new Set<string>();
  readonly #mistakes: string[] = [];
  #count = 0;
  /** The readers that stay mounted. */
  #always = 0;
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
    this.#clock.now = 1_000_000;
    this.#server = new TicketServer(program, (line) => this.story.push(line));
    this.#client = declare(program, this.#server);
    this.#controller = new Controller({
      environment: this.#clock.environment,
      dataExpiryLength: program.expiry,
      sweep: program.owners === 'mounted' && { interval: 300_000, lifetimes: 2 },
    });
  }

  /** Carries the program out; returns each difference. */
  async run(): Promise<string[]> {
    // A relation to a record that the client doesn't know shows its default: the owners are known.
    for (const id of this.#server.owners.keys()) this.#mount('user', { id });
    if (this.#program.isLoaded) this.#mount('list', {});
    await this.#beQuiet();
    if (this.#program.owners === 'loaded')
      for (const { stop } of this.#readers.splice(0, this.#server.owners.size)) stop();
    this.#always = this.#readers.length;
    for (const step of this.#program.steps) {
      this.story.push(JSON.stringify(step));
      try {
        await this.#carryOut(step);
      } catch (error) {
        if (!(error instanceof Nothing)) throw error;
      }
    }
    this.story.push('all is quiet');
    await this.#beQuiet();
    await this.#clock.pass(1);
    await this.#beQuiet();
    const isShared = this.#program.steps.some((step) => step.do.startsWith('others'));
    if (isShared) await this.#refetchAll();
    await this.#recover();
    const differences = this.#differences(this.#readers);
    if (this.#calls.size > 0) differences.push(`not settled: ${[...this.#calls].join(', ')}`);
    differences.push(...this.#clock.reported.map(String), ...this.#mistakes);
    if (differences.length === 0 && !isShared) differences.push(...(await this.#mountAll()));
    this.dispose();
    return differences;
  }

  dispose(): void {
    for (const { stop } of this.#readers) stop();
    this.#controller.dispose();
  }

  async #carryOut(step: Step): Promise<void> {
    const { push, unshift, patch, put, move, vote, flag, flagAll, rename } = this.#client;
    const controller = this.#controller;
    switch (step.do) {
      case 'settle':
        return settle();
      case 'pass':
        return this.#clock.pass(step.milliseconds);
      case 'reset':
        if (this.#program.owners === 'loaded') throw new Nothing();
        // Mutations in flight are forgotten: nothing would fetch again what they change.
        for (const one of this.#server.pending)
          if (one.method !== 'GET') this.#server.carryOut(one, 'full', false);
        return controller.resetEntireStore();
      case 'carry out':
      case 'answer': {
        // Without a body to parse, a 204 would overtake a response that arrived in the same task.
        if (this.#program.runs === 'as answered') await settle();
        const request = choose(this.#server.pending, step.pick);
        if (step.do === 'answer' || this.#server.runsEarly(request))
          this.#server.carryOut(request, step.style, step.fails);
        if (step.do === 'answer') this.#server.deliver(request);
        // Only from now on, the client knows the id of a created record.
        return request.created === undefined ? undefined : settle();
      }
      case 'unmount': {
        const reader = choose(this.#readers.slice(this.#always), step.pick);
        reader.stop();
        this.#readers.splice(this.#readers.indexOf(reader), 1);
        return;
      }
      case 'refetch':
        return this.#track('refetch', choose(this.#readers, step.pick).view.refetch());
      case 'create':
        if (this.#program.owners === 'loaded') throw new Nothing();
        return this.#track(
          'create',
          controller.fetch(step.at === 'end' ? push : unshift, step.body),
        );
      case 'patch':
      case 'put':
      case 'move': {
        const endpoint = { patch, put, move }[step.do];
        // An owner who must be fetched again would become visible: see the README.
        const { owner: _, ...rest } = step.body;
        const body = this.#program.owners === 'loaded' ? rest : step.body;
        return this.#track(step.do, controller.fetch(endpoint, this.#known(step.pick), body));
      }
      case 'vote':
      case 'flag':
      case 'delete': {
        const endpoint = { vote, flag, delete: this.#client.delete }[step.do];
        return this.#track(step.do, controller.fetch(endpoint, this.#known(step.pick)));
      }
      case 'flag all':
        return this.#track('flag all', controller.fetch(flagAll, choose(FILTERS, step.pick)));
      case 'comment': {
        const { text } = step;
        const call = controller.fetch(this.#client.comment, this.#commented(step.pick), { text });
        return this.#track('comment', call);
      }
      case 'delete comment': {
        const { id, ticket } = choose(this.#server.knownComments(), step.pick);
        const call = controller.fetch(this.#client.deleteComment, { ticket, id });
        return this.#track('delete comment', call);
      }
      case 'told create':
        return controller.setResponse(push, {}, {}, this.#server.tell(undefined, step.body));
      case 'told move': {
        const known = this.#known(step.pick);
        return controller.setResponse(move, known, {}, this.#server.tell(known.id, step.body));
      }
      case 'others create':
        return this.#server.write(undefined, step.body);
      case 'others change':
        return this.#server.write(this.#known(step.pick).id, step.body);
      case 'others delete':
        return this.#server.write(this.#known(step.pick).id, undefined);
      case 'praise': {
        const call = controller.fetch(this.#client.praise, this.#owner(step.pick));
        return this.#track('praise', call);
      }
      case 'rename': {
        const { name } = step;
        return this.#track('rename', controller.fetch(rename, this.#owner(step.pick), { name }));
      }
      default:
        return this.#ask(step);
    }
  }

  #ask(step: Extract<Step, { kind: Kind }>): void {
    const controller = this.#controller;
    const endpoint = this.#endpointOf(step.kind);
    if (step.do === 'invalidateAll')
      return this.#track(step.do, controller.invalidateAll(endpoint));
    if (step.do === 'expireAll') return controller.expireAll(endpoint);
    const args = this.#argsOf(step.kind, step.pick);
    if (step.do === 'mount') return this.#mount(step.kind, args);
    if (step.do === 'expire') {
      const target = step.kind === 'list' ? { endpoint } : { entity: Ticket, pk: args['id'] ?? '' };
      return this.#track(step.do, Promise.resolve(expireWhere(controller, target)));
    }
    if (step.do === 'fetch') return this.#track(step.do, controller.fetch(endpoint, args));
    if (step.do === 'fetchIfStale')
      return this.#track(step.do, controller.fetchIfStale(endpoint, args));
    return this.#track(step.do, controller.invalidate(endpoint, args));
  }

  #endpointOf(kind: Kind): ReadEndpoint {
    const { lists, ticket, user, comments } = this.#client;
    return { list: lists, ticket, user, comments }[kind];
  }

  #argsOf(kind: Kind, pick: number): Filter {
    if (kind === 'list') return choose(FILTERS, pick);
    if (kind === 'comments') return this.#commented(pick);
    return kind === 'ticket' ? this.#known(pick) : this.#owner(pick);
  }

  /** The arguments of a list of comments. */
  #commented(pick: number): { ticket: string } {
    if (!this.#program.hasComments) throw new Nothing();
    return { ticket: this.#known(pick).id };
  }

  #owner(pick: number): { id: string } {
    return { id: choose(['u1', 'u2'], pick) };
  }

  #known(pick: number): { id: string } {
    return { id: choose(this.#server.knownIds(), pick) };
  }

  /** A reader that always shows its data, as a mounted component does. */
  #mount(kind: Kind, args: Filter): void {
    const view: View<unknown> = this.#controller.observe(this.#endpointOf(kind), args);
    let notified = 0;
    const update = (isMounted: boolean): void => {
      if (view.needsLoad(isMounted)) this.#track(`load ${view.key}`, view.load());
      view.getSnapshot();
      if ((notified += 1) > LIMIT) throw new Error(`${view.key} is notified without end`);
    };
    const stop = view.subscribe(() => update(true));
    update(false);
    this.#readers.push({ kind, args, view, stop });
  }

  #track(name: string, promise: PromiseLike<unknown>): void {
    const call = `${name} (${(this.#count += 1)})`;
    this.#calls.add(call);
    const end = (): boolean => this.#calls.delete(call);
    promise.then(end, (error: unknown) => {
      end();
      const { name: kind, status = 0, code } = Object(error);
      if (kind !== 'AbortError' && status < 400)
        this.#mistakes.push(`${call}: ${code} ${String(error)}`);
    });
  }

  /** Answers all requests until there is none. */
  async #beQuiet(): Promise<void> {
    const { style, picks } = this.#program.last;
    const { pending } = this.#server;
    const limit = this.#server.sent + LIMIT;
    await settle();
    for (let turn = 0; pending.length > 0; turn += 1) {
      if (this.#server.sent > limit) throw new Error('requests without end');
      const request = choose(pending, picks[turn % picks.length] ?? 0);
      this.#server.carryOut(request, style, false);
      this.#server.deliver(request);
      await settle();
      await settle();
    }
  }

  /** Only a later response can contain the changes of others. */
  async #refetchAll(): Promise<void> {
    for (const { view } of this.#readers) this.#track(`refetch ${view.key}`, view.refetch());
    await this.#beQuiet();
  }

  /** Readers with an error ask again, as their users would. */
  async #recover(): Promise<void> {
    for (const { view } of this.#readers) {
      const snapshot = view.getSnapshot();
      if (!('error' in snapshot) || Object(snapshot.error).status === 404) continue;
      this.story.push(`recovers ${view.key}`);
      this.#track('recover', view.refetch());
      await this.#beQuiet();
    }
  }

  /** Readers of all there is, after a while. */
  async #mountAll(): Promise<string[]> {
    this.story.push('readers of all there is');
    await this.#clock.pass(2_000);
    await this.#beQuiet();
    const first = this.#readers.length;
    const tickets = [...this.#server.tickets.keys()];
    const args: Record<Kind, readonly Filter[]> = {
      list: FILTERS,
      ticket: tickets.map((id) => ({ id })),
      comments: this.#program.hasComments ? tickets.map((ticket) => ({ ticket })) : [],
      user: Array.from(this.#server.owners.keys(), (id) => ({ id })),
    };
    const { first: begins } = this.#program.last;
    for (const kind of new Set<Kind>([begins, 'list', 'ticket', 'comments', 'user'])) {
      for (const one of args[kind]) this.#mount(kind, one);
      await this.#beQuiet();
      // The responses to later readers would hide a difference.
      const differences = this.#differences(this.#readers.slice(first));
      if (differences.length > 0) return differences;
    }
    return [];
  }

  #differences(readers: readonly Reader[]): string[] {
    return readers.flatMap((reader) => {
      const { kind, args, view } = reader;
      const snapshot = view.getSnapshot();
      const data = snapshot.status === 'ready' ? snapshot.data : undefined;
      const actual = data === undefined ? snapshot.status : textOf(data);
      const server = this.#server;
      const { id = '', ticket = '' } = args;
      // The comments of a deleted ticket may stay.
      if (kind === 'comments' && !server.tickets.has(ticket)) return [];
      const expected = {
        list: () => server.list(args),
        user: () => server.owners.get(id),
        ticket: () => server.ticket(id),
        comments: () => server.comments(ticket),
      }[kind]();
      const isGone = expected === undefined;
      if (isGone ? actual === 'error' || Object(snapshot).deleted : actual === textOf(expected))
        return [];
      const wanted = isGone ? 'no such record' : textOf(expected);
      return [`${view.key}\n    server: ${wanted}\n    client: ${actual}`];
    });
  }
}

/** Rows are in the order of their ids: where a client shows a created row is its own choice. */
function textOf(value: unknown): string {
  const sorted = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map((item) => JSON.stringify(sorted(item))).sort();
    if (typeof one !== 'object' || one === null) return one;
    const fields: [string, unknown][] = Object.entries(one);
    return fields.map(([field, own]) => ({ [field]: sorted(own) })).sort(byName);
  };
  return JSON.stringify(sorted(value)).replaceAll('\\', '');
}

const byName = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function choose<T>(from: readonly T[], pick: number): T {
  const chosen = from.at(pick % from.length);
  if (chosen === undefined) throw new Nothing();
  return chosen;
}
