/** The part of a controller that the detector needs. Requests are counted for each controller. */
interface Owner {
  readonly environment: { readonly now: () => number };
}

/** Detects endpoints that are created during render. */
export interface StrayDetector {
  /** Records the end of a read. */
  noteEnd(owner: Owner, key: string): void;
  /** Records a reader's request. Throws after too many consecutive requests to new endpoints. */
  begin(
    owner: Owner,
    endpoint: { readonly name: string },
    result: { readonly key: string; readonly start: number },
  ): void;
}

/**
 * Holds the detector, or undefined until a program uses `Endpoint`. REST endpoints do not need it,
 * because their cache keys are the same after each render.
 */
export const strayHook: { detector?: StrayDetector } = {};
