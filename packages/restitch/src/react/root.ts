import { useEffect, useLayoutEffect } from 'react';
import type { Controller, Moment, Trace } from '../index.js';
import { isServer } from './server.js';
import { HydrationProbe } from './useIsHydrating.js';

/** On the server there is nothing to lay out, and React 18 warns about layout effects there. */
export const useLayout: typeof useLayoutEffect = isServer ? useEffect : useLayoutEffect;

/**
 * Which ticks a render contains, as ranges from..to: `[[0, 4], [7, 7]]` lacks 5 and 6, which wait in a transition. Ticks are
 * queued in ascending order and React applies them again in that order, so ranges grow and close at their ends only.
 */
export type Ticks = readonly (readonly [from: number, to: number])[];

export const noTicks: Ticks = [[0, 0]];

export function addTick(ticks: Ticks, tick: number): Ticks {
  const last = ticks[ticks.length - 1];
  return last && last[1] + 1 === tick
    ? [...ticks.slice(0, -1), [last[0], tick]]
    : [...ticks, [tick, tick]];
}

/** From where a render sees the store. */
export interface Standpoint {
  /** It lacks writes: the state before them. */
  readonly moment?: Moment;
  /** It lacked nothing when this was the newest tick. */
  readonly tick?: number;
}

/**
 * What one `DataProvider` knows of its tree. Two React roots may share a controller; each commits at its own time, so each
 * keeps its own book.
 *
 * ```text
 *  write in a transition ──▶ reader A: state and tick 1 queued in the transition's lane; the moment before is held
 *  reader C is mounted   ──▶ its pass lacks tick 1: it shows that moment, as A does, and waits
 *  React commits tick 1  ──▶ A shows the write; C settles in the same layout phase
 *
 *  write in a transition ──▶ reader A: state and tick 1 queued in the transition's lane
 *  urgent write          ──▶ reader B: state and tick 2 queued in an urgent lane
 *  React commits B       ──▶ the tracker, last in the tree, sees tick 2 without tick 1: A is behind
 *                            ⇒ A has to follow in the same layout phase: no frame shows B's write without A's
 * ```
 */
export class Root {
  readonly controller: Controller;
  readonly hydrationProbe: HydrationProbe = new HydrationProbe();
  /** Readers that were told of a write which React has not committed yet, each by how to tell it again, with its tick. */
  readonly #told = new Map<() => void, number>();
  /** The states before the writes that React has not committed yet, each with the first tick of its write. */
  #moments: { readonly tick: number; readonly moment: Moment }[] = [];
  /** Readers that show one of them and were told of nothing yet, each by how to show what is. */
  readonly #late = new Set<() => void>();
  #tick = 0;
  /** The newest tick that the render contains which began in the running job. */
  #begun = 0;
  #pass = noTicks;
  #queue: ((tick: number) => void) | undefined;
  #trace: Trace | undefined;

  constructor(controller: Controller) {
    this.controller = controller;
  }

  /** The tracker is mounted and can queue a tick in the lane of whoever calls; returns what to call when it no longer can. */
  track(queue: (tick: number) => void): () => void {
    this.#queue = queue;
    this.#trace = this.controller.trace();
    // Readers that were told while mounting in this very commit are rendered again before anything else happens.
    this.#clear();
    return () => {
      this.#queue = undefined;
      this.#trace?.end();
      this.#trace = undefined;
      this.#clear();
    };
  }

  /**
   * A render begins that contains these ticks. Urgent ones run in one go: until the running job ends, what is rendered belongs
   * to it. Merely saves others from asking for `PassContext`; a wrong answer is put right when they are mounted.
   */
  begin(ticks: Ticks): void {
    this.#begun = newestOf(ticks);
    queueMicrotask(() => {
      this.#begun = 0;
    });
  }

  /**
   * What `PassContext` tells: other ticks only where a reader would show another moment by them. A context that changes costs
   * a walk through the whole tree, and React then gives up the HTML of boundaries that are still arriving.
   */
  pass(ticks: Ticks): Ticks {
    const changes = this.#past(newestOf(ticks)) !== this.#past(newestOf(this.#pass));
    if (changes) this.#pass = ticks;
    return this.#pass;
  }

