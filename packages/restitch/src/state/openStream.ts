import type { Controller } from '../controller/Controller.js';
import { internalsOf } from '../controller/internals.js';
import type { StoreState } from '../store/cells/StoreState.js';
import { beginPage, endPage, hydrateStore } from './hydrateStore.js';

/** A page that brings state in parts: see `openStream`. */
export interface StateStream {
  /** Takes the next part. */
  hydrate(state: StoreState): void;
  /** The page has arrived as a whole. Without this call, everything that happens is remembered one by one. */
  close(): void;
}

/**
 * For a page whose state arrives in parts, as `hydrateController` reads it: until the stream is closed, all its parts count
 * as older than anything that happens here, and later parts as newer than earlier ones. Open it first of all: in a store
 * in which something happened already, parts only fill in, as with `hydrate`.
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
    // After a reset the page is about what nobody reads any more.
    if (core.store === target) {
      hydrateStore(target, state, true);
    }
  };
  return {
    hydrate: (state) => core.dispatch({ type: 'hydrate', state, take }),
    close: () => endPage(target),
  };
}
