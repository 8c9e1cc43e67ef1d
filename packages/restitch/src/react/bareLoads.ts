import type { EndpointInterface } from '../index.js';
import { cancel, Returns } from './cancelling.js';
import type { Root } from './root.js';
import { isServer } from './server.js';

/** Milliseconds within which React retries a render after its promise has settled. */
const PATIENCE = 100;

interface Load {
  readonly abort: AbortController;
  /** The task in which a render last requested the key. */
  task: number;
  /** The thrown promise. It settles with the request, or earlier to make React render again. */
  wait: Promise<unknown> | undefined;
  wake: () => void;
  /** A check sets this mark, and `ask` removes it. The check then cancels loads with the mark. */
  check: object | undefined;
}

/**
 * Cancels the requests of `useCancelling` readers that never mounted, if they have no
 * `AsyncBoundary`. React keeps no state of such a reader, so the reader cannot cancel its request.
 *
 * A new key starts a check: the thrown promises of earlier keys settle, so React renders their
 * readers again. If no reader requests a key again, the request for the key is canceled.
 *
 * ```text
 * search g, then gr: g's promise settles, only gr is read again     ──▶ g is canceled
 * a list gets one more row: the other promises settle, all are read ──▶ all requests stay
 * ```
 */
export class BareLoads {
  readonly #loads = new Map<string, Load>();
  readonly #returns = new Returns();
  #task = 0;
  #isInTask = false;
  #isPlanned = false;

  /** Called in render, before the reader throws. */
  ask(key: string): AbortSignal {
    this.#countTask();
    const known = this.#loads.get(key);
    const load = known ?? {
      abort: new AbortController(),
      task: 0,
      wait: undefined,
      wake: () => {},
      check: undefined,
    };
    load.task = this.#task;
    load.check = undefined;
    if (!known) {
      if (this.#loads.size === 0) this.#returns.clear();
      this.#loads.set(key, load);
      this.#returns.ask(key);
      this.#planCheck();
    }
    return load.abort.signal;
  }

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

  /** A check skips the keys of the newest task, because a render has just requested them. */
  #countTask(): void {
    if (this.#isInTask) return;
    this.#isInTask = true;
    this.#task += 1;
    queueMicrotask(() => {
      this.#isInTask = false;
    });
  }

  #planCheck(): void {
    if (this.#isPlanned || this.#loads.size < 2 || this.#returns.areTooMany) return;
    this.#isPlanned = true;
    setTimeout(() => {
      this.#isPlanned = false;
      const check = {};
      for (const load of this.#loads.values()) {
        if (load.task === this.#task) continue;
        load.check = check;
        load.wait = undefined;
        load.wake();
      }
      setTimeout(() => this.#withdraw(check), PATIENCE);
    });
  }

  #withdraw(check: object): void {
    for (const [key, load] of this.#loads) {
      if (load.check !== check) continue;
      this.#loads.delete(key);
      this.#returns.withdraw(key);
      cancel(load.abort);
    }
  }
}

const known = new WeakMap<Root, WeakMap<EndpointInterface, BareLoads>>();

/** A server does not cancel requests. */
export function bareLoadsOf(root: Root, endpoint: EndpointInterface): BareLoads | undefined {
  if (isServer) return undefined;
  const ofRoot = known.get(root) ?? new WeakMap<EndpointInterface, BareLoads>();
  known.set(root, ofRoot);
  const loads = ofRoot.get(endpoint) ?? new BareLoads();
  ofRoot.set(endpoint, loads);
  return loads;
}
