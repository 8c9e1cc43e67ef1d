/** The library's side of a run: carries commands out on a real controller whose requests are settled by hand. */
import { All, Controller, Endpoint, type StoreState, type View } from 'restitch';
import { getState, hydrate, openStream, type StateStream } from 'restitch/state';
import { Unrelated, User, type Issue } from './entities.js';
import type { Merging } from './merges.js';
import {
  responseFor,
  makeLibrary,
  SOFT,
  requestOptions,
  type AnyEndpoint,
  type AnyRead,
  type Args,
  type Library,
} from './library.js';
import {
  isFailure,
  ISSUE_IDS,
  LISTS,
  readFor,
  type Ending,
  type IssuePayload,
  type ListName,
  type READS,
  type Request,
  type ViewName,
  type Write,
} from './program.js';
import { LIFETIME } from './results.js';
import { deferred, outcomeOf, soon, type Deferred, type Outcome } from './waiting.js';

interface Flight extends Deferred {
  readonly request: Request;
  /** What `controller.fetch` gave, never rejecting; undefined where a later request of the same key resolves for that caller. */
  outcome: Promise<Outcome> | undefined;
}

export class World {
  readonly controller: Controller;
  readonly library: Library;
  readonly #flights = new Map<number, Flight>();
  /** Reports a request that the controller makes by itself, because it no longer trusts one in flight; returns its number. */
  readonly #onRenewal: (request: Request) => number;
  #next: Deferred | undefined;
  /** The request that is being ended. */
  #settling: Flight | undefined;
  #stream: StateStream | undefined;
  readonly #adopts: boolean;
  /** The temporary keys of creates, by the number of their requests; noted only where the program may point at them. */
  readonly #temporaryPks = new Map<number, string>();
  /** Requests that waited for a row and were sent. */
  readonly #sent = new Set<number>();
  #now = 1_000_000;
  #isSweeping = false;
  #looks = 0;
  /** What the controller does when the host is idle: the next slice of a sweep, or the first of the next. */
  #idle: (() => void) | undefined;