  /** Whether a render may lack a write that readers were told of: it has to ask which ticks it contains. */
  get isBehind(): boolean {
    return this.#moments.length > 0 && this.#begun < this.#tick;
  }

  /** What a render with these ticks has to show to a reader that shows nothing yet; without ticks, one that lacks nothing. */
  standpoint(ticks?: Ticks): Standpoint {
    const moment = ticks && this.#past(newestOf(ticks));
    return moment ? { moment } : { tick: this.#tick };
  }

  /**
   * A reader is mounted that was rendered from `standpoint`: the moment that the screen still shows, if there is one that the
   * reader may have to fit.
   */
  screen({ tick }: Standpoint): Moment | undefined {
    return tick === this.#tick ? undefined : this.#past(0);
  }

  /** A reader was handed a new state in the caller's lane; `follow` hands it over again. */
  told(follow: () => void): void {
    const moment = this.#trace?.hold();
    // Whoever is told of one write is told in one lane: a tick for all of them.
    if (!moment || moment !== this.#moments.at(-1)?.moment) {
      this.#next();
      if (moment) this.#moments.push({ tick: this.#tick, moment });
    }
    this.#told.set(follow, this.#tick);
  }

  /** A mounted reader shows what is past; `settle` makes it show what is, once the screen does. */
  wait(settle: () => void): void {
    this.#late.add(settle);
  }

  /** What knows every write so far is about to be shown: whoever is still behind then has to follow. */
  meet({ tick }: Standpoint): void {
    if (tick === this.#tick) return;
    if (this.#told.size > 0 || this.#late.size > 0) this.#next();
  }

  /** The reader has nothing to show, or nothing that may be shown earlier. */
  forget(follow: () => void, settle?: () => void): void {
    this.#told.delete(follow);
    if (settle) this.#late.delete(settle);
  }

  /** React committed these ticks with everything queued beside them. */
  committed(ticks: Ticks): void {
    this.#begun = 0;
    for (const [from, to] of ticks) {
      for (const [follow, tick] of this.#told) {
        if (from <= tick && tick <= to) this.#told.delete(follow);
      }
    }
    const newest = newestOf(ticks);
    // One that follows brings the newest state along, so all others have to follow as well.
    if ([...this.#told.values()].some((tick) => tick < newest)) this.#pull();
    if (this.#release() && this.#late.size > 0) {
      this.#pull();
      this.#settle();
    }
  }

  /** The oldest state that something lacks which contains no tick above `newest`. */
  #past(newest: number): Moment | undefined {
    return this.#moments.find(({ tick }) => tick > newest)?.moment;
  }

  /** Everybody who was told shows it now. */
  #pull(): void {
    for (const follow of this.#told.keys()) follow();
  }

  #settle(): void {
    const late = [...this.#late];
    this.#late.clear();
    for (const settle of late) settle();
  }

  /** Releases the moments that the screen no longer shows; tells whether there was one. */
  #release(): boolean {
    let oldest = Infinity;
    for (const tick of this.#told.values()) oldest = Math.min(oldest, tick);
    const next = this.#moments.findIndex((_, index) => {
      const after = this.#moments[index + 1];
      return after ? after.tick > oldest : oldest < Infinity;
    });
    const passed = next < 0 ? this.#moments : this.#moments.slice(0, next);
    this.#moments = this.#moments.slice(passed.length);
    for (const { moment } of passed) this.#trace?.release(moment);
    return passed.length > 0;
  }

  #clear(): void {
    this.#told.clear();
    this.#late.clear();
    for (const { moment } of this.#moments) this.#trace?.release(moment);
    this.#moments = [];
  }

  #next(): void {
    this.#tick += 1;
    this.#queue?.(this.#tick);
  }
}

function newestOf(ticks: Ticks): number {
  return ticks.at(-1)?.[1] ?? 0;
}
