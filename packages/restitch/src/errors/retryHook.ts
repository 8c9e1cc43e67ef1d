export interface FailedAttempts {
  readonly count: number;
  readonly error: unknown;
}

/**
 * `note` receives each failed attempt that will be repeated, with the signals of its request. In a
 * program that does not load `failedAttempts.ts`, `note` is undefined.
 */
export const retryHook: {
  note?: (signals: readonly (AbortSignal | null | undefined)[], attempts: FailedAttempts) => void;
} = {};
