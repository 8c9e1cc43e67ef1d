import type { SubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { View } from '../controller/View.js';
import type { StreamManagerOptions } from './StreamManager.js';
import { constructorFor, parsed, type StreamSource } from './streamSource.js';

/** The limit of the random wait before the first reconnect, in milliseconds. */
const FIRST_LIMIT = 1_000;

/** The limit of the wait after many failures, in milliseconds. */
const LAST_LIMIT = 30_000;

/**
 * With this `readyState`, an `error` event needs no new connection. An `EventSource` already
 * reconnects, and a `WebSocket` that has failed has another state.
 */
const CONNECTING = 0;

/** One connection, shared by all subscriptions with its URL. */
export class Stream {
  readonly #controller: Controller;
  readonly #url: string;
  readonly #options: StreamManagerOptions;
  readonly #subscriptions = new Map<SubscribeAction, () => void>();
  #source: StreamSource | undefined;
  #timer: unknown;
  #failures = 0;
  #wasOpen = false;
  #unwatch: (() => void) | undefined;
  #isResting = false;
  /** The last error of the source's constructor, as text. The same error is reported once. */
  #reported: string | undefined;

  constructor(controller: Controller, url: string, options: StreamManagerOptions) {
    this.#controller = controller;
    this.#url = url;
    this.#options = options;
  }

  add(subscription: SubscribeAction): void {
    this.#subscriptions.set(subscription, subscription.view.retain());
    if (this.#subscriptions.size === 1) this.#open();
  }

  /** Returns false without a subscription to the view. */
  remove(view: View<unknown>): boolean {
    for (const [subscription, release] of this.#subscriptions) {
      if (subscription.view !== view) continue;
      this.#subscriptions.delete(subscription);
      release();
      if (this.isIdle) this.close();
      return true;
    }
    return false;
  }

  get isIdle(): boolean {
    return this.#subscriptions.size === 0;
  }

  /** Replaces the connection, which may have belonged to another user. */
  restart(): void {
    this.#end();
    this.#failures = 0;
    this.#isResting = [...this.#subscriptions.keys()].every(({ view }) => view.isPaused);
    if (!this.#isResting) this.#open();
  }

  /** Called when paused readers may have resumed. */
  wake(): void {
    if (this.#isResting) this.restart();
  }

  close(): void {
    for (const release of this.#subscriptions.values()) release();
    this.#subscriptions.clear();
    this.#end();
  }

  #end(): void {
    this.#controller.environment.clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
    const source = this.#source;
    // Cleared before `close`, so that events of a closing source are ignored.
    this.#source = undefined;
    source?.close();
  }

  #open(): void {
    const { environment } = this.#controller;
    let source: StreamSource;
    try {
      source = new (constructorFor(this.#url, this.#options))(this.#url);
    } catch (error) {
      if (String(error) !== this.#reported) environment.report(error);
      this.#reported = String(error);
      this.#lost();
      return;
    }
    this.#reported = undefined;
    this.#source = source;
    const { events = [] } = this.#options;
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

  /** Messages were missed while the connection was down. */
  #refetch(): void {
    const { fetch } = this.#controller;
    for (const { view, args } of this.#subscriptions.keys()) {
      // The cast: a subscription has the view of an endpoint.
      const { endpoint } = view as EndpointView<unknown>;
      // The controller stores the error, and readers receive it.
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

  /** The random wait keeps all clients from reconnecting at once after an outage. */
  #lost(): void {
    const { environment } = this.#controller;
    this.#end();
    const longest = Math.min(FIRST_LIMIT * 2 ** this.#failures, LAST_LIMIT);
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
