import type { Controller } from '../index.js';
import { getState, hydrate as hydrateAsIs, type StoreState } from '../state/index.js';

/**
 * What a controller holds, as plain data for JSON: to hand it to `hydrate` in another program by a way of your own.
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
 * Fills a controller with what `dehydrate` gave in another program. Lifetimes go on from now by the clock of this program:
 * clocks of two machines may differ. For state that the same machine kept, use `hydrate` of `restitch/state`, which takes
 * times as they are.
 *
 * @throws TypeError when `state` is no object.
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

/** The same state with the times of the controller's own clock. What is no state stays as it is: the controller says so. */
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
  // Zero is no time: it says that the data was expired by hand.
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
