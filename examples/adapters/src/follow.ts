import type { View, ViewSnapshot } from 'restitch';

/** Calls `show` now and after each change. Fetches when needed. Returns a stop function. */
export function follow<T>(view: View<T>, show: (snapshot: ViewSnapshot<T>) => void): () => void {
  const update = (isMounted: boolean): void => {
    if (view.needsLoad(isMounted)) void view.load();
    show(view.getSnapshot());
  };
  const stop = view.subscribe(() => update(true));
  update(false);
  return stop;
}
