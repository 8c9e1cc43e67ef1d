/** The frequency of alternatives. */
import fc from 'fast-check';
import type { Expression } from './program.js';

// Failures shrink from any alternative to the first one.
export const CROSS = { withCrossShrink: true } as const;

/** The first of the values is what failures shrink to, and comes up as often as all others together. */
export function mostly<T>(first: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    CROSS,
    { weight: 1, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(first, ...others) },
  );
}

/** Nothing, unless it is one of `of` times. */
export function seldom<T>(of: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    CROSS,
    { weight: of - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );
}

/** One of a list of expressions. */
export const oneOf = (list: readonly Expression[]): fc.Arbitrary<Expression> =>
  mostly(...(list as [Expression]));

/** Values by how often they come up; failures shrink to the first. */
export const weighted = <T>(
  list: readonly (readonly [weight: number, value: T])[],
): fc.Arbitrary<T> =>
  fc.oneof(CROSS, ...list.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
