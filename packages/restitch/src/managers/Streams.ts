import type { SubscribeAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { View } from '../controller/View.js';
import { Stream } from './Stream.js';
import type { StreamManagerOptions } from './StreamManager.js';

export interface Subscription {
  readonly action: SubscribeAction;
  readonly release: () => void;
  /** Undefined without a URL, and while the readers are paused after a reset. */
  stream: Stream | undefined;
  /** True if an earlier connection was open: messages were missed since it was lost. */
  wasOpen: boolean;
  /** The last error of `url`, as text. The same error is reported once. */
  reported: string | undefined;
}

/** The streams of one controller. */
export class Streams {
  readonly controller: Controller;
  readonly options: StreamManagerOptions;
  readonly #subscriptions = new Set<Subscription>();
  /** Paused since a reset, until their readers resume. */
  readonly #resting = new Set<Subscription>();
  /** By URL. The subscriptions whose `url` threw share a stream without a URL, which tries again. */
  readonly #streams = new Map<string | undefined, Stream>();

  constructor(controller: Controller, options: StreamManagerOptions) {
    this.controller = controller;
    this.options = options;
  }

  /** Returns false for a subscription without a stream. */
  begin(action: SubscribeAction): boolean {
    const url = this.options.url(action);
    if (url === undefined) return false;
    const { view } = action;
    const subscription: Subscription = {
      action,
      release: view.retain(),
      stream: undefined,
      wasOpen: false,
      reported: undefined,
    };
    this.#subscriptions.add(subscription);
    if (view.isPaused) this.#resting.add(subscription);
    else this.#move(subscription, this.#streamFor(url));
    return true;
  }

  /** Returns false without a subscription to the view. */
  end(view: View<unknown>): boolean {
    for (const subscription of this.#subscriptions) {
      if (subscription.action.view !== view) continue;
      this.#remove(subscription);
      return true;
    }
    return false;
  }

  close(): void {
    for (const subscription of this.#subscriptions) this.#remove(subscription);
  }

  /** Replaces all connections, which may have belonged to another user. */
  restart(): void {
    for (const subscription of this.#subscriptions) {
      this.#move(subscription, undefined);
      if (subscription.action.view.isPaused) this.#resting.add(subscription);
      else this.#resting.delete(subscription);
    }
    this.reopen();
  }

  /** Called when paused readers may have resumed. */
  wake(): void {
    const resumed = [...this.#resting].filter(({ action }) => !action.view.isPaused);
    if (resumed.length === 0) return;
    for (const subscription of resumed) this.#resting.delete(subscription);
    this.reopen();
  }

  /** Asks for the URLs of all subscriptions of the stream, and of those without a stream. */
  reopen(lost?: Stream): void {
    for (const subscription of this.#subscriptions) {
      const { stream } = subscription;
      const isDue = stream === undefined || stream === lost;
      if (isDue && !this.#resting.has(subscription)) this.#place(subscription);
    }
  }

  #place(subscription: Subscription): void {
    const { action, stream: from } = subscription;
    let url: string | undefined;
    let isKnown = true;
    try {
      url = this.options.url(action);
      subscription.reported = undefined;
    } catch (error) {
      isKnown = false;
      if (String(error) !== subscription.reported) this.controller.environment.report(error);
      subscription.reported = String(error);
    }
    // `url` may have ended the subscription, or the session of the user.
    if (!this.#subscriptions.has(subscription) || this.#resting.has(subscription)) return;
    const hasStream = url !== undefined || !isKnown;
    this.#move(subscription, hasStream ? this.#streamFor(url, from) : undefined);
  }

  #streamFor(url: string | undefined, from?: Stream): Stream {
    let stream = this.#streams.get(url);
    if (!stream) {
      stream = new Stream(this, url, from);
      this.#streams.set(url, stream);
    }
    return stream;
  }

  #move(subscription: Subscription, to: Stream | undefined): void {
    const { stream: from } = subscription;
    subscription.stream = to;
    to?.add(subscription);
    if (!from || from === to) return;
    from.subscriptions.delete(subscription);
    if (from.subscriptions.size > 0) return;
    from.close();
    this.#streams.delete(from.url);
  }

  #remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    this.#resting.delete(subscription);
    this.#move(subscription, undefined);
    subscription.release();
  }
}
