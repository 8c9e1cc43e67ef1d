interface Owner {
  readonly environment: { readonly now: () => number };
}

/** Detects endpoints that are created during render. */
export interface StrayDetector {
  noteEnd(owner: Owner, key: string): void;
  /** Throws after too many consecutive requests to new endpoints. */
  begin(
    owner: Owner,
    endpoint: { readonly name: string },
    result: { readonly key: string; readonly start: number },
  ): void;
}

/**
 * Set when a program imports `Endpoint`. REST endpoints need no detection, because their cache keys
 * are the same after each render.
 */
export const strayHook: { detector?: StrayDetector } = {};
