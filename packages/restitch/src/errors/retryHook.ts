export interface FailedAttempts {
  readonly count: number;
  readonly error: unknown;
}

/**
 * Receives each failed attempt that will be repeated, with the signals of its request. It is empty
 * until a program loads `failedAttempts.ts`, because nothing else counts attempts.
 */
export const retryHook: {
  note?: (signals: readonly (AbortSignal | null | undefined)[], attempts: FailedAttempts) => void;
} = {};
