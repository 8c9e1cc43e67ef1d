/** Whether two types are the same, `any` and `readonly` distinguished. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only when the comparison holds: `same<Equal<A, B>>()`. */
export declare function same<_Comparison extends true>(): void;
