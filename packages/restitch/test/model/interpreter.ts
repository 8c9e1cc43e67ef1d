/** Runs one program on the model and on the library, comparing after each step. */
import { Checker, Disagreement } from './checker.js';
import type { Counts } from './counts.js';
import { answeredKey, answersNoRow, isNamed } from './responses.js';
import { Follower, type Mistake } from './follower.js';
import { Model } from './model.js';
import {
  isLocal,
  isRequest,
  viewKey,
  type Command,
  type Ending,
  type ListName,
  type Program,
  type Request,
  type ViewName,
  type Write,
} from './program.js';
import { endingOf, writeOf } from './repeats.js';
import { Trace } from './trace.js';
import { Upkeeper } from './upkeep.js';
import { World } from './world.js';

/**
 * Runs the program; throws a `Disagreement` that holds the program in readable lines. `follows`: the changes of the feed are folded and
 * compared, too.
 */
export async function run(
  program: Program,
  follows: boolean | (() => Mistake) = false,
): Promise<Counts> {
  const steps = new Run(program, follows);
  try {
    return await steps.run();
  } catch (error) {
    const reason = error instanceof Disagreement ? error.message : `threw ${String(error)}`;
    throw new Disagreement(`${steps.trace.toString()}\n  ✗ ${reason}`, { cause: error });
  }
}

class Run {
  readonly trace: Trace = new Trace();
  readonly #program: Program;
  readonly #model: Model;
  readonly #world: World;
  readonly #checker: Checker;
  readonly #upkeeper: Upkeeper;
  /** Requests that the controller sent in the place of others during this step, as text. */
  readonly #renewed = new Set<string>();
  /** In how many commits the step came. */
  #commits = 1;
  /** A request without a caller. */
  #unasked: Request | undefined;
  readonly #flights: { readonly id: number; readonly request: Request }[] = [];

  readonly #follower: Follower | undefined;

