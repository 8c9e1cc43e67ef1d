interface Owner {
  readonly environment: { readonly now: () => number };
}

export interface StrayDetector {
  noteEnd(owner: Owner, key: string): void;
  /** Throws after too many consecutive requests to new endpoints. */
  begin(
    owner: Owner,
    endpoint: { readonly name: string },
    result: { readonly key: string; readonly start: number },
  ): void;
}

/** Set when a program imports `Endpoint`: REST endpoints have the same keys in each render. */
export const strayHook: { detector?: StrayDetector } = {};
