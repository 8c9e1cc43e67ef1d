import type { Controller, StoreState } from '../index.js';

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
  return controller.getState();
}

/**
 * Fills a controller with what `dehydrate` gave in another program. Lifetimes go on from now by the clock of this program:
 * clocks of two machines may differ. For state that the same machine kept, use `controller.hydrate`, which takes times as they
 * are.
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
  controller.hydrate(inTimeOf(controller, state));
}

/** The same state with the times of the controller's own clock. */
export function inTimeOf({ environment }: Controller, state: StoreState): StoreState {
  if (typeof state !== 'object' || state === null || state.version !== 1) {
    // The controller says what is wrong with it.
    return state;
  }
  const exportedAt = environment.now();
  const age = exportedAt - state.exportedAt;
  // Zero is no time: it says that the data was expired by hand.
  const later = <T extends { readonly expiresAt: number }>(part: T): T => ({
    ...part,
    expiresAt: part.expiresAt > 0 ? part.expiresAt + age : 0,
  });
  return {
    ...state,
    exportedAt,
    entities: eachIn(state.entities, later),
    lists: eachIn(state.lists, later),
    results: state.results.map((result) => ({
      ...later(result),
      fetchedAt: result.fetchedAt + age,
    })),
  };
}

function eachIn<T>(
  tables: Readonly<Record<string, readonly T[]>>,
  change: (part: T) => T,
): Readonly<Record<string, readonly T[]>> {
  return Object.fromEntries(
    Object.entries(tables).map(([key, parts]) => [key, parts.map((part) => change(part))]),
  );
}
