import * as React from 'react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { View, ViewSnapshot } from '../index.js';
import { absent } from './valueWithoutData.js';
import type { Interest } from './cancelling.js';
import { type Reading, stays } from './readerModes.js';
import { type Root, useLayout } from './root.js';
import { isServer } from './server.js';

export interface Source<T> extends Pick<
  View<T>,
  'getSnapshot' | 'getServerSnapshot' | 'subscribe' | 'needsLoad' | 'retain'
> {
  load(signal: AbortSignal | undefined, mounted: boolean): unknown;
}

/** Contains the snapshot instead of a counter, so that a repeated render has the same output. */
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
  // A mounting reader fetches again instead of throwing an expired error.
  const expired = suspends && snapshot.status === 'error' && view.needsLoad(mounted);
  return expired ? awaited : snapshot;
}

/** True for views of one response. A render that copies an endpoint can make another view. */
export function isSameQuestion(a: object | undefined, b: object | undefined): boolean {
  const id: unknown = Reflect.get(a ?? {}, 'id');
  return a === b || (id !== undefined && id === Reflect.get(b ?? {}, 'id'));
}

/** The snapshot is React state, so a write in a transition renders with that transition. */
export function useView<T>(
  root: Root,
  view: Source<T> | undefined,
  reading: Reading,
  schema: unknown,
  interest?: Interest,
): ViewSnapshot<T> {
  const isHydrating = useIsHydrating();
  const [held, hold] = useState<Held<T>>(() => {
    // The server, and the browser that hydrates its HTML, must render the same data. In the
    // browser, a reader renders newer data only after it has mounted.
    const rendered = isHydrating ? view?.getServerSnapshot(isServer) : undefined;
    return {
      view,
      snapshot: rendered?.status === 'ready' ? rendered : read(view, reading, schema),
    };
  });
  const queued = useRef<Held<T>>(undefined);
  let { snapshot } = held;
  const moved = held.view !== view;
  const isCopy = moved && isSameQuestion(held.view, view);
  // A suspended reader is not subscribed, so a pending snapshot is read again.
  if (moved || (reading.suspends && snapshot.status === 'pending')) {
    snapshot = read(view, reading, schema);
    // If each render makes another view of the same response, an update would repeat the render.
    if (!isCopy && (moved || snapshot.status !== 'pending')) hold({ view, snapshot });
  }

  const hidden = useRef<() => void>(undefined);
  useLayout(() => {
    end(hidden);
    // A new snapshot needs no new subscription, so `snapshot` is no dependency. When a hidden
    // component becomes visible, the effect runs with the `snapshot` of the latest render.
    if (!view) return undefined;
    const state = { held, snapshot, queued, hidden, hold };
    return connect(root, view, reading, interest, state, isCopy);
  }, [root, view, reading, interest]);

  // Optimization: one effect for both, because lists mount thousands of readers.
  useEffect(() => {
    const [release, drop] = [view?.retain(), interest?.hold()];
    return () => {
      end(hidden);
      release?.();
      drop?.();
    };
  }, [view, interest]);
  return snapshot;
}

function end(hidden: { current: (() => void) | undefined }): void {
  hidden.current?.();
  hidden.current = undefined;
}

/** The state of a reader in its last render. */
interface ReaderState<T> {
  readonly held: Held<T>;
  readonly snapshot: ViewSnapshot<T>;
  /** The newest state that was queued outside of a render. A transition may delay it. */
  readonly queued: { current: Held<T> | undefined };
  /** Ends the subscription of a hidden reader. */
  readonly hidden: { current: (() => void) | undefined };
  readonly hold: (held: Held<T>) => void;
}

/**
 * If data was written since the last render, the reader renders again.
 *
 * Behind a fallback, React ends only the layout effects of a component. If the component or one of
 * its children waits for other data, a change can end the wait. So the subscription stays until the
 * passive effects end, too. It sends no requests. If the data is removed, the reader keeps waiting:
 *
 * ```text
 *   user.teamId = 2      the page waits for team 2, behind its fallback
 *   user.teamId = null   the page renders again, without a team
 * ```
 */
function connect<T>(
  root: Root,
  view: Source<T>,
  reading: Reading,
  interest: Interest | undefined,
  { held, snapshot: rendered, queued, hidden, hold }: ReaderState<T>,
  isCopy: boolean,
): () => void {
  let latest = rendered;
  const follow = (): void => {
    queued.current = { view, snapshot: latest };
    hold(queued.current);
    // Data that a transition removes must stay on the screen until the transition ends. After
    // `noteNotified`, the next urgent write would show the fallback of this reader too early.
    if (!reading.suspends || latest.status !== 'pending' || root.isResetting)
      root.noteNotified(follow);
    else root.noteWaiting(follow);
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
  let isHidden = false;
  const followHidden = (): void => {
    const snapshot = read(view, reading, undefined, true);
    if (snapshot.status === 'pending' || reading.same(latest, snapshot)) return;
    latest = snapshot;
    hold((queued.current = { view, snapshot }));
  };
  const unsubscribe = view.subscribe(() => (isHidden ? followHidden() : show(look(true))));
  show(look(isCopy));
  if (latest === rendered) {
    // While the reader was hidden or showed another view, a transition may have delayed an older
    // state. The rendered state is queued after it. If nothing is delayed, React does not render.
    if (queued.current && queued.current !== held) hold((queued.current = held));
    // This reader has rendered every write, so readers that are behind must render too.
    root.meet();
  }
  return () => {
    isHidden = true;
    hidden.current = unsubscribe;
    root.forget(follow);
  };
}

let isHydrating = false;
const ask = (): undefined => {
  isHydrating = true;
};
const forget = (): void => {
  isHydrating = false;
};
const never = (): (() => void) => () => {};
const nothing = (): undefined => undefined;

/**
 * True on a server, and in a render that hydrates HTML. React calls `ask` only in these two cases.
 * The hook never causes a render: `ask` and `nothing` both return undefined.
 */
function useIsHydrating(): boolean {
  forget();
  useSyncExternalStore(never, nothing, ask);
  return isHydrating;
}

// Undefined in React 18. The copy, because bundlers refuse an import that React 18 does not export.
const { use: reactUse } = { ...React } as { readonly use?: typeof React.use };

/**
 * Suspends the reader that called `useView` last, until `promise` settles.
 *
 * If three readers wait, each below its own boundary, React 19 can repeat a render in an endless
 * loop, for example after a reset. React repeats a render that threw a promise, but no render that
 * called `use()`. A reader calls `use()` only after many throws, because `use()` pauses the render
 * at each waiting reader. In development, React also logs an error if the next render lacks
 * `use()`.
 *
 * The status stays `'pending'`, so that React renders the component from the start. After
 * `'fulfilled'`, the next `use()` of the component would return the value of this promise. On a
 * server, any status has this effect, so a server only throws.
 */
export function suspend(promise: Promise<unknown> & { thrown?: number }): never {
  promise.thrown = (promise.thrown ?? 0) + 1;
  if (promise.thrown > 500 && !isHydrating)
    reactUse?.(Object.assign(promise.then(nothing, nothing), { status: 'pending' as const }));
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  throw promise;
}
