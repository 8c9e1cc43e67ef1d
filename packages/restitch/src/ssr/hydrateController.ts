import { Controller, type ControllerOptions } from '../index.js';
import { openStream, type StoreState } from '../state/index.js';
import { QUEUE } from './source.js';
import { inTimeOf } from './state.js';

/** A page in which scripts hand state over. */
interface Page {
  [QUEUE]?: StoreState[] & { controller?: Controller };
}

/**
 * Makes the controller of a page that a server rendered: filled with the data that came so far, and listening for what the
 * page still brings. Call it before `hydrateRoot`; called again in the same page it gives the same controller. In a page
 * without data it is an ordinary one. On a server it is one whose clock may be read where a framework prerenders.
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
  // The cast: scripts of this library alone write an array there; an element with that `id` or `name` stands there without any.
  const page = globalThis as Page;
  const queue = Array.isArray(page[QUEUE]) ? page[QUEUE] : (page[QUEUE] = []);
  // Strict Mode calls initializers twice, and the page's data come once.
  return (queue.controller ??= listening(queue, new Controller(options)));
}

/**
 * The time of day, for a page that is rendered. Next.js refuses `Date` where it prerenders, and means this for intervals:
 * https://nextjs.org/docs/messages/next-prerender-current-time-client
 */
function pageTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Fills a controller with what is in a queue, and from now on with what is pushed to it. */
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
