import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { LONGEST_TIMER } from '../host/startTimer.js';
import { STALLED } from '../store/journal/stalled.js';

/** Milliseconds: errors stretch the period to this at most. */
const LONGEST_BACKOFF = 300_000;

/** How much a period varies: a tenth of it, up and down. */
const JITTER = 0.1;

/** One question that is asked again and again, for all who subscribed to it. */
export class Poll {
  readonly #controller: Controller;
  readonly #view: EndpointView<unknown>;
  readonly #release: () => void;
  /** One for each subscriber. */
  readonly #periods: number[] = [];
  #timer: unknown;
  /** The request under way; another object, or undefined, once its outcome is of no interest here. */
  #running: object | undefined;
  #sentAt = 0;
  /** When the last request ended: its answer may not be one that is stored. */
  #endedAt: number | undefined;
  #failures = 0;
  #jitter: number;
  #isDue = false;
  /** After a reset that lets readers wait: it goes on when they may ask. */
  #isResting = false;

  constructor(controller: Controller, endpoint: EndpointInterface, args: readonly unknown[]) {
    this.#controller = controller;
    // The cast: what an endpoint is observed by.
    this.#view = controller.observe(endpoint, ...args) as EndpointView<unknown>;
    this.#release = this.#view.retain();
    this.#jitter = this.#vary();
  }

  /** Whether nobody subscribes any more. */
  get isIdle(): boolean {
    return this.#periods.length === 0;
  }

  add(period: number): void {
    this.#periods.push(period);
    this.plan();
  }

  /** Whether there was a subscriber of this period. */
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
    this.#release();
  }

  /** Forgets what went wrong, and asks at once or as soon as it can. */
  restart(): void {
    this.#running = undefined;
    this.#failures = 0;
    this.#isDue = true;
    this.#isResting = this.#view.isPaused;
    this.plan();
  }

  /** To be called when readers may have been let go on. */
  wake(): void {
    if (this.#isResting && !this.#view.isPaused) {
      this.#isResting = false;
      // Somebody may have asked already.
      this.#isDue = this.#view.fetchedAt === undefined;
      this.plan();
    }
  }

  /** Sets the timer for the next request, or sends it when it is due; does neither while nobody could see or get the answer. */
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
    // Nobody waits longer for one that may never end.
    if (this.#running) return this.#sentAt + STALLED - now;
    // What lies in the future was noted before the clock was set back.
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
      // The controller has noted the error where readers can see it.
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

  /** The endpoint that asked last, which may carry newer credentials; readers keep their data whatever error it meets. */
  #soft(): EndpointInterface {
    // The cast: `extend` promises the same endpoint with other options.
    return this.#view.endpoint.extend({ errorPolicy: () => 'soft' }) as EndpointInterface;
  }
}
