import { useEffect, useState } from 'react';
import type { View, ViewSnapshot } from '../index.js';
import { absent } from './absent.js';
import type { Interest } from './cancelling.js';
import { type Reading, stays } from './reading.js';
import { type Root, type Standpoint, useLayout } from './root.js';
import { isServer } from './server.js';
import { standpointOf } from './scope.js';
import { useIsHydrating } from './useIsHydrating.js';

/** What a reader shows: a view, or several joined. */
export interface Source<T> extends Pick<
  View<T>,
  'getSnapshot' | 'getServerSnapshot' | 'getSnapshotAt' | 'subscribe' | 'needsLoad' | 'retain'
> {
  load(signal: AbortSignal | undefined, mounted: boolean): unknown;
}

/** What one reader shows. State, never a tick: a render that is repeated or dropped shows the same again. */
interface Held<T> {
  readonly view: Source<T> | undefined;
  readonly snapshot: ViewSnapshot<T>;
  /** Of what was read in a render. */
  readonly from?: Standpoint;
}

/** Of a reader that is rendered for the first time: what it shows depends on what else that render contains. */
interface Blank<T> {
  readonly view: Source<T> | undefined;
  readonly snapshot?: undefined;
}

const live: Standpoint = {};
const awaited = Object.freeze({ status: 'pending' });

function read<T>(
  view: Source<T> | undefined,
  { suspends }: Reading,
  schema: unknown,
  from: Standpoint,
  mounted = false,
): Held<T> {
  if (!view) return { view, snapshot: absent(schema), from };
  const before = from.moment && view.getSnapshotAt(from.moment);
  // There is no going back to waiting for what is there.
  if (before && before.status !== 'pending') return { view, snapshot: before, from };
  const snapshot = view.getSnapshot();
  // An error past its lifetime is not thrown at a reader that comes later: it asks again.
  const expired = suspends && snapshot.status === 'error' && view.needsLoad(mounted);
  return { view, snapshot: expired ? awaited : snapshot, from };
}

/** Fills in what a first render read: setting state there would render twice. */
function fill<T>(blank: Blank<T>, read: Held<T>): Held<T> {
  return Object.assign(blank, read);
}

/**
 * What the HTML shows that is taken over, whatever was written since; the reader catches up as soon as it is mounted. On the
 * server: what it is going to show.
 */
function served<T>(view: Source<T> | undefined): Held<T> | undefined {
  const snapshot = view?.getServerSnapshot(isServer);
  return snapshot?.status === 'ready' ? { view, snapshot } : undefined;
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
  const [held, hold] = useState<Held<T> | Blank<T>>(
    () => (isHydrating && served(view)) || { view },
  );
  let shown = held.snapshot ? held : fill(held, read(view, reading, schema, standpointOf(root)));
  const moved = shown.view !== view;
  // What is pending is never pinned: a reader that suspended is not subscribed, nobody would tell it that data came.
  if (moved || (reading.suspends && shown.snapshot.status === 'pending')) {
    const now = read(view, reading, schema, standpointOf(root));
    if (moved || now.snapshot.status !== 'pending') hold((shown = now));
  }

  useLayout(() => {
    // Runs again after having been hidden, from the latest render: `shown` is what is on the screen.
    if (view) return connect(root, view, reading, interest, shown, hold);
  }, [root, view, reading, interest]);

  // One effect for both: lists mount thousands of readers.
  useEffect(() => {
    const [release, drop] = [view?.retain(), interest?.hold()];
    return () => {
      release?.();
      drop?.();
    };
  }, [view, interest]);
  return shown.snapshot;
}

/** Subscribes a mounted reader, first catching up with what was written between its render and now. */
function connect<T>(
  root: Root,
  view: Source<T>,
  reading: Reading,
  interest: Interest | undefined,
  { snapshot: shown, from = live }: Held<T>,
  hold: (held: Held<T>) => void,
): () => void {
  let told = shown;
  const follow = (): void => {
    hold({ view, snapshot: told });
    // Data taken away in a transition stays on the screen until that transition ends: it never follows an urgent write.
    if (reading.suspends && told.status === 'pending') root.forget(follow);
    else root.told(follow);
  };
  const look = (mounted: boolean): ViewSnapshot<T> => {
    const { snapshot } = read(view, reading, undefined, live, mounted);
    if (reading.loads && !stays(told, snapshot) && view.needsLoad(mounted))
      view.load(interest?.signal, mounted);
    return snapshot;
  };
  const show = (snapshot: ViewSnapshot<T>): void => {
    if (reading.same(told, snapshot)) return;
    told = snapshot;
    follow();
  };
  const settle = (): void => show(look(false));
  const unsubscribe = view.subscribe(() => show(look(true)));
  const past = root.screen(from);
  const before = past && view.getSnapshotAt(past);
  if (before && reading.same(shown, before)) {
    // It shows what the screen shows, and changes with it.
    look(false);
    root.wait(settle);
  } else {
    settle();
    // This reader knows every write; the ones mounted before it must not be seen without them.
    root.meet(from);
  }
  return () => {
    unsubscribe();
    root.forget(follow, settle);
  };
}
