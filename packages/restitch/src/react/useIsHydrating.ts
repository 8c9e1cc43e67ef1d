import { useSyncExternalStore } from 'react';

/** Detects a render that hydrates HTML, because React reads the server's snapshot only then. */
export class HydrationProbe {
  #wasAsked = false;

  readonly ask = (): undefined => {
    this.#wasAsked = true;
  };

  /** Returns true if React read it since the last call. */
  take(): boolean {
    const wasAsked = this.#wasAsked;
    this.#wasAsked = false;
    return wasAsked;
  }
}

const never = (): (() => void) => () => {};
const nothing = (): undefined => undefined;

/**
 * True if this render hydrates HTML from a server, and on the server. Both snapshots are equal, so
 * the hook never causes a render.
 */
export function useIsHydrating(probe: HydrationProbe): boolean {
  useSyncExternalStore(never, nothing, probe.ask);
  return probe.take();
}
