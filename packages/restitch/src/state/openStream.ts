import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { beginPage, endPage, hydrateStore } from './hydrateStore.js';

/** A stream of the state of one page. */
export interface StateStream {
  /** Stores a part of the state. A damaged part, or one of another version, is only reported. */
  hydrate(state: StoreState): void;
  /**
   * Ends the stream after the last part. Memory grows with every change in the store until this
   * call.
   */
  close(): void;
}

/**
 * Opens a stream for a page whose state arrives in parts. `hydrateController` uses such a stream.
 * Until the stream is closed, all its parts count as older than anything that happens in this
 * store. Later parts count as newer than earlier ones.
 *
 * @remarks Open the stream before the store is used. Otherwise, parts only fill in gaps, like
 * `hydrate`.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { openStream, type StoreState } from 'restitch/state';
 *
 * export function fill(controller: Controller, parts: readonly StoreState[]): void {
 *   const stream = openStream(controller);
 *   for (const part of parts) stream.hydrate(part);
 *   stream.close();
 * }
 * ```
 */
export function openStream(controller: Controller): StateStream {
  const core = internalsOf(controller);
  const target = core.store;
  beginPage(target);
  const take = (state: StoreState): void => {
    // After a reset, state is ignored, because no reader uses the store of the page.
    if (core.store === target) {
      hydrateStore(target, state, true);
    }
  };
  return {
    hydrate: (state) => core.dispatch({ type: 'hydrate', state, take }),
    close: () => endPage(target),
  };
}
