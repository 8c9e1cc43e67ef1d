/**
 * What the controller takes from its host. Replace any part, for example the clock in tests.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 *
 * let now = 0;
 * const controller = new Controller({ environment: { now: () => now } });
 * now += 60_000;
 * ```
 */
export interface Environment {
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now: () => number;
  /** Called with what a listener, a manager or a class callback threw where no caller can be told. Default: `console.error`. */
  readonly report: (error: unknown) => void;
}

export function createEnvironment(parts: Partial<Environment> = {}): Environment {
  return {
    now: () => Date.now(),
    // oxlint-disable-next-line no-console -- the documented last resort
    report: (error) => console.error(error),
    ...parts,
  };
}
