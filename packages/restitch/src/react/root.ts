import { useEffect, useLayoutEffect } from 'react';
import type { Controller } from '../index.js';
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
  const last = ticks.at(-1);
  return last && last[1] + 1 === tick
    ? [...ticks.slice(0, -1), [last[0], tick]]
    : [...ticks, [tick, tick]];
}

let count = 0;

/**
 * What one `DataProvider` knows of its tree. Two React roots may share a controller; each commits at its own time, so each
 * keeps its own book.
 *
 * ```text
 *  write in a transition ──▶ reader A: state and tick 1 queued in the transition's lane
 *  urgent write          ──▶ reader B: state and tick 2 queued in an urgent lane
 *  React commits B       ──▶ the tracker, last in the tree, sees tick 2 without tick 1: A is behind
 *                            ⇒ A has to follow in the same layout phase: no frame shows B's write without A's
 * ```
 *
 * A reader C that is mounted instead of the urgent write shows the newest state, so it queues tick 2 in its layout effect.
 */
export class Root {
  readonly controller: Controller;
  /** Tells the roots of a page apart. */
  readonly key: number = (count += 1);
  readonly hydrationProbe: HydrationProbe = new HydrationProbe();
  /** Readers that were told of a write which React has not committed yet, each by how to tell it again, with its tick. */
  readonly #told = new Map<() => void, number>();
  #tick = 0;
  /** The tick that the last mounted reader queued. */
  #met = 0;
  #queue: ((tick: number) => void) | undefined;

  constructor(controller: Controller) {
    this.controller = controller;
  }

  /** The tracker is mounted and can queue a tick in the lane of whoever calls; returns what to call when it no longer can. */
  track(queue: (tick: number) => void): () => void {
    this.#queue = queue;
    // Readers that were told while mounting in this very commit are rendered again before anything else happens.
    this.#told.clear();
    return () => {
      this.#queue = undefined;
      this.#told.clear();
    };
  }

  /** A reader was handed a new state in the caller's lane; `follow` hands it over again. */
  told(follow: () => void): void {
    this.#told.set(follow, this.#next());
  }

  /** A mounted reader shows every write so far: whoever is still behind then has to follow. One tick is enough for a commit. */
  meet(): void {
    if (this.#told.size > 0 && this.#met !== this.#tick) this.#met = this.#next();
  }

  /** The reader has nothing to show, or nothing that may be shown earlier. */
  forget(follow: () => void): void {
    this.#told.delete(follow);
  }

  /** React committed these ticks with everything queued beside them. */
  committed(ticks: Ticks): void {
    for (const [follow, tick] of this.#told) {
      if (ticks.some(([from, to]) => from <= tick && tick <= to)) this.#told.delete(follow);
    }
    const newest = ticks.at(-1)?.[1] ?? 0;
    // One that follows brings the newest state along, so all others have to follow as well.
    if ([...this.#told.values()].some((tick) => tick < newest)) {
      for (const follow of this.#told.keys()) follow();
    }
  }

  #next(): number {
    this.#tick += 1;
    this.#queue?.(this.#tick);
    return this.#tick;
  }
}