  constructor(
    options: { readonly merging: Merging; readonly adopts: boolean; readonly streams: boolean },
    onRenewal: (request: Request) => number,
  ) {
    this.controller = new Controller({
      dataExpiryLength: LIFETIME,
      environment: {
        // The clock stands still unless a program waits. While sweeping, each look at it ends a slice, but no lifetime passes.
        now: () => this.#now + (this.#isSweeping ? (this.#looks = (this.#looks + 10) % 40) : 0),
        whenIdle: (callback) => {
          this.#idle = callback;
          return () => (this.#idle = undefined);
        },
        report: (error) => {
          throw new Error('the store reported an error', { cause: error });
        },
      },
    });
    if (options.streams) this.#stream = openStream(this.controller);
    this.library = makeLibrary(options.merging, (request) => this.#serve(request));
    this.#onRenewal = onRenewal;
    this.#adopts = options.adopts;
  }

  /** Starts the request; `id` is its number in the run. */
  begin(request: Request, id: number): void {
    const next = deferred();
    this.#next = next;
    const args = argsOf(request);
    const outcome = outcomeOf(this.controller.fetch(this.#endpointOf(request, id), ...args));
    if (this.#next !== undefined)
      throw new Error('controller.fetch did not start its request at once');
    this.#flights.set(id, { request, ...next, outcome });
    if (this.#adopts && request.type === 'create' && request.optimistic === 'temporary')
      this.#noteTemporaryPk(id);
  }

  /** Asks for a request that waits for the row of a create. */
  ask(request: Request & { readonly of: number }, id: number): void {
    const next = deferred();
    const send = (): Promise<unknown> => {
      this.#sent.add(id);
      return next.promise;
    };
    const endpoint = new Endpoint<(args: Args[0]) => Promise<unknown>>(
      send,
      requestOptions(this.library, request, id, (create) => this.#temporaryPk(create)),
    );
    const args = { id: this.#temporaryPk(request.of) };
    this.#flights.set(id, {
      request,
      ...next,
      outcome: outcomeOf(this.controller.fetch(endpoint, args)),
    });
  }

  /** Checks that a request which waited is sent now; or fails, where `request` is undefined. */
  async send(id: number, request: Request | undefined): Promise<void> {
    const flight = this.#flights.get(id);
    if (flight === undefined) throw new Error(`request ${id} is not waiting`);
    if (this.#sent.has(id) !== (request !== undefined))
      throw new Error(`request ${id} is ${request ? 'not ' : ''}sent`);
    if (request !== undefined) this.#flights.set(id, { ...flight, request });
    else {
      this.#flights.delete(id);
      const outcome = await soon(flight.outcome);
      if (outcome === undefined || !('error' in outcome))
        throw new Error('fetch resolved although there is no such row');
    }
  }

  /** Ends the request and waits until the controller has taken it in. Returns what its caller got, if it has one. */
  async settle(id: number, ending: Ending): Promise<Outcome | undefined> {
    const flight = this.#flights.get(id);
    if (flight === undefined) throw new Error(`request ${id} is not in flight`);
    this.#flights.delete(id);
    const fails = isFailure(ending);
    if (ending.how === 'fail') flight.reject(new Error('the server failed'));
    else if (ending.how === 'failSoftly') flight.reject(new Error(SOFT));
    else if (ending.how === 'abort') flight.reject(new DOMException('aborted', 'AbortError'));
    else flight.resolve(responseFor(flight.request, ending));
    this.#settling = flight;
    const outcome = await soon(flight.outcome, () => flight.outcome === undefined);
    this.#settling = undefined;
    if (outcome === undefined) return undefined;
    if (fails && !('error' in outcome))
      throw new Error('fetch resolved although the request failed');
    if (!fails && 'error' in outcome) throw outcome.error;
    return outcome;
  }

  write(write: Write): void {
    const { controller, library } = this;
    switch (write.type) {
      case 'setIssue':
        controller.set(library.Issue, { id: write.value.id }, structuredClone(write.value));
        break;
      case 'setUser':
        controller.set(User, { id: write.value.id }, structuredClone(write.value));
        break;
      case 'bumpIssue':
        controller.set(library.Issue, { id: write.id }, (issue: Partial<Issue> | undefined) => ({
          id: write.id,
          n: (issue?.n ?? 0) + 1,
        }));
        break;
      case 'receiveList':
        controller.setResponse(library.getList, LISTS[write.list], structuredClone(write.rows));
        break;
      case 'receivePage':
        controller.set(library.pages, LISTS[write.list], structuredClone(write.rows));
        break;
    }
  }

  /** `fetchIfStale` of a view's endpoint. Where the model expects a request, `id` is its number; undefined where none may start. */
  fetchIfStale(name: ViewName, id: number | undefined): Promise<Outcome> {
    const request = readFor(name);
    const next = id === undefined ? undefined : deferred();
    this.#next = next;
    const outcome = outcomeOf(
      this.controller.fetchIfStale(this.#ordinary(request), ...argsOf(request)),
    );
    if (this.#next !== undefined) {
      this.#next = undefined;
      throw new Error('fetchIfStale did not start a request');
    }
    if (next !== undefined && id !== undefined)
      this.#flights.set(id, { request, ...next, outcome });
    return outcome;
  }

  /** The outcome of a read from the store. */
  async fetchFresh(name: ViewName): Promise<Outcome> {
    const outcome = await soon(this.fetchIfStale(name, undefined));
    if (outcome === undefined) throw new Error('fetchIfStale waits');
    return outcome;
  }

  invalidate(name: ViewName): void {
    const request = readFor(name);
    void this.controller.invalidate(this.#ordinary(request), ...argsOf(request));
  }

  outdateAll(how: 'invalidate' | 'expire', of: (typeof READS)[number]): void {
    const endpoint = this.#endpointFor(of);
    if (how === 'expire') this.controller.expireAll(endpoint);
    else void this.controller.invalidateAll(endpoint);
  }

  setError(name: ViewName): void {
    const request = readFor(name);
    const error = new Error('set from outside');
    this.controller.setError(this.#ordinary(request), ...argsOf(request), error);
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Requests are looked at when something settles: here a write that concerns nothing else. */
  stall(milliseconds: number): void {
    this.#now += milliseconds;
    this.controller.set(Unrelated, { id: '1' }, { at: this.#now });
  }

  /** Empties the store. Promises that wait reject, and later responses of the server are ignored. */
  async reset(): Promise<void> {
    this.controller.resetEntireStore();
    const flights = [...this.#flights.values()];
    this.#flights.clear();
    for (const { request, resolve, outcome } of flights) {
      resolve(responseFor(request, LATE));
      const notified = await soon(outcome);
      if (notified !== undefined && !('error' in notified))
        throw new Error('fetch resolved although the store was reset');
    }
    await soon(undefined);
  }

  streamPart(list: ListName, rows: readonly IssuePayload[]): void {
    this.#stream?.hydrate(this.#stateWith(list, rows));
  }

  streamEnd(): void {
    this.#stream?.close();
  }

  fillIn(list: ListName, rows: readonly IssuePayload[]): void {
    hydrate(this.controller, this.#stateWith(list, rows));
  }

  /** The exported state of another store that fetched this list, as it arrives here. */
  #stateWith(list: ListName, rows: readonly IssuePayload[]): StoreState {
    const server = new Controller({
      dataExpiryLength: LIFETIME,
      environment: { now: () => this.#now },
    });
    server.setResponse(this.library.getList, LISTS[list], structuredClone(rows));
    const state: unknown = JSON.parse(JSON.stringify(getState(server)));
    server.dispose();
    // The cast: JSON keeps what it holds.
    return state as StoreState;
  }

  batch(writes: readonly Write[]): void {
    this.controller.batch(() => {
      for (const write of writes) this.write(write);
    });
  }

  view(name: ViewName): View<unknown> {
    const { controller, library } = this;
    if (name.of === 'list') {
      const args = LISTS[name.list];
      return name.by === 'query'
        ? controller.observeQuery(library.issues, args)
        : controller.observe(library.getList, args);
    }
    const args = { id: name.id };
    if (name.of === 'issue') {
      return name.by === 'query'
        ? controller.observeQuery(library.Issue, args)
        : controller.observe(library.getIssue, args);
    }
    return name.by === 'query'
      ? controller.observeQuery(User, args)
      : controller.observe(library.getUser, args);
  }

  /** A row by its key as the model writes it; temporary rows cannot be asked for. */
  row(entity: string, id: string): unknown {
    return entity === 'User'
      ? this.controller.get(User, { id })
      : this.controller.get(this.library.Issue, { id });
  }

  /** Every issue there is, temporary ones included. */
  issues(): readonly Issue[] {
    return this.controller.get(new All(this.library.Issue)) ?? [];
  }

  /** An issue with a title. */
  issueCalled(title: string): Issue | undefined {
    return this.controller.get(this.library.Issue, { title });
  }

  /** Marks and evicts data without readers, for so many steps; `late`: when everything is past its lifetime. */
  sweep(steps: number, late: boolean): void {
    const before = this.#now;
    // Not so late that a request under way would count as stalled.
    if (late) this.#now += LIFETIME * 3;
    this.#isSweeping = true;
    for (let step = 0; step < steps && this.#idle; step++) {
      const slice = this.#idle;
      this.#idle = undefined;
      slice();
    }
    this.#isSweeping = false;
    this.#now = before;
  }

  passLifetimes(): void {
    this.#now += 1_000_000_000;
  }

  /** Whether a whole sweep, and the rest of one that had begun, leaves something: with an empty store it is the last. */
  keepsSomething(): boolean {
    for (let slice = 0; slice < 3 && this.#idle; slice++) {
      const run = this.#idle;
      this.#idle = undefined;
      run();
    }
    return this.#idle !== undefined;
  }

  dispose(): void {
    this.controller.dispose();
  }

  #endpointOf(request: Request, id: number): AnyEndpoint {
    if ('shared' in request && request.shared) return this.#ordinary(request);
    return new Endpoint<(args: Args[0]) => Promise<unknown>>(
      () => this.#serve(request),
      requestOptions(this.library, request, id, (create) => this.#temporaryPk(create)),
    );
  }

  /** What a reader of all issues finds as the id of the row that a create, by its number, shows. */
  #temporaryPk(create: number): string {
    const known = this.#temporaryPks.get(create);
    if (known === undefined) throw new Error(`create ${create} shows no row`);
    return known;
  }

  #noteTemporaryPk(create: number): void {
    const known = new Set([...ISSUE_IDS, ...this.#temporaryPks.values()]);
    for (const { id } of this.issues()) {
      if (!known.has(String(id))) this.#temporaryPks.set(create, String(id));
    }
  }

  #ordinary({ type }: Request): AnyRead {
    return this.#endpointFor(type === 'readList' || type === 'readUser' ? type : 'readIssue');
  }

  #endpointFor(of: (typeof READS)[number]): AnyRead {
    const { getIssue, getUser, getList } = this.library;
    return of === 'readList' ? getList : of === 'readUser' ? getUser : getIssue;
  }

  #serve(request: Request): Promise<unknown> {
    const asked = this.#next;
    this.#next = undefined;
    if (asked !== undefined) return asked.promise;
    // Callers of a request that is out of order, or was outdated, wait for the one that is sent in its place: in that of the last one.
    let replaced: Flight | undefined;
    // A page whose place was removed is fetched again for callers that still wait for it.
    const candidates =
      request.type === 'readPage'
        ? this.#settling
          ? [this.#settling]
          : []
        : this.#flights.values();
    for (const flight of candidates) {
      if (JSON.stringify(flight.request) === JSON.stringify(request)) replaced = flight;
    }
    const outcome = replaced?.outcome;
    if (replaced) replaced.outcome = undefined;
    const renewal = deferred();
    this.#flights.set(this.#onRenewal(request), { request, ...renewal, outcome });
    return renewal.promise;
  }
}

/** The arguments of the call, the body of a create included: lists match them. */
function argsOf(request: Request): Args {
  if (request.type === 'create') return [structuredClone(request.body) as Args[0]];
  if ('of' in request && !('id' in request)) throw new Error('it has a row of its own');
  if (request.type === 'readPage')
    return [{ ...LISTS[request.list], ...(request.at !== undefined && { page: request.at }) }];
  return [
    request.type !== 'copyIssue' && 'list' in request ? LISTS[request.list] : { id: request.id },
  ];
}

/** The response of the server to requests whose promises have rejected already. */
const LATE: Ending = {
  how: 'success',
  issue: { title: 'late' },
  user: { name: 'late' },
  rows: [{ id: 1, title: 'late' }],
  id: 1,
  faithful: false,
};
