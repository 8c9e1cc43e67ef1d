/** The controller, the server and the readers of one run, and what is checked after each step. */
import { Controller } from 'restitch';
import { Declarations } from './declarations.js';
import { Fault } from './fault.js';
import { settled, type Flight } from './flights.js';
import { Freshness, LIFETIME } from './freshness.js';
import { LIBRARY, type Kit } from './kit.js';
import { Oracle } from './oracle.js';
import type { Program } from './program.js';
import type { ListRead, Mutation, Question } from './questions.js';
import type { Reader } from './reader.js';
import type { Span } from './said.js';
import { Server } from './server.js';

/** A mutation under way. */
export interface Started {
  readonly mutation: Mutation;
  readonly id: string;
  readonly body: Readonly<Record<string, string>>;
  outcome: Outcome | undefined;
}

/** What the caller of `controller.fetch` got. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A request for a further page. */
export interface PageRequest {
  readonly read: ListRead;
  readonly key: string;
  readonly behind: string;
}

export class World {
  readonly kit: Kit;
  readonly server: Server;
  readonly oracle: Oracle = new Oracle();
  readonly declared: Declarations;
  readonly controller: Controller;
  readonly readers: Reader[] = [];
  readonly started = new Map<Flight, Started>();
  readonly pages = new Map<string, PageRequest>();
  /** What was asked when the user signed out: it waits for the next one. */
  paused: ReadonlySet<string> | undefined;
  /** The tick of the last response to a mutation. */
  mutatedAt = 0;
  /** Requests that were under way for a minute. */
  readonly #aged = new WeakSet<Flight>();
  readonly #lines: string[] = [];
  #now = 1_000_000;
  readonly freshness = new Freshness(this.#now);
  #isVisible = true;
  #isOnline = true;
  #wake: (() => void) | undefined;
  #idle: (() => void) | undefined;
  #reported: string | undefined;
  #fault: Fault | undefined;

  constructor(program: Program, kit: Kit = LIBRARY) {
    this.kit = kit;
    this.server = new Server(program.spaces);
    this.declared = new Declarations(program, this.server.flights, kit);
    this.controller = new Controller({
      dataExpiryLength: LIFETIME,
      managers: kit.managers(),
      environment: {
        now: () => this.#now,
        whenIdle: (callback) => {
          this.#idle = callback;
          return () => (this.#idle = undefined);
        },
        isVisible: () => this.#isVisible,
        isOnline: () => this.#isOnline,
        watch: (listener) => {
          this.#wake = listener;
          return () => {};
        },
        setTimeout: () => undefined,
        clearTimeout: () => {},
        report: (error) => (this.#reported = String(error)),
      },
    });
  }

  note(line: string): void {
    this.#lines.push(line);
  }

  get story(): string {
    return this.#lines
      .map((line, index) => `  ${String(index + 1).padStart(2)}. ${line}`)
      .join('\n');
  }

  wait(isLong: boolean): void {
    if (isLong && !this.#age()) return;
    this.#now += isLong ? LIFETIME + 1 : 1000;
    this.note(isLong ? 'a minute passes' : 'a second passes');
    if (isLong) this.freshness.isUntouched = false;
  }

  /** The page is seen again: readers ask for what is too old, and for nothing else. */
  async wake(isReconnect: boolean): Promise<void> {
    const { flights } = this.server;
    const before = flights.pending.length;
    this.note(
      isReconnect ? 'the network fails, and is back' : 'the page is hidden, and seen again',
    );
    for (const isThere of [false, true]) {
      if (isReconnect) this.#isOnline = isThere;
      else this.#isVisible = isThere;
      this.#wake?.();
    }
    await settled();
    if (this.isOld()) this.freshness.demand(() => true);
    else if (this.freshness.isUntouched && flights.pending.length > before)
      throw new Fault('asks-fresh', 'readers of fresh data ask again');
  }

  isOld(): boolean {
    return this.freshness.isOld(this.#now);
  }

  heard(): void {
    this.freshness.heard(this.#now);
  }

  /** Everything without readers grows old and is forgotten. */
  sweep(): void {
    if (this.#hasAged()) return;
    this.note('garbage collection without readers');
    const before = this.#now;
    this.#now += LIFETIME * 1.5;
    for (let slice = 0; slice < 5 && this.#idle; slice++) {
      const run = this.#idle;
      this.#idle = undefined;
      run();
    }
    this.#now = before;
  }

  /** Requests live through a minute at most: what stalled ones still say is the order model's subject. */
  #age(): boolean {
    if (this.#hasAged()) return false;
    for (const flight of this.server.flights.pending) this.#aged.add(flight);
    return true;
  }

  #hasAged(): boolean {
    return this.server.flights.pending.some((flight) => this.#aged.has(flight));
  }

  /** The first question that a request is of. */
  questionOf({ wire, variant }: Flight): Question | undefined {
    return this.declared.questions.find((own) => own.wire === wire && own.variant === variant);
  }

  /** The span of a local write. */
  now(): Span {
    const { flights } = this.server;
    const tick = ++flights.tick;
    return { start: tick, end: tick, isClean: this.started.size === 0 };
  }

  /** Takes what the caller of `controller.fetch` got, to be checked with the readers. */
  fetched(question: Question, outcome: Outcome): void {
    try {
      this.naming(question, () => {
        if ('value' in outcome) this.#checkFetched(question, outcome.value);
        else if (this.oracle.askedOf(question).failures === 0)
          throw new Fault('refused', `rejects: ${String(outcome.error)}`);
      });
    } catch (error) {
      // The cast: `naming` throws nothing else.
      this.#fault ??= error as Fault;
    }
  }

  #checkFetched(question: Question, value: unknown): void {
    const { reads } = question;
    const trait = reads.type === 'value' ? 'plain' : reads.cls.spec.trait;
    // It is being deleted.
    if (value === undefined && this.oracle.isLeaving(question)) return;
    // The class made nothing of it.
    if (value === undefined && trait === 'vanishing') return;
    // What a response says is given to its caller also where the row was deleted meanwhile.
    if (reads.type === 'record' && this.oracle.said.row(reads.cls.table, reads.id).isDeleted)
      return;
    // What is fetched is what the store then shows: a class that keeps older rows shows those.
    this.oracle.checkData(question, value, trait !== 'stubborn');
  }

  /** Checks what every reader shows. */
  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#reported !== undefined) {
      throw new Fault('reported', `the store reported: ${this.#reported}`);
    }
    const { flights } = this.server;
    if (flights.isWithoutEnd) throw new Fault('endless', 'one step sends requests without end');
    for (const reader of this.readers) {
      const { question, current } = reader;
      if (reader.showsDeleted) continue;
      const isWaiting = flights.has(question.wire, question.variant);
      this.naming(question, () => {
        const isPaused = this.paused?.has(`${question.wire}|${question.variant}`);
        if (isPaused && current.status === 'pending') return;
        this.oracle.check(question, current, isWaiting);
        if (isWaiting || current.status !== 'ready') return;
        if (this.freshness.mustAsk(question, current.data))
          throw new Fault('not-asked', 'shows what is outdated, and does not ask for it');
      });
    }
  }

  /** Looks at every question, asked or not, as `useCache` does. */
  lookAtAll(): void {
    this.note('every question is looked at');
    for (const question of this.declared.questions) {
      this.naming(question, () => {
        const data: unknown = this.controller.getResponse(question.endpoint, ...question.args);
        if (data !== undefined) this.oracle.checkData(question, data, false);
        this.oracle.checkLookup(question, (schema, args) => this.controller.get(schema, args));
      });
    }
  }

  /** Runs something about a question, at its tenant; what it throws then names that one. */
  naming<T>({ label, tenant }: Pick<Question, 'label' | 'tenant'>, run: () => T): T {
    this.declared.enter(tenant);
    try {
      return run();
    } catch (error) {
      const code = error instanceof Fault ? error.code : 'threw';
      const reason = error instanceof Error ? error.message : String(error);
      throw new Fault(code, `${label} ${reason}`, { cause: error });
    }
  }

  dispose(): void {
    for (const reader of this.readers) reader.leave();
    this.controller.dispose();
  }
}
