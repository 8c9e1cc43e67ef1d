/** Steps about results other than responses: time passes, results are outdated, and stale ones are fetched. */
import { expectedFetch } from './asked.js';
import { Disagreement, keyOf, type Checker } from './checker.js';
import type { Model } from './model.js';
import { readFor, type Program, type Request, type Upkeep, type ViewName } from './program.js';
import { ERROR_LIFETIME } from './results.js';
import type { World } from './world.js';

/** The parts of a run that this needs. */
export interface UpkeepHost {
  readonly program: Program;
  readonly model: Model;
  readonly world: World;
  readonly checker: Checker;
  /** What is in flight, as the program picks it. */
  readonly flights: { readonly id: number; readonly request: Request }[];
  /** Requests that the controller sent in the place of others during this step, as text. */
  readonly renewed: ReadonlySet<string>;
  readonly begin: (request: Request) => number;
}

/** Milliseconds: not so long that a request under way would count as stalled. */
const LONGEST_WAIT = 100_000;

export class Upkeeper {
  readonly #host: UpkeepHost;
  #waited = 0;

  constructor(host: UpkeepHost) {
    this.#host = host;
  }

  /** Whether something may be past its lifetime: errors are the first. */
  get isSomethingOld(): boolean {
    return this.#waited >= ERROR_LIFETIME;
  }

  async keepUp(command: Upkeep): Promise<void> {
    const { model, world, flights } = this.#host;
    switch (command.type) {
      case 'invalidate': {
        const question = JSON.stringify(readFor(command.view));
        this.#outdate(
          (request) => JSON.stringify(request) === question,
          () => {
            model.invalidate(command.view);
            world.invalidate(command.view);
          },
        );
        break;
      }
      case 'invalidateAll':
      case 'expireAll': {
        const how = command.type === 'expireAll' ? 'expire' : 'invalidate';
        this.#outdate(
          ({ type }) => type === command.of,
          () => {
            model.outdateAll(how, command.of);
            world.outdateAll(how, command.of);
          },
        );
        break;
      }
      case 'fetchIfStale':
        await this.#fetchIfStale(command.view);
        break;
      case 'setError':
        model.setError(command.view);
        world.setError(command.view);
        break;
      case 'wait':
        if (this.#waited + command.milliseconds > LONGEST_WAIT) break;
        this.#waited += command.milliseconds;
        model.wait(command.milliseconds);
        world.wait(command.milliseconds);
        break;
      case 'stall':
        this.#waited += command.milliseconds;
        model.stall(command.milliseconds);
        world.stall(command.milliseconds);
        break;
      case 'reset':
        model.reset();
        flights.length = 0;
        await world.reset();
        break;
    }
  }

  /** What is in flight for a question that is outdated is asked again at once: it does not count any more. */
  #outdate(concerns: (request: Request) => boolean, outdate: () => void): void {
    const { flights, model, renewed } = this.#host;
    const awaited = flights
      .map(({ request }) => request)
      .filter((request) => concerns(request) && model.awaited(request).length > 0);
    outdate();
    for (const request of awaited) {
      if (!renewed.has(JSON.stringify(request)))
        throw new Disagreement(`not asked again: ${JSON.stringify(request)}`);
    }
  }

  async #fetchIfStale(view: ViewName): Promise<void> {
    const { model, world, checker, program, begin } = this.#host;
    if (checker.mayHaveForgotten(view)) return;
    const visible = model.visible();
    const request = readFor(view);
    const key = keyOf(view);
    const hasData =
      view.of === 'list' ? visible.lists.get(view.list) !== undefined : visible.rows.has(key);
    const asked = visible.asked(request);
    const sends = expectedFetch(asked, hasData);
    if (sends === undefined) return;
    if (!sends) {
      const outcome = await world.fetchFresh(view);
      if (!('value' in outcome)) throw outcome.error;
      if (program.lookAlways) checker.checkOutcome(visible, key, outcome.value);
    } else if (model.joins(request)) void world.fetchIfStale(view, undefined);
    else void world.fetchIfStale(view, begin(request));
  }
}
