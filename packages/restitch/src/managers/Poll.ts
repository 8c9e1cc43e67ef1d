import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { declaredOf } from '../controller/fixedOf.js';
import type { View } from '../controller/View.js';
import type { ReadEndpoint } from '../endpoint/EndpointInterface.js';
import { LONGEST_TIMER } from '../host/startTimer.js';
import { STALLED } from '../store/journal/stalled.js';

/** In milliseconds: errors double the period up to this limit. */
const LONGEST_BACKOFF = 300_000;

/** Periods vary by at most this fraction, in both directions. */
const JITTER = 0.1;

/** The polling of one view, shared by all of its subscribers. */
export class Poll {
  readonly #controller: Controller;
  readonly #view: EndpointView<unknown>;
  readonly #release: () => void;
  readonly #unwatch: () => void;
  readonly #periods: number[] = [];
  #timer: unknown;
  /** The request in flight. The outcome of a replaced request is ignored. */
  #running: object | undefined;
  #sentAt = 0;
  #endedAt: number | undefined;
  #failures = 0;
  #jitter: number;
  #isDue = false;
  /** True after a reset, until the paused readers resume. */
  #isResting = false;

  constructor(controller: Controller, view: View<unknown>) {
    this.#controller = controller;
    // The cast: a subscription has the view of an endpoint.
    this.#view = view as EndpointView<unknown>;
    this.#release = this.#view.retain();
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
    return this.#periods.length === 0;
  }

  add(period: number): void {
    this.#periods.push(period);
    this.plan();
  }

  /** Returns false if there was no subscriber with this period. */
  remove(period: number): boolean {
    const place = this.#periods.indexOf(period);
    if (place < 0) return false;
    this.#periods.splice(place, 1);
    if (this.isIdle) this.stop();
    else this.plan();
    return true;
  }

  stop(): void {
    this.#periods.length = 0;
    this.plan();
    this.#unwatch();
    this.#release();
  }

  restart(): void {
    this.#running = undefined;
    this.#failures = 0;
    this.#isDue = true;
    this.#isResting = this.#view.isPaused;
    this.plan();
  }

  /** Called when paused readers may have resumed. */
  wake(): void {
    if (this.#isResting && !this.#view.isPaused) {
      this.#isResting = false;
      // No request is due if another reader has already fetched.
      this.#isDue = this.#view.fetchedAt === undefined;
      this.plan();
    }
  }

  plan(): void {
    const { environment } = this.#controller;
    environment.clearTimeout(this.#timer);
    if (this.isIdle || this.#isResting) return;
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
    const period = Math.min(...this.#periods);
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
