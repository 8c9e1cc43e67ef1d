import type { View, ViewSnapshot } from 'restitch';

/** Tells `show` what a view shows, now and after each change, and has it fetched while needed; returns how to stop. */
export function follow<T>(view: View<T>, show: (snapshot: ViewSnapshot<T>) => void): () => void {
  const tell = (isMounted: boolean): void => {
    if (view.needsLoad(isMounted)) void view.load();
    show(view.getSnapshot());
  };
  const stop = view.subscribe(() => tell(true));
  tell(false);
  return stop;
}
