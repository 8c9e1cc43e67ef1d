import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { canonicalText } from '../schema/argText.js';
import { ownText } from '../schema/identity.js';
import { usedShape } from '../schema/usedShape.js';
import { questionOf } from '../store/views/queries.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { EndpointView } from './EndpointView.js';
import { LiveView } from './LiveView.js';
import { registerOf } from './registers.js';

/** The views of one controller: equal questions share one. */
export class Views {
  readonly #core: Core;
  /** By register, or for a question to the store alone by key. */
  readonly #shared = new Map<unknown, LiveView<unknown>>();
  /** Every view that is attached to the store. */
  readonly attached: Set<LiveView<unknown>> = new Set();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The view of a question to an endpoint. */
  ofEndpoint(
    store: Store,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ): EndpointView<unknown> {
    const result = registerOf(store, endpoint, args);
    const view =
      this.#shared.get(result) ??
      this.#add(new EndpointView(this.#core, endpoint, args, store, result));
    // The cast: no other views are found by a register.
    return view as EndpointView<unknown>;
  }

  /** The view of a question to the store alone. */
  ofQuery(schema: unknown, args: readonly unknown[]): LiveView<unknown> {
    usedShape(schema);
    // The cast: what is its own object is none of the plain values.
    const own = Object(schema) === schema ? ownText(schema as object) : '';
    const key = `${own} ${canonicalText(args)}`;
    const view = this.#shared.get(key);
    if (view) {
      return view;
    }
    const { shape, reference } = questionOf(schema, args);
    return this.#add(new LiveView(this.#core, this.#core.store, key, shape, args, () => reference));
  }

  /** Forgets a view that nobody holds. */
  drop(view: LiveView<unknown>): void {
    this.attached.delete(view);
    if (this.#shared.get(view.id) === view) {
      this.#shared.delete(view.id);
    }
    view.drop();
  }

  /** Takes a view back that was dropped and is used again: it goes on with the store of today. */
  adopt(view: LiveView<unknown>): void {
    view.attach(this.#core.store);
    this.#add(view);
  }

  /** Goes on with another store, after a reset; whoever listens is told. */
  move(store: Store, aborted: ReadonlySet<Result | undefined>, pauses: boolean): void {
    const views = [...this.attached];
    this.#shared.clear();
    for (const view of views) {
      // Also one that nobody listens to yet: a suspended reader may hold it.
      view.attach(store, aborted, pauses);
      this.#add(view);
    }
  }

  /** A question keeps the view it has: one that was dropped and is used again stays beside it. */
  #add(view: LiveView<unknown>): LiveView<unknown> {
    this.attached.add(view);
    if (!this.#shared.has(view.id)) {
      this.#shared.set(view.id, view);
    }
    return view;
  }
}
