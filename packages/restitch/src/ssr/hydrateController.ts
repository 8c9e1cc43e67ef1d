import { Controller, type ControllerOptions } from '../index.js';
import { openStream, type StoreState } from '../state/index.js';
import { QUEUE } from './source.js';
import { inTimeOf } from './state.js';

interface Page {
  [QUEUE]?: StoreState[] & { controller?: Controller };
}

/**
 * Returns the controller of a page that a server rendered. It contains the data that has arrived so
 * far and receives the data that the page still loads. Call this function before `hydrateRoot`.
 * Another call in the same page returns the same controller.
 *
 * @remarks On a page without data, it returns an ordinary controller. On a server, the controller
 * reads the time from `performance`, because Next.js rejects `Date` while it prerenders.
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
  if (typeof document === 'undefined') {
    return new Controller({ ...options, environment: { now: pageTime, ...options?.environment } });
  }
  // The cast: `Array.isArray` checks it. An element with the `id` `__restitch` is a global, too.
  const page = globalThis as Page;
  const queue = Array.isArray(page[QUEUE]) ? page[QUEUE] : (page[QUEUE] = []);
  // React may call an initializer twice, but the data of the page arrives once.
  return (queue.controller ??= listening(queue, new Controller(options)));
}

/** Avoids `Date`: https://nextjs.org/docs/messages/next-prerender-current-time-client */
function pageTime(): number {
  return performance.timeOrigin + performance.now();
}

function listening(queue: StoreState[], controller: Controller): Controller {
  const stream = openStream(controller);
  const take = (...states: readonly StoreState[]): number => {
    for (const state of states) {
      stream.hydrate(inTimeOf(controller, state));
    }
    return 0;
  };
  take(...queue.splice(0));
  queue.push = take;
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => stream.close(), { once: true });
  } else {
    stream.close();
  }
  return controller;
}
