import { useSyncExternalStore } from 'react';

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
 * True if this render hydrates HTML from a server, and on the server: React reads the server's
 * snapshot only then. Both snapshots are equal, so the hook never causes a render.
 */
export function useIsHydrating(): boolean {
  take();
  useSyncExternalStore(never, nothing, ask);
  return take();
}
