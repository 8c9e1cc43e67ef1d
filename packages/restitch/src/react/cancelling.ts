import { startTimer } from '../host/startTimer.js';
import type { EndpointInterface } from '../index.js';
import type { BareLoads } from './bareLoads.js';
import type { FirstLoads } from './firstLoads.js';

/** Milliseconds for which the key of a transition stays awaited after an urgent render. */
const RETRY = 1_000;

/**
 * One component's use of a cache key. When the component reads another key, the request is aborted,
 * unless another caller waits for it.
 */
export class Interest {
  readonly #asking: Asking;
  readonly #key: string;
  #abort: AbortController | undefined;
  holders = 0;
  /** True while a render has requested the key but no reader has mounted. */
  isAwaited = true;

  constructor(asking: Asking, key: string) {
    this.#asking = asking;
    this.#key = key;
  }

  get signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }

  /**
   * React keeps no state of a component that never mounted. So the nearest `AsyncBoundary` keeps
   * the signal, or else `BareLoads` for a reader that `throws`.
   */
  signalInRender(throws: boolean): AbortSignal | undefined {
    const { isMounted, firstLoads, bareLoads } = this.#asking;
    if (isMounted) return this.signal;
    return firstLoads
      ? firstLoads.signal(this.#key)
      : throws
        ? bareLoads?.ask(this.#key)
        : undefined;
  }

  thrownFor(request: Promise<unknown>): Promise<unknown> {
    const { isMounted, bareLoads } = this.#asking;
    return (isMounted ? undefined : bareLoads?.wait(this.#key, request)) ?? request;
  }

  readonly hold = (): (() => void) => {
    this.holders += 1;
    this.isAwaited = false;
    this.#asking.settled(this.#key, this);
    return () => {
      this.holders -= 1;
      this.#asking.review();
    };
  };

  withdraw(): void {
    const abort = this.#abort;
    this.#abort = undefined;
    if (abort) cancel(abort);
  }
}

/**
 * Detects that renders alternate between two keys, for example one on the screen and one in a
 * transition. If each request canceled the other, neither key would ever load.
 */
export class Returns {
  readonly #withdrawn = new Set<string>();
  #count = 0;

  withdraw(key: string): void {
    this.#withdrawn.add(key);
  }

  ask(key: string): void {
    if (this.#withdrawn.has(key)) this.#count += 1;
  }

  /** A user who goes back to earlier keys stays below five returns. */
  get areTooMany(): boolean {
    return this.#count > 4;
  }

  clear(): void {
    this.#withdrawn.clear();
    this.#count = 0;
  }
}

/**
 * Renders may be repeated or dropped, so they only record keys. A key is held while a mounted
 * reader uses it. The newest key is awaited until its reader has mounted. All other keys are
 * withdrawn.
 *
 * ```text
 * a is on the screen                   a is held
 * a transition renders b, then c       c is awaited, b is withdrawn
 * React commits c                      c is held, a is withdrawn
 *
 * a is on the screen                   a is held
 * a transition renders b               b is awaited
 * a key press renders a                b stays awaited for `RETRY`
 * (1) React retries the transition     the request for b continues
 * (2) the transition returns to a      b is withdrawn after `RETRY`
 * ```
 */
export class Asking {
  readonly endpoint: EndpointInterface;
  readonly firstLoads: FirstLoads | undefined;
  readonly bareLoads: BareLoads | undefined;
  isMounted = false;
  readonly #interests = new Map<string, Interest>();
  #latest: Interest | undefined;
  /** Stops the timer that withdraws the key of the transition. */
  #stay: (() => void) | undefined;
  readonly #returns = new Returns();

  constructor(
    endpoint: EndpointInterface,
    firstLoads: FirstLoads | undefined,
    bareLoads: BareLoads | undefined,
  ) {
    this.endpoint = endpoint;
    this.firstLoads = firstLoads;
    this.bareLoads = bareLoads;
  }

  /** `byHand` is true for an explicit request, and false in render. */
  ask(key: string, byHand = false): Interest {
    const interest = this.#interests.get(key) ?? new Interest(this, key);
    this.#interests.set(key, interest);
    if (byHand) this.#returns.clear();
    if (interest.holders === 0) interest.isAwaited = true;
    if (this.#latest === interest) this.#decide();
    else if (interest.holders > 0 && this.#latest?.isAwaited && !byHand) {
      this.#stay ??= startTimer(() => this.#turnTo(key, interest), RETRY);
    } else this.#turnTo(key, interest);
    return interest;
  }

  #turnTo(key: string, interest: Interest): void {
    this.#decide();
    this.#latest = interest;
    this.#returns.ask(key);
    if (this.isMounted) this.review();
  }

  #decide(): void {
    this.#stay?.();
    this.#stay = undefined;
  }

  settled(key: string, interest: Interest): void {
    // A hidden <Activity> may have withdrawn the key, so it is added again.
    this.#interests.set(key, interest);
    this.firstLoads?.release(key);
    this.#returns.clear();
    this.review();
  }

  readonly mount = (): (() => void) => {
    this.isMounted = true;
    return () => {
      this.isMounted = false;
      this.#decide();
      this.review();
    };
  };

  /** Withdraws unused keys in a microtask. By then, Strict Mode has mounted each reader again. */
  review(): void {
    queueMicrotask(() => {
      for (const [key, interest] of this.#interests) {
        const isAwaited = interest === this.#latest && interest.isAwaited;
        const isWanted =
          interest.holders > 0 || (this.isMounted && (isAwaited || this.#returns.areTooMany));
        if (isWanted) continue;
        this.#interests.delete(key);
        this.#returns.withdraw(key);
        interest.withdraw();
      }
    });
  }
}

interface Cancelling<E = EndpointInterface> {
  /** The original endpoint, whose results all readers share. */
  readonly endpoint: E;
  readonly ask: (key: string) => Interest;
}

const cancellings = new WeakMap<EndpointInterface, Cancelling>();

/** Returns undefined for an endpoint that is not from `useCancelling`. */
export function cancellingOf<E extends EndpointInterface>(endpoint: E): Cancelling<E> | undefined {
  // The cast: `derive` returns an endpoint of the same type.
  return cancellings.get(endpoint) as Cancelling<E> | undefined;
}

/** Without `key`, the returned endpoint accepts any arguments. */
export function derive<E extends EndpointInterface>(
  endpoint: E,
  asking: Asking,
  key: string | undefined,
): E {
  const { signal: own } = endpoint;
  let calls = 0;
  const signal = (...args: readonly unknown[]): AbortSignal => {
    // For a direct call of the endpoint, `args` is empty. A new key cancels the previous call.
    const requested = key ?? (args.length > 0 ? endpoint.key(...args) : ` ${(calls += 1)}`);
    const mine = asking.ask(requested, true).signal;
    // The cast: `Reflect.apply` does not know that a signal function returns a signal.
    const other =
      typeof own === 'function'
        ? (Reflect.apply(own, endpoint, args) as AbortSignal | undefined)
        : own;
    return other ? either(mine, other) : mine;
  };
  // The cast: `extend` returns the same endpoint with another signal.
  const derived = endpoint.extend({ signal }) as E;
  cancellings.set(derived, { endpoint, ask: (read) => asking.ask(key ?? read) });
  return derived;
}

export function cancel(abort: AbortController): void {
  abort.abort();
}

/** Replaces `AbortSignal.any`, which React Native and older browsers lack. */
function either(...signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  for (const signal of signals) {
    const abort = (): void => joined.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return joined.signal;
}
