import type { EndpointView } from '../controller/EndpointView.js';
import { internalsOf } from '../controller/internals.js';
import { expireContent } from '../controller/resultOf.js';
import { constructorFor, parsed, type StreamSource } from './streamSource.js';
import type { Streams, Subscription } from './Streams.js';

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
  readonly url: string | undefined;
  readonly subscriptions: Set<Subscription> = new Set();
  readonly #streams: Streams;
  #source: StreamSource | undefined;
  #isOpen = false;
  #wasOpen = false;
  /** True until the next attempt after a lost connection. */
  #isWaiting = false;
  #timer: unknown;
  #unwatch: (() => void) | undefined;
  #failures: number;
  /** The last error of the source's constructor, as text. The same error is reported once. */
  #reported: string | undefined;

  /** `from`: the previous stream. If each URL is new, the waits must become longer nevertheless. */
  constructor(streams: Streams, url: string | undefined, from: Stream | undefined) {
    this.#streams = streams;
    this.url = url;
    this.#failures = from ? from.#failures : 0;
    this.#reported = from && from.#reported;
  }

  /** Opens the connection, unless it is open or waits. */
  add(subscription: Subscription): void {
    this.subscriptions.add(subscription);
    subscription.wasOpen ||= this.#wasOpen && !this.#isOpen;
    if (this.#isOpen) this.#join(subscription);
    else if (!this.#source && !this.#isWaiting) this.#open();
  }

  close(): void {
    this.#streams.controller.environment.clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#isWaiting = false;
    this.#isOpen = false;
    const source = this.#source;
    // Cleared before `close`, so that events of a closing source are ignored.
    this.#source = undefined;
    source?.close();
  }

  #open(): void {
    const { url } = this;
    const { controller, options } = this.#streams;
    if (url === undefined) {
      this.#lost();
      return;
    }
    let source: StreamSource;
    try {
      source = new (constructorFor(url, options))(url);
    } catch (error) {
      if (String(error) !== this.#reported) controller.environment.report(error);
      this.#reported = String(error);
      this.#lost();
      return;
    }
    this.#reported = undefined;
    this.#source = source;
    const { events = [] } = options;
    const on = (type: string, listener: (event: { readonly data?: unknown }) => void): void =>
      source.addEventListener(type, (event) => {
        if (this.#source === source) listener(event as { readonly data?: unknown });
      });
    on('open', () => this.#opened());
    for (const type of ['message', ...events]) on(type, ({ data }) => this.#receive(type, data));
    on('close', () => this.#lost());
    on('error', () => {
      if (source.readyState !== CONNECTING || !this.#hasCurrentUrl()) this.#lost();
    });
  }

  /** An `EventSource` that reconnects by itself uses its old URL. */
  #hasCurrentUrl(): boolean {
    const { url } = this.#streams.options;
    try {
      return [...this.subscriptions].every(({ action }) => url(action) === this.url);
    } catch {
      // The next attempt asks again, and reports the error.
      return false;
    }
  }

  #opened(): void {
    this.#isOpen = true;
    this.#failures = 0;
    this.#wasOpen = true;
    for (const subscription of this.subscriptions) this.#join(subscription);
  }

  #join(subscription: Subscription): void {
    const { wasOpen, action } = subscription;
    subscription.wasOpen = true;
    if (!wasOpen) return;
    // Messages were missed while the connection was down.
    // The cast: a subscription has the view of an endpoint.
    const { endpoint, result } = action.view as EndpointView<unknown>;
    // An infinite list loads all of its loaded pages again.
    expireContent(internalsOf(this.#streams.controller).store, result);
    // The controller stores the error, and readers receive it.
    this.#streams.controller.fetch(endpoint, ...action.args).catch(() => {});
  }

  #receive(type: string, data: unknown): void {
    const { controller, options } = this.#streams;
    try {
      options.onMessage({ data: parsed(data), type }, controller);
    } catch (error) {
      controller.environment.report(error);
    }
  }

  /** The random wait keeps all clients from reconnecting at once after an outage. */
  #lost(): void {
    const { environment } = this.#streams.controller;
    this.close();
    this.#isWaiting = true;
    const longest = Math.min(FIRST_LIMIT * 2 ** this.#failures, LAST_LIMIT);
    this.#failures += 1;
    this.#timer = environment.setTimeout(() => {
      if (environment.isOnline()) {
        this.#reopen();
        return;
      }
      this.#unwatch = environment.watch(() => {
        if (!environment.isOnline()) return;
        this.#failures = 0;
        this.#reopen();
      });
    }, environment.random() * longest);
  }

  #reopen(): void {
    this.close();
    this.#streams.reopen(this);
  }
}
