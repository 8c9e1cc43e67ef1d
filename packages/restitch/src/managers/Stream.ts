import type { SubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { View } from '../controller/View.js';
import type { StreamManagerOptions } from './StreamManager.js';
import { constructorFor, parsed, type StreamSource } from './streamSource.js';

/** Milliseconds: the first wait before connecting again is at most this. */
const SHORTEST_WAIT = 1_000;

/** Milliseconds: no wait is longer. */
const LONGEST_WAIT = 30_000;

/** `readyState` of an `EventSource` that connects again by itself, and of a `WebSocket` that has not failed yet. */
const CONNECTING = 0;

/** A question that is subscribed to, and how to let go of its data. */
interface Held {
  readonly view: View<unknown>;
  readonly release: () => void;
}

/** One connection, for all who subscribe to what comes over it. */
export class Stream {
  readonly #controller: Controller;
  readonly #url: string;
  readonly #options: StreamManagerOptions;
  readonly #subscriptions = new Map<SubscribeAction, Held>();
  #source: StreamSource | undefined;
  #timer: unknown;
  #failures = 0;
  #wasOpen = false;
  #unwatch: (() => void) | undefined;
  #isResting = false;

  constructor(controller: Controller, url: string, options: StreamManagerOptions) {
    this.#controller = controller;
    this.#url = url;
    this.#options = options;
  }

  add(subscription: SubscribeAction): void {
    const { endpoint, args } = subscription;
    const view = this.#controller.observe(endpoint, ...args);
    this.#subscriptions.set(subscription, { view, release: view.retain() });
    if (this.#subscriptions.size === 1) this.#open();
  }

  /** Ends one subscription to a question; false when there was none. */
  remove(view: View<unknown>): boolean {
    for (const [subscription, held] of this.#subscriptions) {
      if (held.view !== view) continue;
      this.#subscriptions.delete(subscription);
      held.release();
      if (this.isIdle) this.close();
      return true;
    }
    return false;
  }

  get isIdle(): boolean {
    return this.#subscriptions.size === 0;
  }

  /** Ends the connection and begins another one: it may have belonged to another user. While all readers wait there is none. */
  restart(): void {
    this.#end();
    this.#failures = 0;
    this.#isResting = [...this.#subscriptions.values()].every(({ view }) => view.isPaused);
    if (!this.#isResting) this.#open();
  }

  /** To be called when readers may have been let go on. */
  wake(): void {
    if (this.#isResting) this.restart();
  }

  close(): void {
    for (const { release } of this.#subscriptions.values()) release();
    this.#subscriptions.clear();
    this.#end();
  }

  #end(): void {
    this.#controller.environment.clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
    const source = this.#source;
    // First: what a source tells while it closes is of no interest any more.
    this.#source = undefined;
    source?.close();
  }

  #open(): void {
    const { environment } = this.#controller;
    let source: StreamSource;
    try {
      source = new (constructorFor(this.#url, this.#options))(this.#url);
    } catch (error) {
      environment.report(error);
      return;
    }
    this.#source = source;
    const { events = [] } = this.#options;
    // One that was closed here may still tell something.
    const on = (type: string, listener: (event: { readonly data?: unknown }) => void): void =>
      source.addEventListener(type, (event) => {
        if (this.#source === source) listener(event as { readonly data?: unknown });
      });
    on('open', () => this.#opened());
    for (const type of ['message', ...events]) on(type, ({ data }) => this.#receive(type, data));
    on('close', () => this.#lost());
    on('error', () => {
      if (source.readyState !== CONNECTING) this.#lost();
    });
  }

  #opened(): void {
    this.#failures = 0;
    if (this.#wasOpen) this.#refetch();
    this.#wasOpen = true;
  }

  /** What was sent while the connection was down was missed. */
  #refetch(): void {
    const { fetch } = this.#controller;
    for (const { endpoint, args } of this.#subscriptions.keys()) {
      // The controller notes an error where readers can see it.
      fetch(endpoint, ...args).catch(() => {});
    }
  }

  #receive(type: string, data: unknown): void {
    try {
      this.#options.onMessage({ data: parsed(data), type }, this.#controller);
    } catch (error) {
      this.#controller.environment.report(error);
    }
  }

  /** Connects again: after a random part of a time that doubles with each failure, and not while the network is away. */
  #lost(): void {
    const { environment } = this.#controller;
    this.#end();
    const longest = Math.min(SHORTEST_WAIT * 2 ** this.#failures, LONGEST_WAIT);
    this.#failures += 1;
    this.#timer = environment.setTimeout(() => {
      if (environment.isOnline()) {
        this.#open();
        return;
      }
      this.#unwatch = environment.watch(() => {
        if (environment.isOnline()) this.restart();
      });
    }, environment.random() * longest);
  }
}
