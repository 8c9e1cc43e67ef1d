import { useEffect, useState, useSyncExternalStore } from 'react';
import type { View, ViewSnapshot } from '../index.js';
import { absent } from './valueWithoutData.js';
import type { Interest } from './cancelling.js';
import { type Reading, stays } from './readerModes.js';
import { type Root, useLayout } from './root.js';
import { isServer } from './server.js';

/** One view, or several joined views. */
export interface Source<T> extends Pick<
  View<T>,
  'getSnapshot' | 'getServerSnapshot' | 'subscribe' | 'needsLoad' | 'retain' | 'isPaused'
> {
  load(signal: AbortSignal | undefined, mounted: boolean): unknown;
}

/**
 * The rendered state of one reader. It contains the snapshot rather than a counter, so that a
 * repeated render has the same output.
 */
interface Held<T> {
  readonly view: Source<T> | undefined;
  readonly snapshot: ViewSnapshot<T>;
}

const awaited = Object.freeze({ status: 'pending' });

function read<T>(
  view: Source<T> | undefined,
  { suspends }: Reading,
  schema: unknown,
  mounted = false,
): ViewSnapshot<T> {
  if (!view) return absent(schema);
  const snapshot = view.getSnapshot();
  // An expired error is not thrown to a reader that mounts later; the reader fetches again.
  const expired = suspends && snapshot.status === 'error' && view.needsLoad(mounted);
  return expired ? awaited : snapshot;
}

/**
 * Returns the snapshot from which the server rendered the HTML, even if the data was written since.
 * The reader renders such writes after it mounts. On the server, returns the snapshot to render.
 */
function hydrationSnapshotOf<T>(view: Source<T> | undefined): ViewSnapshot<T> | undefined {
  const snapshot = view?.getServerSnapshot(isServer);
  return snapshot?.status === 'ready' ? snapshot : undefined;
}

/**
 * The base of all reading hooks. The snapshot is React state: a transition renders the writes
 * inside it, and an urgent write is rendered immediately. Without a view (`null` arguments),
 * returns the value without data.
 */
export function useView<T>(
  root: Root,
  view: Source<T> | undefined,
  reading: Reading,
  schema: unknown,
  interest?: Interest,
): ViewSnapshot<T> {
  const isHydrating = useIsHydrating();
  const [held, hold] = useState<Held<T>>(() => ({
    view,
    snapshot: (isHydrating && hydrationSnapshotOf(view)) || read(view, reading, schema),
  }));
  let { snapshot } = held;
  const moved = held.view !== view;
  // A pending snapshot is never kept: a suspended reader is not subscribed and would miss the data.
  if (moved || (reading.suspends && snapshot.status === 'pending')) {
    const now = read(view, reading, schema);
    if (moved || now.status !== 'pending') hold({ view, snapshot: (snapshot = now) });
  }

  useLayout(() => {
    // The effect runs again after the component was hidden. `snapshot` belongs to the latest
    // render, so it is on the screen.
    if (view) return connect(root, view, reading, interest, snapshot, hold);
  }, [root, view, reading, interest]);

  // Optimization: one effect for both, because lists mount thousands of readers.
  useEffect(() => {
    const [release, drop] = [view?.retain(), interest?.hold()];
    return () => {
      release?.();
      drop?.();
    };
  }, [view, interest]);
  return snapshot;
}

/** Subscribes a mounted reader. If data was written since its render, the reader renders again. */
function connect<T>(
  root: Root,
  view: Source<T>,
  reading: Reading,
  interest: Interest | undefined,
  rendered: ViewSnapshot<T>,
  hold: (held: Held<T>) => void,
): () => void {
  let latest = rendered;
  const follow = (): void => {
    hold({ view, snapshot: latest });
    // Data that a transition removes stays on the screen until the transition ends. So the reader
    // must not follow an urgent write.
    if (!reading.suspends || latest.status !== 'pending') root.noteNotified(follow);
    else {
      root.forget(follow);
      // A paused view, such as after a sign-out, gets no response. A transition around the sign-out
      // would never end, and the data would stay on the screen.
      if (view.isPaused) queueMicrotask(clear);
    }
  };
  const clear = (): void => {
    if (latest.status === 'pending') hold({ view, snapshot: latest });
  };
  const look = (mounted: boolean): ViewSnapshot<T> => {
    const snapshot = read(view, reading, undefined, mounted);
    if (reading.loads && !stays(latest, snapshot) && view.needsLoad(mounted))
      view.load(interest?.signal, mounted);
    return snapshot;
  };
  const show = (snapshot: ViewSnapshot<T>): void => {
    if (reading.same(latest, snapshot)) return;
    latest = snapshot;
    follow();
  };
  const unsubscribe = view.subscribe(() => show(look(true)));
  show(look(false));
  // If this reader has rendered every write, readers that mounted earlier must not stay on the
  // screen without these writes.
  if (latest === rendered) root.meet();
  return () => {
    unsubscribe();
    root.forget(follow);
  };
}

let wasAsked = false;
const ask = (): undefined => {
  wasAsked = true;
};
const take = (): boolean => {
  const before = wasAsked;
  wasAsked = false;
  return before;
};
const never = (): (() => void) => () => {};
const nothing = (): undefined => undefined;

/**
 * True on a server, and in a render that hydrates HTML from a server. React calls `ask` only in
 * these two cases. `ask` and `nothing` both return undefined, so the hook never causes a render.
 */
function useIsHydrating(): boolean {
  take();
  useSyncExternalStore(never, nothing, ask);
  return take();
}
