import type { Action } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Core } from '../controller/Core.js';
import { internalsOf } from '../controller/internals.js';
import { Listeners } from '../controller/Listeners.js';
import { observe } from '../controller/observeChanges.js';
import type { ChangeSet } from './ChangeSet.js';
import { Feed } from './ChangeFeed.js';

/**
 * Calls `listener` after each change of the confirmed data of a store. Use it to persist the data,
 * send it to other tabs, or log it. Returns a function that removes the listener.
 *
 * @remarks Optimistic updates are left out: a change is reported once it is confirmed, and a failed
 * mutation reports nothing. A batch reports one change. Evictions by garbage collection and
 * writes of equal data are not reported. The listener is called synchronously, before
 * readers are notified. It may write to the store.
 *
 * The state that `getState` returned, with all later changes applied, is the current state.
 *
 * @example
 * ```ts
 * import type { Controller } from 'restitch';
 * import { changes } from 'restitch/state';
 *
 * export function log(controller: Controller): () => void {
 *   return changes(controller, ({ cause, rows }) => {
 *     for (const { entity, pk, fields } of rows) {
 *       console.log(cause, entity, pk, fields ?? 'deleted');
 *     }
 *   });
 * }
 * ```
 */
export function changes(controller: Controller, listener: (change: ChangeSet) => void): () => void {
  const core = internalsOf(controller);
  const feed = feeds.get(core) ?? new ControllerFeed(core);
  feeds.set(core, feed);
  return feed.listen(listener);
}

const feeds = new WeakMap<Core, ControllerFeed>();

type Cause = ChangeSet['cause'];

class ControllerFeed {
  readonly #core: Core;
  readonly #listeners: Listeners<[ChangeSet]>;
  #feed: Feed | undefined;
  #stop: (() => void) | undefined;
  #cause: Cause | undefined;
  #running = 0;
  #seq = 0;

  constructor(core: Core) {
    this.#core = core;
    this.#listeners = new Listeners(core.environment.report);
    core.addManager({ middleware: () => (next) => (action) => this.#during(action, next) });
  }

  listen(listener: (change: ChangeSet) => void): () => void {
    if (this.#listeners.size === 0) {
      this.#feed = new Feed(this.#core.store);
      this.#stop = observe(this.#core, (store, touched) => {
        const reset = touched.isReset && this.#changeSet('reset', EMPTY);
        if (touched.isReset) {
          this.#feed = new Feed(store, true);
        }
        const found = this.#feed?.take(touched);
        const rest = found && this.#changeSet(this.#cause ?? 'local', found);
        if (this.#running === 0) {
          this.#cause = undefined;
        }
        return () => {
          for (const change of [reset, rest]) {
            if (change) {
              this.#listeners.notify(change);
            }
          }
        };
      });
    }
    const remove = this.#listeners.add(listener);
    return () => {
      if (remove() && this.#listeners.size === 0) {
        this.#stop?.();
        this.#feed = undefined;
      }
    };
  }

  #changeSet(cause: Cause, found: Pick<ChangeSet, 'rows' | 'lists' | 'results'>): ChangeSet {
    this.#seq += 1;
    return { seq: this.#seq, at: this.#core.environment.now(), cause, ...found };
  }

  #during(action: Action, next: (action: Action) => void): void {
    const cause = CAUSES[action.type];
    if (cause) {
      this.#cause = this.#cause === undefined || this.#cause === cause ? cause : 'local';
    }
    this.#running += 1;
    try {
      next(action);
    } finally {
      this.#running -= 1;
      // In a batch, the cause stays until the batch ends.
      if (this.#running === 0 && this.#core.store.depth === 0) {
        this.#cause = undefined;
      }
    }
  }
}

const EMPTY = { rows: [], lists: [], results: [] };

const CAUSES: { readonly [type in Action['type']]?: Cause } = {
  receive: 'response',
  fail: 'response',
  set: 'local',
  setResponse: 'local',
  setError: 'local',
  invalidate: 'local',
  invalidateAll: 'local',
  invalidateWhere: 'local',
  expireAll: 'local',
  expireStale: 'local',
  expireWhere: 'local',
  hydrate: 'hydrate',
};
