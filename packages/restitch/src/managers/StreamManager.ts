import type { Dispatch, SubscribeAction, UnsubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';
import { Stream } from './Stream.js';
import type { StreamConstructor, StreamMessage } from './streamSource.js';
import { warnOptions } from './misspelledOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Options of `StreamManager`: the stream of each subscription, and how to store its messages. */
export interface StreamManagerOptions {
  /**
   * Returns the URL of the stream for a subscription. A URL with `ws:` or `wss:` opens a web
   * socket. Any other URL opens server-sent events. Subscriptions with the same URL share one
   * connection. Returns undefined for a subscription without a stream, which another manager may
   * poll.
   */
  readonly url: (subscription: SubscribeAction) => string | undefined;
  /**
   * Called for each message. Write the data with `controller.set`, `setResponse` or `invalidate`. A
   * thrown error is reported.
   */
  readonly onMessage: (message: StreamMessage, controller: Controller) => void;
  /** Names of server-sent events to receive, in addition to unnamed events. Default: none. */
  readonly events?: readonly string[];
  /** The constructor of web sockets. Default: the host's, if it has one. */
  readonly WebSocket?: StreamConstructor;
  /** The constructor of server-sent event sources. Default: the host's, if it has one. */
  readonly EventSource?: StreamConstructor;
}

/**
 * Updates the data of subscriptions from messages of the server: web sockets or server-sent events.
 * A connection is open while it has subscribers (`useLive`, `useSubscription`,
 * `controller.subscribe`).
 *
 * @remarks Must precede a `PollingManager`, so that subscriptions with a stream are not polled.
 *
 * A lost connection is reopened after a random wait of at most one second. Each failed attempt
 * doubles this limit, up to thirty seconds. After the reconnect, all subscriptions of the stream
 * are fetched once, because messages were missed.
 *
 * `resetEntireStore` reopens all connections. With `refetch: false`, the connections stay closed
 * until the application fetches, writes, expires or invalidates the data of a subscription.
 *
 * @example
 * ```ts
 * import { Controller, Entity, PollingManager, resource, StreamManager } from 'restitch';
 *
 * class Price extends Entity {
 *   id = '';
 *   amount = 0;
 * }
 * const Prices = resource({ path: '/prices/:id', schema: Price });
 *
 * const streams = new StreamManager({
 *   url: ({ endpoint }) => (endpoint === Prices.get ? 'wss://example.com/prices' : undefined),
 *   onMessage: ({ data }, controller) => {
 *     const price = data as { id: string; amount: number };
 *     controller.set(Price, { id: price.id }, price);
 *   },
 * });
 * const controller = new Controller({ managers: [streams, new PollingManager()] });
 * controller.subscribe(Prices.get, { id: 'BTC' });
 * ```
 */
export class StreamManager implements Manager {
  readonly #options: StreamManagerOptions;
  readonly #streams = new Map<string, Stream>();

  constructor(options: StreamManagerOptions) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('StreamManager', options);
  }

  readonly middleware =
    (controller: Controller) =>
    (next: Dispatch): Dispatch =>
    (action) => {
      if (action.type === 'subscribe' && this.#begin(controller, action)) return;
      if (action.type === 'unsubscribe' && this.#end(action)) return;
      next(action);
      for (const stream of this.#streams.values()) {
        if (action.type === 'reset') stream.restart();
        else stream.wake();
      }
    };

  cleanup(): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  #begin(controller: Controller, subscription: SubscribeAction): boolean {
    const url = this.#options.url(subscription);
    if (url === undefined) return false;
    let stream = this.#streams.get(url);
    if (!stream) {
      stream = new Stream(controller, url, this.#options);
      this.#streams.set(url, stream);
    }
    stream.add(subscription);
    return true;
  }

  #end({ view }: UnsubscribeAction): boolean {
    for (const [url, stream] of this.#streams) {
      if (!stream.remove(view)) continue;
      if (stream.isIdle) this.#streams.delete(url);
      return true;
    }
    return false;
  }
}
