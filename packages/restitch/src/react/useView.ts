import { useEffect, useState } from 'react';
import type { View, ViewSnapshot } from '../index.js';
import type { Interest } from './cancelling.js';
import { type Reading, stays } from './reading.js';
import { type Root, useLayout } from './root.js';
import { useIsHydrating } from './useIsHydrating.js';

/** What one reader shows. State, never a tick: a render that is repeated or dropped shows the same again. */
interface Held<T> {
  readonly view: View<T> | undefined;
  readonly snapshot: ViewSnapshot<T>;
}

const nothing = Object.freeze({ status: 'ready', data: undefined, stale: false });
const awaited = Object.freeze({ status: 'pending' });

function read<T>(view: View<T> | undefined, { suspends }: Reading, mounted = false): Held<T> {
  // The cast: without a view there is no data, of whatever type.
  if (!view) return { view, snapshot: nothing as ViewSnapshot<T> };
  const snapshot = view.getSnapshot();
  // An error past its lifetime is not thrown at a reader that comes later: it asks again.
  const expired = suspends && snapshot.status === 'error' && view.needsLoad(mounted);
  return { view, snapshot: expired ? awaited : snapshot };
}

/** What the HTML shows that is taken over, whatever was written since; the reader catches up as soon as it is mounted. */
function served<T>(view: View<T> | undefined): Held<T> | undefined {
  const snapshot = view?.getServerSnapshot();
  return snapshot?.status === 'ready' ? { view, snapshot } : undefined;
}

/**
 * The hook under every reading hook: holds what is shown in React's state, so that a write made inside a transition is
 * shown by that transition and an urgent one at once. Without a view (`null` arguments) it is ready with undefined.
 */
export function useView<T>(
  root: Root,
  view: View<T> | undefined,
  reading: Reading,
  interest?: Interest,
): ViewSnapshot<T> {
  const isHydrating = useIsHydrating(root.hydrationProbe);
  const [held, hold] = useState(() => (isHydrating && served(view)) || read(view, reading));
  let shown = held;
  const moved = held.view !== view;
  // What is pending is never pinned: a reader that suspended is not subscribed, nobody would tell it that data came.
  if (moved || (reading.suspends && held.snapshot.status === 'pending')) {
    const now = read(view, reading);
    if (moved || now.snapshot.status !== 'pending') hold((shown = now));
  }

  useLayout(() => {
    // Runs again after having been hidden, from the latest render: `shown` is what is on the screen.
    if (view) return connect(root, view, reading, interest, shown.snapshot, hold);
  }, [root, view, reading, interest]);

  useEffect(() => view?.retain(), [view]);
  useEffect(() => interest?.hold(), [interest]);
  return shown.snapshot;
}

/** Subscribes a mounted reader, first catching up with what was written between its render and now. */
function connect<T>(
  root: Root,
  view: View<T>,
  reading: Reading,
  interest: Interest | undefined,
  shown: ViewSnapshot<T>,
  hold: (held: Held<T>) => void,
): () => void {
  let told = shown;
  const follow = (): void => {
    hold({ view, snapshot: told });
    // Data taken away in a transition stays on the screen until that transition ends: it never follows an urgent write.
    if (reading.suspends && told.status === 'pending') root.forget(follow);
    else root.told(follow);
  };
  const catchUp = (mounted: boolean): void => {
    const { snapshot } = read(view, reading, mounted);
    if (reading.loads && !stays(told, snapshot) && view.needsLoad(mounted))
      void view.load(interest?.signal);
    if (reading.same(told, snapshot)) return;
    told = snapshot;
    follow();
  };
  const unsubscribe = view.subscribe(() => catchUp(true));
  catchUp(false);
  // This reader knows every write; the ones mounted before it must not be seen without them.
  root.meet();
  return () => {
    unsubscribe();
    root.forget(follow);
  };
}
