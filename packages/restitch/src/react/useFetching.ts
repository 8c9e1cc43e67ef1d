import { useEffect, useState } from 'react';
import type { Controller, View } from '../index.js';

/** Whether somebody reads that a request is under way: only then it is a reason to render. */
class Follower {
  #isTaken = false;
  #look: (() => void) | undefined;

  /** Called in render. Once taken it stays: a component that is memoized may not read again. */
  readonly take = (): void => {
    if (this.#isTaken) return;
    this.#isTaken = true;
    queueMicrotask(() => this.#look?.());
  };

  /** A mounted component follows; returns what to call when it no longer does. */
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
  readonly isFetching: boolean;
}

/**
 * Whether a request of a view is under way, for hooks whose caller may not want to know: from the first call of `take` on, it
 * causes a render when it changes. Without it a refetch that brings nothing new renders nobody.
 */
export function useFetching(
  controller: Controller,
  view: View<unknown> | undefined,
  isLoading: boolean,
): { readonly isFetching: boolean; readonly take: () => void } {
  const [follower] = useState(() => new Follower());
  // A reader without data is about to load: to know that from the start saves a render.
  const [held, hold] = useState<Held>({ view, isFetching: isLoading });
  let shown = held;
  if (held.view !== view) hold((shown = { view, isFetching: isLoading }));
  useEffect(() => {
    if (!view) return;
    return follower.follow(controller, () => {
      const { isFetching } = view;
      hold((now) =>
        now.view === view && now.isFetching === isFetching ? now : { view, isFetching },
      );
    });
  }, [controller, view, follower]);
  return { isFetching: shown.isFetching, take: follower.take };
}
