import { Controller, type ControllerOptions, type StoreState } from '../index.js';
import { QUEUE } from './source.js';
import { inTimeOf } from './state.js';

/** A page in which scripts hand state over. */
interface Page {
  [QUEUE]?: StoreState[];
}

/**
 * Makes the controller of a page that a server rendered: filled with the data that came so far, and listening for what the
 * page still brings. Call it once, before `hydrateRoot`. In a page without data, and on a server, it is an ordinary
 * controller.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { hydrateRoot } from 'react-dom/client';
 * import { DataProvider } from 'restitch/react';
 * import { hydrateController } from 'restitch/ssr';
 *
 * export function start(app: ReactNode): void {
 *   const controller = hydrateController();
 *   hydrateRoot(document, <DataProvider controller={controller}>{app}</DataProvider>);
 * }
 * ```
 */
export function hydrateController(options?: ControllerOptions): Controller {
  const controller = new Controller(options);
  if (typeof document === 'undefined') {
    return controller;
  }
  const stream = controller.openStream();
  const take = (...states: readonly StoreState[]): number => {
    for (const state of states) {
      stream.hydrate(inTimeOf(controller, state));
    }
    return 0;
  };
  // The cast: scripts of this library alone write to it.
  const page = globalThis as Page;
  const queue = (page[QUEUE] ??= []);
  take(...queue.splice(0));
  queue.push = take;
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => stream.close(), { once: true });
  } else {
    stream.close();
  }
  return controller;
}
