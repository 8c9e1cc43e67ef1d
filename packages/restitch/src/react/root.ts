import { useEffect, useLayoutEffect } from 'react';
import { internalsOf } from '../controller/internals.js';
import type { Controller } from '../index.js';
import { isServer } from './server.js';

/** `useEffect` on a server, because React 18 warns about layout effects there. */
export const useLayout: typeof useLayoutEffect = isServer ? useEffect : useLayoutEffect;

/**
 * The ticks that a render contains, as ranges. A tick is the number of a state update of a reader
 * (a component with a data hook). For example, `[[0, 4], [7, 7]]` lacks 5 and 6, which wait in a
 * transition. React applies updates in queue order, so a new tick is always last.
 */
export type Ticks = readonly (readonly [from: number, to: number])[];

export function addTick(ticks: Ticks, tick: number): Ticks {
  const last = ticks.at(-1);
  return last && last[1] + 1 === tick
    ? [...ticks.slice(0, -1), [last[0], tick]]
    : [...ticks, [tick, tick]];
}

/**
 * Milliseconds that a transition has to render an optimistic update, for example with a
 * `<ViewTransition>`. Then the update is also queued outside of the transition, which may be an
 * async action that waits for the response.
 */
const PATIENCE = 50;

let count = 0;

/**
 * Keeps the readers below one `DataProvider` on the same data in each frame. Two React roots may
 * share a controller, but each commits at its own time, so each needs its own `Root`.
 *
 * ```text
 *  write in a transition ──▶ reader A: state and tick 1 queued in the transition
 *  urgent write          ──▶ reader B: state and tick 2 queued urgently
 *  React commits B       ──▶ `Tracker` has tick 2 without tick 1: A is behind
 *                            ⇒ A renders in the same layout phase: no frame has B's write only
 * ```
 *
 * A reader C that mounts during the transition acts like B. C renders the newest state, so its
 * layout effect queues tick 2 urgently.
 */
export class Root {
  declare readonly controller: Controller;
  readonly key: number = (count += 1);
  /** The readers with uncommitted state: the function that queues the state again, and its tick. */
  readonly #notified = new Map<() => void, number>();
  /** Readers without data, which may still show old data until a transition ends. */
  readonly #waiting = new Set<() => void>();
  #store: object | undefined;
  #tick = 0;
  #met = 0;
  #queue: ((tick: number) => void) | undefined;

  constructor(controller: Controller) {
    this.controller = controller;
  }

  /** `queue` adds a tick with the priority of the running update. */
  track(queue: (tick: number) => void): () => void {
    this.#queue = queue;
    // React renders state from layout effects before it paints, so no notified reader is behind.
    this.#notified.clear();
    const core = internalsOf(this.controller);
    this.#store = core.store;
    const ends = [
      core.resets.add(() =>
        queueMicrotask(() => {
          this.#store = core.store;
          this.#followAll();
          for (const follow of this.#waiting) follow();
        }),
      ),
      core.predictions.add(() => setTimeout(this.#followAll, PATIENCE)),
    ];
    return () => {
      ends.forEach((end) => end());
      this.#queue = undefined;
      this.#notified.clear();
    };
  }

  /** True from a reset until the next microtask: no data of the last user may stay. */
  get isResetting(): boolean {
    return this.#store !== internalsOf(this.controller).store;
  }

  noteNotified(follow: () => void): void {
    this.#waiting.delete(follow);
    this.#notified.set(follow, this.#next());
  }

  /** The tick of a mounting reader makes `committed` render the readers that are behind. */
  meet(): void {
    if (this.#notified.size > 0 && this.#met !== this.#tick) this.#met = this.#next();
  }

  /** Called for pending data. Only a reset makes the reader render a fallback at once. */
  noteWaiting(follow: () => void): void {
    this.#notified.delete(follow);
    this.#waiting.add(follow);
  }

  forget(follow: () => void): void {
    this.#notified.delete(follow);
    this.#waiting.delete(follow);
  }

  committed(ticks: Ticks): void {
    for (const [follow, tick] of this.#notified) {
      if (ticks.some(([from, to]) => from <= tick && tick <= to)) this.#notified.delete(follow);
    }
    const newest = ticks.at(-1)?.[1] ?? 0;
    // `follow` renders the newest state, so all other readers must render it too.
    if ([...this.#notified.values()].some((tick) => tick < newest)) this.#followAll();
  }

  /**
   * In React, an async action delays all updates of its synchronous part until its end. Called in a
   * later task, this function queues them again, so that they show at once.
   */
  readonly #followAll = (): void => {
    for (const follow of this.#notified.keys()) follow();
  };

  #next(): number {
    this.#tick += 1;
    this.#queue?.(this.#tick);
    return this.#tick;
  }
}
