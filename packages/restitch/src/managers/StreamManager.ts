import type { Dispatch, SubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Manager } from '../controller/Manager.js';
import { Streams } from './Streams.js';
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
   *
   * @remarks Called for each new subscription, and again before its connection is reopened: after
   * `resetEntireStore` and after a lost connection. The new URL may contain another token. If the
   * function then returns undefined, the subscription has no connection until the next reset or
   * reconnect. If the function then throws, the error is reported, and the function is called again
   * after the wait of a lost connection.
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
 * `resetEntireStore` reopens all connections, at the URLs that `url` then returns. With
 * `refetch: false`, the connections stay closed until the application fetches, writes, expires or
 * invalidates the data of a subscription.
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
  readonly #streams = new WeakMap<Controller, Streams>();

  constructor(options: StreamManagerOptions) {
    this.#options = options;
    if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production')
      warnOptions('StreamManager', options);
  }

  readonly middleware = (controller: Controller): ((next: Dispatch) => Dispatch) => {
    const streams = new Streams(controller, this.#options);
    this.#streams.set(controller, streams);
    return (next) => (action) => {
      if (action.type === 'subscribe' && streams.begin(action)) return;
      if (action.type === 'unsubscribe' && streams.end(action.view)) return;
      next(action);
      if (action.type === 'reset') streams.restart();
      else streams.wake();
    };
  };

  cleanup(controller: Controller): void {
    this.#streams.get(controller)?.close();
  }
}
