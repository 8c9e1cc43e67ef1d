import { useSyncExternalStore } from 'react';

/** Learns from React that a render takes over HTML: only then it asks for the server's snapshot. */
export class HydrationProbe {
  #wasAsked = false;

  readonly ask = (): undefined => {
    this.#wasAsked = true;
  };

  /** Whether React asked since the last call. */
  take(): boolean {
    const wasAsked = this.#wasAsked;
    this.#wasAsked = false;
    return wasAsked;
  }
}

const never = (): (() => void) => () => {};
const nothing = (): undefined => undefined;

/**
 * Whether the component takes over HTML that a server rendered, in this very render. Both snapshots are the same, so this
 * never causes a render. True on the server too.
 */
export function useIsHydrating(probe: HydrationProbe): boolean {
  useSyncExternalStore(never, nothing, probe.ask);
  return probe.take();
}
