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

/** Set if a program imports `Endpoint`. The key of a REST endpoint is its URL in every render. */
export const strayHook: { detector?: StrayDetector } = {};
