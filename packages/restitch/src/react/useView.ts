import { useEffect, useState } from 'react';
import type { View, ViewSnapshot } from '../index.js';
import { absent } from './absent.js';
import type { Interest } from './cancelling.js';
import { type Reading, stays } from './reading.js';
import { type Root, useLayout } from './root.js';
import { isServer } from './server.js';
import { useIsHydrating } from './useIsHydrating.js';

/** What a reader shows: a view, or several joined. */
export interface Source<T> extends Pick<
  View<T>,
  'getSnapshot' | 'getServerSnapshot' | 'subscribe' | 'needsLoad' | 'retain' | 'isPaused'
> {
  load(signal: AbortSignal | undefined, mounted: boolean): unknown;
}

/** What one reader shows. State, never a tick: a render that is repeated or dropped shows the same again. */
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
  // An error past its lifetime is not thrown at a reader that comes later: it asks again.
  const expired = suspends && snapshot.status === 'error' && view.needsLoad(mounted);
  return expired ? awaited : snapshot;
}

/**
 * What the HTML shows that is taken over, whatever was written since; the reader catches up as soon as it is mounted. On the
 * server: what it is going to show.
 */
function served<T>(view: Source<T> | undefined): ViewSnapshot<T> | undefined {
  const snapshot = view?.getServerSnapshot(isServer);
  return snapshot?.status === 'ready' ? snapshot : undefined;
}

/**
 * The hook under every reading hook: holds what is shown in React's state, so that a write made inside a transition is
 * shown by that transition and an urgent one at once. Without a view (`null` arguments) it is ready with what is absent.
 */
export function useView<T>(
  root: Root,
  view: Source<T> | undefined,
  reading: Reading,
  schema: unknown,
  interest?: Interest,
): ViewSnapshot<T> {
  const isHydrating = useIsHydrating(root.hydrationProbe);
  const [held, hold] = useState<Held<T>>(() => ({
    view,
    snapshot: (isHydrating && served(view)) || read(view, reading, schema),
  }));
  let { snapshot } = held;
  const moved = held.view !== view;
  // What is pending is never pinned: a reader that suspended is not subscribed, nobody would tell it that data came.
  if (moved || (reading.suspends && snapshot.status === 'pending')) {
    const now = read(view, reading, schema);
    if (moved || now.status !== 'pending') hold({ view, snapshot: (snapshot = now) });
  }

  useLayout(() => {
    // Runs again after having been hidden, from the latest render: `snapshot` is what is on the screen.
    if (view) return connect(root, view, reading, interest, snapshot, hold);
  }, [root, view, reading, interest]);

  // One effect for both: lists mount thousands of readers.
  useEffect(() => {
    const [release, drop] = [view?.retain(), interest?.hold()];
    return () => {
      release?.();
      drop?.();
    };
  }, [view, interest]);
  return snapshot;
}

/** Subscribes a mounted reader, first catching up with what was written between its render and now. */
function connect<T>(
  root: Root,
  view: Source<T>,
  reading: Reading,
  interest: Interest | undefined,
  shown: ViewSnapshot<T>,
  hold: (held: Held<T>) => void,
): () => void {
  let told = shown;
  const follow = (): void => {
    hold({ view, snapshot: told });
    // Data taken away in a transition stays on the screen until that transition ends: it never follows an urgent write.
    if (!reading.suspends || told.status !== 'pending') root.told(follow);
    else {
      root.forget(follow);
      // No response follows a sign-out, so a transition that it was made in would never end, and the data would stay on the screen.
      if (view.isPaused) queueMicrotask(clear);
    }
  };
  const clear = (): void => {
    if (told.status === 'pending') hold({ view, snapshot: told });
  };
  const look = (mounted: boolean): ViewSnapshot<T> => {
    const snapshot = read(view, reading, undefined, mounted);
    if (reading.loads && !stays(told, snapshot) && view.needsLoad(mounted))
      view.load(interest?.signal, mounted);
    return snapshot;
  };
  const show = (snapshot: ViewSnapshot<T>): void => {
    if (reading.same(told, snapshot)) return;
    told = snapshot;
    follow();
  };
  const unsubscribe = view.subscribe(() => show(look(true)));
  show(look(false));
  // This reader knows every write; the ones mounted before it must not be seen without them.
  if (told === shown) root.meet();
  return () => {
    unsubscribe();
    root.forget(follow);
  };
}
