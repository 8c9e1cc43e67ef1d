/** A controller: its clock, and the identity of what is counted. */
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
 * The detector. It is undefined until a program uses `Endpoint`: the cache keys of REST endpoints
 * are the same after each render.
 */
export const strayHook: { detector?: StrayDetector } = {};
