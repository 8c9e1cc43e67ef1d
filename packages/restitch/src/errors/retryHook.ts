export interface FailedAttempts {
  readonly count: number;
  readonly error: unknown;
}

/** `note` is undefined in a program that does not load `failedAttempts.ts`. */
export const retryHook: {
  note?: (signals: readonly (AbortSignal | null | undefined)[], attempts: FailedAttempts) => void;
} = {};