  constructor(program: Program, follows: boolean | (() => Mistake)) {
    this.#program = program;
    this.#model = new Model(program);
    this.#world = new World(program, (request) => {
      // Only what is in flight is ever asked for again, and a page whose place was gone.
      if (this.#model.awaited(request).length === 0 && request.type !== 'readPage')
        this.#unasked = request;
      const id = this.#model.begin(request);
      this.#renewed.add(JSON.stringify(request));
      this.trace.note(`the controller asks again, as R${id}: ${JSON.stringify(request)}`);
      this.#flights.push({ id, request });
      return id;
    });
    this.#checker = new Checker(this.#world, this.#model.visible());
    if (follows) {
      const isForgetful = program.commands.some(({ type }) => type === 'sweep');
      const mistake = follows === true ? undefined : follows();
      this.#follower = new Follower(this.#world.controller, isForgetful, mistake);
    }
    this.#upkeeper = new Upkeeper({
      program,
      model: this.#model,
      world: this.#world,
      checker: this.#checker,
      flights: this.#flights,
      renewed: this.#renewed,
      begin: (request) => this.#started(request),
    });
  }

  async run(): Promise<Counts> {
    if (this.#program.lookAlways) this.trace.note('everything is looked at after each step');
    if (this.#program.forgetful) this.trace.note('everything is past its lifetime');
    if (this.#program.streams) this.trace.note('a page begins to arrive');
    if (this.#program.merging !== 'plain')
      this.trace.note(`merging of issues: ${this.#program.merging}`);
    for (const command of this.#program.commands) await this.#step(command);
    await this.#finish();
    this.#world.dispose();
    return this.#checker.counts;
  }

  async #step(command: Command): Promise<void> {
    this.#follower?.beforeStep();
    this.#checker.beforeStep();
    this.#renewed.clear();
    this.#commits = 1;
    await this.#carryOut(command);
    if (this.#unasked)
      throw new Disagreement(`asked without a reason: ${JSON.stringify(this.#unasked)}`);
    this.#checker.afterStep(
      this.#model.visible(),
      this.#program.lookAlways || command.type === 'look',
      this.#model.takeDoubt() || command.type === 'expireAll' || command.type === 'reset',
      this.#commits,
    );
    this.#follow(isRequest(command), isLocal(command));
  }

  /** Compares the changes in the feed; those of a local write, and of a batch, at once. */
  #follow(isOptimistic: boolean, isOne: boolean): void {
    const has = (type: Command['type']): boolean =>
      this.#program.commands.some((command) => command.type === type);
    const isHydrated = this.#program.streams || has('fillIn');
    this.#follower?.afterStep(isOne ? 1 : Infinity, isOptimistic && !isHydrated);
    if (!has('sweep')) this.#follower?.comparePending(this.#model.pendingOn);
    // What an optimistic function reads may be unconfirmed; the model runs it again without that.
    const isComplete = this.#flights.length === 0 && !this.#model.isArriving();
    if (isComplete && !has('sweep') && !has('stall'))
      this.#follower?.compareWith(this.#model.visible(true));
  }

  async #carryOut(command: Command): Promise<void> {
    if (isRequest(command)) {
      this.#begin(command);
      return;
    }
    switch (command.type) {
      case 'settle':
        if (this.#flights.length > 0)
          await this.#settle(command.pick % this.#flights.length, command.ending);
        break;
      case 'batch':
        this.#batch(command.writes);
        break;
      case 'subscribe':
        this.trace.note(
          `subscribe to ${viewKey(command.view)}${command.reads ? '' : ', not reading'}`,
        );
        this.#checker.subscribe(command.view, command.reads);
        break;
      case 'unsubscribe':
        if (this.#checker.subscribers > 0) {
          const index = command.pick % this.#checker.subscribers;
          this.trace.note(`unsubscribe number ${index}`);
          this.#checker.unsubscribe(index);
        }
        break;
      case 'sweep':
        this.trace.note(`sweep, ${command.steps} steps`);
        this.#checker.sweep();
        if (this.#program.forgetful || this.#upkeeper.isSomethingOld) this.#checker.forget();
        this.#world.sweep(command.steps, this.#program.forgetful);
        break;
      case 'adopt': {
        const creates = this.#flights.filter(
          ({ request }) => request.type === 'create' && request.optimistic === 'temporary',
        );
        const create = creates[command.pick % creates.length];
        if (create !== undefined)
          this.#begin({ type: 'adoptIssue', id: command.id, of: create.id });
        break;
      }
      case 'edit':
      case 'remove': {
        const creates = this.#flights.filter(
          ({ request }) => request.type === 'create' && request.optimistic === 'temporary',
        );
        const create = creates[command.pick % creates.length];
        if (create !== undefined) this.#edit(command, create.id);
        break;
      }
      case 'streamPart':
        if (this.#model.streamPart(command.list, command.rows)) {
          this.trace.note(JSON.stringify(command));
          this.#world.streamPart(command.list, command.rows);
        }
        break;
      case 'streamEnd':
        this.#endStream();
        break;
      case 'fillIn': {
        const rows = this.#model.fillIn(command.list, command.rows);
        if (rows !== undefined) {
          this.trace.note(JSON.stringify({ ...command, rows }));
          this.#world.fillIn(command.list, rows);
        }
        break;
      }
      case 'look':
        this.trace.note('look at everything');
        break;
      case 'invalidate':
      case 'invalidateAll':
      case 'expireAll':
      case 'fetchIfStale':
      case 'setError':
      case 'wait':
      case 'stall':
      case 'reset':
        this.trace.note(JSON.stringify(command));
        await this.#upkeeper.keepUp(command);
        break;
      default: {
        const write = writeOf(command, this.#model.visible());
        this.trace.write(write);
        this.#model.write(write);
        this.#world.write(write);
      }
    }
  }

  #batch(commands: readonly Write[]): void {
    const writes = commands.map((command) => {
      const write = writeOf(command, this.#model.visible());
      this.#model.write(write);
      return write;
    });
    this.trace.batch(writes);
    this.#world.batch(writes);
  }

  #endStream(): void {
    if (this.#model.streamEnd()) {
      this.trace.note('the page has arrived');
      this.#world.streamEnd();
    }
  }

  #begin(asked: Request): void {
    const request = this.#paged(this.#unjoined(asked));
    this.#world.begin(request, this.#started(request));
  }

  /** A page with the argument that says which. */
  #paged(request: Request): Request {
    if (request.type !== 'readPage') return request;
    const at = request.by === 'offset' ? this.#model.lengthOf(request.list) : SOME_PAGE;
    return at === undefined ? request : { ...request, at };
  }

  /** A request that waits is no flight yet. */
  #edit(command: Command & { type: 'edit' | 'remove' }, of: number): void {
    const request: Request =
      command.type === 'edit'
        ? { type: 'editCreated', of, ...(command.optimistic && { optimistic: command.optimistic }) }
        : { type: 'deleteCreated', of, optimistic: command.optimistic };
    const id = this.#model.begin(request);
    this.trace.begin(id, request);
    this.#world.ask(request, id);
  }

  /** Starts a request in the model; returns its number. */
  #started(request: Request): number {
    const id = this.#model.begin(request);
    this.trace.begin(id, request);
    this.#flights.push({ id, request });
    return id;
  }

  /** Reads of one key share one request; where the ordinary key is in flight, the read gets a key of its own. */
  #unjoined(request: Request): Request {
    if (!('shared' in request) || !request.shared) return request;
    return this.#model.awaited(request).length > 0 ? { ...request, shared: false } : request;
  }

  async #settle(index: number, wanted: Ending): Promise<void> {
    const flight = this.#flights.splice(index, 1)[0];
    if (flight === undefined) return;
    const { id, request } = flight;
    const known = endingOf(request, wanted, this.#model.visible());
    const ending: Ending = this.#model.mayAnswer(id, known) ? known : { ...known, how: 'fail' };
    this.trace.settle(id, request, ending);
    if (isNamed(request, ending)) this.#follower?.expectName(answeredKey(request, ending));
    const waiting = this.#model.settle(id, ending);
    const outcome = await this.#world.settle(id, ending);
    if (request.type === 'readPage' && !this.#checker.mayHaveForgotten(viewOf(request.list))) {
      const isAsked = this.#renewed.has(JSON.stringify(request));
      if (isAsked !== (this.#model.lost(id) === 'again'))
        throw new Disagreement(`the page is ${isAsked ? '' : 'not '}asked for again`);
    }
    // Those that fail do so one by one.
    this.#commits += waiting.size;
    for (const [number, sent] of waiting) {
      await this.#world.send(number, sent);
      if (sent !== undefined) this.#flights.push({ id: number, request: sent });
      this.trace.note(sent ? `M${number} is sent: ${JSON.stringify(sent)}` : `M${number} fails`);
    }
    const isNotified = outcome !== undefined && 'value' in outcome;
    if (!isNotified || !this.#program.lookAlways || [...waiting.values()].includes(undefined))
      return;
    const key = answersNoRow(request, ending) ? undefined : answeredKey(request, ending);
    if (key !== undefined) this.#checker.checkOutcome(this.#model.visible(), key, outcome.value);
  }

  /** Ends what is still in flight, oldest first; then nothing is left but what was confirmed. */
  async #finish(): Promise<void> {
    while (this.#flights.length > 0) {
      const how = this.#flights.length % 2 === 0 ? 'success' : 'fail';
      const ending: Ending = {
        how,
        issue: { title: 'z', status: 'open' },
        user: { name: 'z' },
        rows: [{ id: 1 }, { id: 3 }],
        id: 2,
        faithful: true,
      };
      this.#follower?.beforeStep();
      this.#checker.beforeStep();
      this.#commits = 1;
      this.#renewed.clear();
      await this.#settle(0, ending);
      this.#checker.afterStep(
        this.#model.visible(),
        this.#program.lookAlways,
        this.#model.takeDoubt(),
        this.#commits,
      );
      this.#follow(false, false);
    }
    this.#checker.beforeStep();
    this.#endStream();
    this.trace.note('nothing is in flight');
    this.#checker.afterStep(this.#model.visible(true), true);
    this.#sweepUp();
  }

  /** Without readers, when everything is past its lifetime, nothing is left. */
  #sweepUp(): void {
    this.trace.note('everybody leaves, and everything is past its lifetime');
    while (this.#checker.subscribers > 0) this.#checker.unsubscribe(0);
    this.#world.passLifetimes();
    if (this.#world.keepsSomething()) throw new Disagreement('something is left in the store');
  }
}

/** The number of a page, which no list is as long as. */
const SOME_PAGE = 100;

function viewOf(list: ListName): ViewName {
  return { of: 'list', list, by: 'query' };
}
