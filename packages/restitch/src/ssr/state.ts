import type { Controller } from '../index.js';
import { getState, hydrate as hydrateAsIs, type StoreState } from '../state/index.js';

/**
 * Returns the state of a controller as plain data for JSON. Use it to send the state in your own
 * way to another program, which calls `hydrate`.
 *
 * @throws RestitchError if an entity class has no `static key`, or a function endpoint has no
 * `name`.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { dehydrate } from 'restitch/ssr';
 *
 * const props = { state: dehydrate(new Controller()) };
 * ```
 */
export function dehydrate(controller: Controller): StoreState {
  return getState(controller);
}

/**
 * Hydrates a controller with the state that `dehydrate` returned in another program. The clocks of
 * two machines may differ. The remaining lifetimes therefore start now, by the clock of this
 * program.
 *
 * @remarks For state that the same machine stored, use `hydrate` of `restitch/state`: it keeps the
 * times unchanged.
 *
 * @throws TypeError when `state` is not an object.
 *
 * @example
 * ```ts
 * import { Controller, type StoreState } from 'restitch';
 * import { hydrate } from 'restitch/ssr';
 *
 * export function controllerWith(state: StoreState): Controller {
 *   const controller = new Controller();
 *   hydrate(controller, state);
 *   return controller;
 * }
 * ```
 */
export function hydrate(controller: Controller, state: StoreState): void {
  hydrateAsIs(controller, inTimeOf(controller, state));
}

/** Returns invalid state unchanged, because `hydrate` reports it. */
export function inTimeOf({ environment }: Controller, state: StoreState): StoreState {
  try {
    const exportedAt = environment.now();
    const shifted = inTime(state, exportedAt - state.exportedAt);
    return Number.isFinite(state.exportedAt) ? { ...shifted, exportedAt } : state;
  } catch {
    return state;
  }
}

function inTime(state: StoreState, age: number): StoreState {
  // Data that was expired explicitly keeps the time 0.
  const later = (time: number): number => (time > 0 ? time + age : time);
  const part = <T extends { readonly expiresAt: number }>(one: T): T => ({
    ...one,
    expiresAt: later(one.expiresAt),
  });
  return {
    ...state,
    entities: eachIn(state.entities, part),
    lists: eachIn(state.lists, part),
    results: state.results.map((result) => ({
      ...part(result),
      fetchedAt: later(result.fetchedAt),
    })),
  };
}

function eachIn<T>(
  tables: Readonly<Record<string, readonly T[]>>,
  change: (part: T) => T,
): Readonly<Record<string, readonly T[]>> {
  return Array.isArray(tables) || typeof tables !== 'object'
    ? tables
    : Object.fromEntries(
        Object.entries(tables).map(([key, parts]) => [key, parts.map((part) => change(part))]),
      );
}
