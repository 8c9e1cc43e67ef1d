import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { declaredOf } from '../controller/fixedOf.js';
import type { View } from '../controller/View.js';
import type { ReadEndpoint } from '../endpoint/EndpointInterface.js';
import { LONGEST_TIMER } from '../host/startTimer.js';
import type { Result } from '../store/cells/Result.js';
import { STALLED } from '../store/journal/stalled.js';

/** In milliseconds: errors double the period up to this limit. */
const LONGEST_BACKOFF = 300_000;

/** Periods vary by at most this fraction, in both directions. */
const JITTER = 0.1;

interface Subscriber {
  readonly view: EndpointView<unknown>;
  readonly period: number;
  readonly release: () => void;
}

/** The polling of one result, shared by its subscribers. The newest one decides the options. */
export class Poll {
  readonly #controller: Controller;
  readonly #unwatch: () => void;
  #subscribers: readonly Subscriber[] = [];
  /** The view of the newest subscriber. */
  #view: EndpointView<unknown>;
  #timer: unknown;
  /** The request in flight. The outcome of a replaced request is ignored. */
  #running: object | undefined;
  #sentAt = 0;
  #endedAt: number | undefined;
  #failures = 0;
  #jitter: number;
  #isDue = false;
  /** True after a reset, until the paused readers resume. */
  #isPaused = false;

  constructor(controller: Controller, view: EndpointView<unknown>) {
    this.#controller = controller;
    this.#view = view;
    this.#jitter = this.#vary();
    const { isOnline, watch } = controller.environment;
    let wasOnline = isOnline();
    this.#unwatch = watch(() => {
      const isBack = isOnline() && !wasOnline;
      wasOnline = isOnline();
      if (isBack) this.restart();
      else this.plan();
    });
  }

  get isIdle(): boolean {
    return this.#subscribers.length === 0;
  }

  get result(): Result {
    return this.#view.result;
  }

  add(view: EndpointView<unknown>, period: number): void {
    this.#subscribers = [...this.#subscribers, { view, period, release: view.retain() }];
    this.#view = view;
    this.plan();
  }

  /** Returns false if there was no such subscriber. */
  remove(view: View<unknown>, period: number): boolean {
    const gone = this.#subscribers.find((one) => one.view === view && one.period === period);
    if (!gone) return false;
    this.#subscribers = this.#subscribers.filter((one) => one !== gone);
    this.#view = this.#subscribers.at(-1)?.view ?? this.#view;
    gone.release();
    if (this.isIdle) this.stop();
    else this.plan();
    return true;
  }

  stop(): void {
    this.#subscribers.forEach(({ release }) => release());
    this.#subscribers = [];
    this.plan();
    this.#unwatch();
  }

  restart(): void {
    this.#running = undefined;
    this.#failures = 0;
    this.#isDue = true;
    this.plan();
  }

  /** Called when paused readers may have resumed. */
  wake(): void {
    if (this.#isPaused && !this.#view.isPaused) {
      // No request is due if another reader has already fetched.
      this.#isDue = this.#view.fetchedAt === undefined;
      this.plan();
    }
  }

  plan(): void {
    const { environment } = this.#controller;
    environment.clearTimeout(this.#timer);
    this.#isPaused = this.#view.isPaused;
    if (this.isIdle || this.#isPaused) return;
    if (!environment.isVisible() || !environment.isOnline()) return;
    const wait = this.#wait();
    if (wait <= 0) void this.#send();
    else this.#timer = environment.setTimeout(() => this.plan(), Math.min(wait, LONGEST_TIMER));
  }

  #wait(): number {
    const now = this.#controller.environment.now();
    if (this.#running) return STALLED - Math.abs(now - this.#sentAt);
    // If the clock was set back, times may be in the future.
    const isPast = (time: number | undefined): time is number => time !== undefined && time <= now;
    const times = [this.#view.fetchedAt, this.#endedAt].filter(isPast);
    if (times.length === 0 || this.#isDue) return 0;
    const period = Math.min(...this.#subscribers.map((one) => one.period));
    const backoff = Math.min(period * 2 ** this.#failures, Math.max(period, LONGEST_BACKOFF));
    return Math.max(...times) + backoff * this.#jitter - now;
  }

  async #send(): Promise<void> {
    const { environment, fetch } = this.#controller;
    const running = {};
    this.#running = running;
    this.#sentAt = environment.now();
    this.#isDue = false;
    try {
      const fetched = fetch(this.#soft(), ...this.#view.args);
      this.plan();
      await fetched;
      if (running !== this.#running) return;
      this.#failures = 0;
    } catch {
      // The controller has stored the error, and readers receive it.
      if (running !== this.#running) return;
      this.#failures += 1;
    }
    this.#running = undefined;
    this.#endedAt = environment.now();
    this.#jitter = this.#vary();
    this.plan();
  }

  #vary(): number {
    return 1 + JITTER * (2 * this.#controller.environment.random() - 1);
  }

  /** `$isPoll` makes every error soft, so readers keep their data. Actions contain `$source`. */
  #soft(): ReadEndpoint {
    const { endpoint } = this.#view;
    const soft = endpoint.extend({ $isPoll: true }) as ReadEndpoint;
    Reflect.defineProperty(soft, '$source', { value: declaredOf(endpoint) });
    return soft;
  }
}
