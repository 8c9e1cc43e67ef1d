import { useEffect, useState } from 'react';
import type { Controller, FetchStatus, View } from '../index.js';
import { isSameQuestion } from './useView.js';

class Follower {
  #isTaken = false;
  #look: (() => void) | undefined;

  /** `#isTaken` is never reset, because the React Compiler may cache the value that was read. */
  readonly take = (): void => {
    if (this.#isTaken) return;
    this.#isTaken = true;
    queueMicrotask(() => this.#look?.());
  };

  follow({ watchFetching }: Controller, look: () => void): () => void {
    this.#look = look;
    const check = (): void => {
      if (this.#isTaken) look();
    };
    check();
    const stop = watchFetching(check);
    return () => {
      this.#look = undefined;
      stop();
    };
  }
}

interface Held {
  readonly view: View<unknown> | undefined;
  readonly fetchStatus: FetchStatus;
}

/** Optimization: a change causes a render only after the first call of `take`. */
export function useFetching(
  controller: Controller,
  view: View<unknown> | undefined,
  isLoading: boolean,
): { readonly fetchStatus: FetchStatus; readonly take: () => void } {
  const [follower] = useState(() => new Follower());
  // Optimization: a reader without data will load at once. This initial value saves a render.
  const initial: Held = { view, fetchStatus: isLoading ? 'fetching' : 'idle' };
  const [held, hold] = useState(initial);
  let current = held;
  if (!isSameQuestion(held.view, view)) hold((current = initial));
  useEffect(() => {
    if (!view) return;
    return follower.follow(controller, () => {
      const { fetchStatus } = view;
      hold((now) =>
        isSameQuestion(now.view, view) && now.fetchStatus === fetchStatus
          ? now
          : { view, fetchStatus },
      );
    });
  }, [controller, view, follower]);
  return { fetchStatus: current.fetchStatus, take: follower.take };
}
