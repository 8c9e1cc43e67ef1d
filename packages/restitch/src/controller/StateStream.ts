import type { StoreState } from '../store/exportState.js';
import { beginPage, endPage } from '../store/hydrate.js';
import type { Store } from '../store/state.js';
import type { Dispatch, HydrateAction } from './actions.js';

/** A page that brings state in parts: see `controller.openStream`. */
export interface StateStream {
  /** Takes the next part. */
  hydrate(state: StoreState): void;
  /** The page has arrived as a whole. Without this call, everything that happens is remembered one by one. */
  close(): void;
}

/** The stream of one store: after a reset its parts fall into what nobody reads any more. */
export class PageStream implements StateStream {
  readonly #store: Store;
  readonly #dispatch: Dispatch;

  constructor(store: Store, dispatch: Dispatch) {
    this.#store = store;
    this.#dispatch = dispatch;
    beginPage(store);
  }

  readonly hydrate = (state: StoreState): void => {
    this.#dispatch({ type: 'hydrate', state, stream: this });
  };

  readonly close = (): void => endPage(this.#store);

  /** Whether an action is about a store: one that belongs to no stream is about any. */
  static concerns({ stream }: HydrateAction, store: Store): boolean {
    return !(stream instanceof PageStream) || stream.#store === store;
  }
}
