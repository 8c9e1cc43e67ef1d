import type { EndpointInterface } from '../index.js';
import { cancel, Returns } from './cancelling.js';
import type { Root } from './root.js';
import { isServer } from './server.js';

/** Milliseconds within which React retries a render after its promise has settled. */
const PATIENCE = 100;

interface Load {
  readonly abort: AbortController;
  /** The number of the task in which a render last requested the key. */
  job: number;
  /** The thrown promise. Settles with the request, or earlier if readers must be checked. */
  wait: Promise<unknown> | undefined;
  wake: () => void;
  /** The check during which a reader must render again to keep the request. */
  round: object | undefined;
}

/**
 * The first loads below a `Suspense` without an `AsyncBoundary`. React keeps no state of a reader
 * that never mounted, so the reader cannot withdraw its own request.
 *
 * When a new key is requested, the thrown promises of earlier keys settle, and React renders their
 * readers again. A request that no reader repeats during this check is withdrawn.
 *
 * ```text
 * search g, then gr: g's promise settles, only gr is read again     ──▶ g is withdrawn
 * a list gets one more row: the other promises settle, all are read ──▶ all requests stay
 * ```
 */
export class BareLoads {
  readonly #loads = new Map<string, Load>();
  readonly #returns = new Returns();
  #job = 0;
  #isInJob = false;
  #isPlanned = false;

  /** Records a key that a render requests before it throws. */
  ask(key: string): AbortSignal {
    this.#note();
    const known = this.#loads.get(key);
    const load = known ?? {
      abort: new AbortController(),
      job: 0,
      wait: undefined,
      wake: () => {},
      round: undefined,
    };
    load.job = this.#job;
    load.round = undefined;
    if (!known) {
      if (this.#loads.size === 0) this.#returns.clear();
      this.#loads.set(key, load);
      this.#returns.ask(key);
      this.#plan();
    }
    return load.abort.signal;
  }

  /** Returns the promise to throw instead of the promise of a request. */
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

  /** Counts tasks. Keys that are requested in the same task belong together. */
  #note(): void {
    if (this.#isInJob) return;
    this.#isInJob = true;
    this.#job += 1;
    queueMicrotask(() => {
      this.#isInJob = false;
    });
  }

  /** Makes React render the readers of earlier keys again, after the running render. */
  #plan(): void {
    if (this.#isPlanned || this.#loads.size < 2 || this.#returns.areTooMany) return;
    this.#isPlanned = true;
    setTimeout(() => {
      this.#isPlanned = false;
      const round = {};
      for (const load of this.#loads.values()) {
        if (load.job === this.#job) continue;
        load.round = round;
        load.wait = undefined;
        load.wake();
      }
      setTimeout(() => this.#withdraw(round), PATIENCE);
    });
  }

  #withdraw(round: object): void {
    for (const [key, load] of this.#loads) {
      if (load.round !== round) continue;
      this.#loads.delete(key);
      this.#returns.withdraw(key);
      cancel(load.abort);
    }
  }
}

const known = new WeakMap<Root, WeakMap<EndpointInterface, BareLoads>>();

/** Returns undefined on a server, because a server does not cancel requests. */
export function bareLoadsOf(root: Root, endpoint: EndpointInterface): BareLoads | undefined {
  if (isServer) return undefined;
  const ofRoot = known.get(root) ?? new WeakMap<EndpointInterface, BareLoads>();
  known.set(root, ofRoot);
  const loads = ofRoot.get(endpoint) ?? new BareLoads();
  ofRoot.set(endpoint, loads);
  return loads;
}
