import type { EndpointInterface } from '../index.js';
import { cancel, Returns } from './cancelling.js';
import type { Root } from './root.js';
import { isServer } from './server.js';

/** Milliseconds within which React renders again what it was told to try again. */
const PATIENCE = 100;

interface Load {
  readonly abort: AbortController;
  /** The job in which a render last asked for it. */
  job: number;
  /** What readers throw: settles with the request, or earlier to find out whether they still ask. */
  wait: Promise<unknown> | undefined;
  wake: () => void;
  /** Set while it is open whether a reader still asks: by which round of doubt. */
  doubt: object | undefined;
}

/**
 * First loads below a bare `Suspense`: nothing there remembers what a reader asked for that was never mounted. When another
 * question is asked, those who wait for an earlier one are woken: React renders them again, and what none of them asks for
 * any more is withdrawn.
 *
 * ```text
 *  a transition asks for g ──▶ another for gr ──▶ g is woken ──▶ gr is asked again, g is not: g is withdrawn
 *  a list asks for its rows, another for one more ──▶ the rows are woken ──▶ they ask again, and stay
 * ```
 */
export class BareLoads {
  readonly #loads = new Map<string, Load>();
  readonly #returns = new Returns();
  #job = 0;
  #isInJob = false;
  #isPlanned = false;

  /** A render asks for a question and is going to throw. */
  ask(key: string): AbortSignal {
    this.#note();
    const known = this.#loads.get(key);
    const load = known ?? {
      abort: new AbortController(),
      job: 0,
      wait: undefined,
      wake: () => {},
      doubt: undefined,
    };
    load.job = this.#job;
    load.doubt = undefined;
    if (!known) {
      if (this.#loads.size === 0) this.#returns.clear();
      this.#loads.set(key, load);
      this.#returns.ask(key);
      this.#plan();
    }
    return load.abort.signal;
  }

  /** What to throw in place of the promise of a request. */
  wait(key: string, request: Promise<unknown>): Promise<unknown> {
    const load = this.#loads.get(key);
    if (!load) return request;
    load.wait ??= new Promise<void>((resolve) => {
      load.wake = resolve;
      const end = (): void => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
        resolve();
      };
      request.then(end, end);
    });
    return load.wait;
  }

  /** Notes which renders run in one job: what they ask for is asked together. */
  #note(): void {
    if (this.#isInJob) return;
    this.#isInJob = true;
    this.#job += 1;
    queueMicrotask(() => {
      this.#isInJob = false;
    });
  }

  /** Wakes, after the running render, those who wait for what was asked before. */
  #plan(): void {
    if (this.#isPlanned || this.#loads.size < 2 || this.#returns.areTooMany) return;
    this.#isPlanned = true;
    setTimeout(() => {
      this.#isPlanned = false;
      const doubt = {};
      for (const load of this.#loads.values()) {
        if (load.job === this.#job) continue;
        load.doubt = doubt;
        load.wait = undefined;
        load.wake();
      }
      setTimeout(() => this.#withdraw(doubt), PATIENCE);
    });
  }

  #withdraw(doubt: object): void {
    for (const [key, load] of this.#loads) {
      if (load.doubt !== doubt) continue;
      this.#loads.delete(key);
      this.#returns.withdraw(key);
      cancel(load.abort);
    }
  }
}

const known = new WeakMap<Root, WeakMap<EndpointInterface, BareLoads>>();

/** The first loads of an endpoint in one tree; on a server, where each render asks once, there are none. */
export function bareLoadsOf(root: Root, endpoint: EndpointInterface): BareLoads | undefined {
  if (isServer) return undefined;
  const ofRoot = known.get(root) ?? new WeakMap<EndpointInterface, BareLoads>();
  known.set(root, ofRoot);
  const loads = ofRoot.get(endpoint) ?? new BareLoads();
  ofRoot.set(endpoint, loads);
  return loads;
}
