import { startTimer } from '../host/startTimer.js';
import type { EndpointInterface } from '../index.js';
import type { BareLoads } from './bareLoads.js';
import type { FirstLoads } from './firstLoads.js';

/** Milliseconds within which React renders a transition again that waits, after something urgent was rendered. */
const RETRY = 1_000;

/** The interest of one component in one question: what it withdraws when it asks for something else. */
export class Interest {
  readonly #asking: Asking;
  readonly #key: string;
  #abort: AbortController | undefined;
  /** How many mounted readers show the answer. */
  holders = 0;
  /** A render asked for it that may not be on the screen yet. */
  isAwaited = true;

  constructor(asking: Asking, key: string) {
    this.#asking = asking;
    this.#key = key;
  }

  /** Aborts when the component, which is mounted, withdraws. */
  get signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }

  /**
   * As `signal`, for a render: of a component that was never mounted nothing is kept but what its boundary remembers. Without
   * one, what `throws` can be asked whether it still waits.
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

  /** What a render throws for the promise of a request. */
  thrownFor(request: Promise<unknown>): Promise<unknown> {
    const { isMounted, bareLoads } = this.#asking;
    return (isMounted ? undefined : bareLoads?.wait(this.#key, request)) ?? request;
  }

  /** A mounted reader shows the answer; returns what to call when it no longer does. */
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
 * Sees two questions being wanted in turn: React may wait for one on the screen and for another in a transition that cannot
 * end. Cancelling either would only make it ask again, for ever; so both go on until one of them is shown.
 */
export class Returns {
  readonly #withdrawn = new Set<string>();
  #count = 0;

  withdraw(key: string): void {
    this.#withdrawn.add(key);
  }

  /** Something becomes the newest question. */
  ask(key: string): void {
    if (this.#withdrawn.has(key)) this.#count += 1;
  }

  /** More often than somebody who changes their mind goes back to what was withdrawn. */
  get areTooMany(): boolean {
    return this.#count > 4;
  }

  /** The screen has changed. */
  clear(): void {
    this.#withdrawn.clear();
    this.#count = 0;
  }
}

/**
 * What one component asks for through an endpoint that cancels. Renders only take notes, since they may be repeated or
 * dropped; interests are withdrawn after the job in which a newer question was asked, when that one has been joined.
 *
 * ```text
 *  a is shown ──▶ a transition renders b ──▶ then c               a is held, c is awaited: b is withdrawn
 *                                            c is committed       c is held: a is withdrawn
 *
 *  a is shown ──▶ a transition renders b ──▶ a key is pressed     a is rendered, urgently
 *                                            React tries again    b is rendered: it goes on
 *             or  a transition goes back     a is rendered        b is not: after a while it is withdrawn
 * ```
 */
export class Asking {
  readonly endpoint: EndpointInterface;
  readonly firstLoads: FirstLoads | undefined;
  readonly bareLoads: BareLoads | undefined;
  isMounted = false;
  readonly #interests = new Map<string, Interest>();
  #latest: Interest | undefined;
  /** Keeps the newest question from being given up for one that is on the screen. */
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

  /** Notes in render, or when a request is sent by hand, which question is the newest. */
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

  /** Something becomes the newest question. */
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

  /** An answer is on the screen. */
  settled(key: string, interest: Interest): void {
    // A hidden <Activity> had withdrawn it.
    this.#interests.set(key, interest);
    this.firstLoads?.release(key);
    this.#returns.clear();
    this.review();
  }

  /** The component is mounted; returns what to call when it no longer is. */
  readonly mount = (): (() => void) => {
    this.isMounted = true;
    return () => {
      this.isMounted = false;
      this.#decide();
      this.review();
    };
  };

  /** Withdraws what is no longer wanted, when the running job is done: Strict Mode lets go and takes hold again in one. */
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

/** How a hook finds out that an endpoint cancels. */
interface Cancelling {
  /** The endpoint to ask for: its answers are everybody's. */
  readonly endpoint: EndpointInterface;
  readonly ask: (key: string) => Interest;
}

const cancellings = new WeakMap<EndpointInterface, Cancelling>();

/** What is behind an endpoint that `useCancelling` returned; undefined for any other. */
export function cancellingOf(endpoint: EndpointInterface): Cancelling | undefined {
  return cancellings.get(endpoint);
}

/** Derives the endpoint that cancels: for one question, or without a `key` for whatever it is asked. */
export function derive<E extends EndpointInterface>(
  endpoint: E,
  asking: Asking,
  key: string | undefined,
): E {
  const { signal: own } = endpoint;
  const signal = (...args: readonly unknown[]): AbortSignal => {
    // A direct call does not tell its arguments: it ends with the component.
    const asked = key ?? (args.length > 0 ? endpoint.key(...args) : '');
    const mine = asking.ask(asked, true).signal;
    // The cast: what such a function returns, whatever it takes.
    const other =
      typeof own === 'function'
        ? (Reflect.apply(own, endpoint, args) as AbortSignal | undefined)
        : own;
    return other ? either(mine, other) : mine;
  };
  // The cast: `extend` promises the same endpoint with another signal.
  const derived = endpoint.extend({ signal }) as E;
  cancellings.set(derived, { endpoint, ask: (read) => asking.ask(key ?? read) });
  return derived;
}

/** Withdraws: what waits rejects with an `AbortError`. */
export function cancel(abort: AbortController): void {
  abort.abort();
}

/** `AbortSignal.any` is missing in React Native and older browsers. */
function either(...signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  for (const signal of signals) {
    const abort = (): void => joined.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return joined.signal;
}
