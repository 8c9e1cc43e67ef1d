import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { canonicalText } from '../schema/argText.js';
import { usedShape } from '../schema/usedShape.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { EndpointView } from './EndpointView.js';
import type { LiveView } from './LiveView.js';
import { QueryView } from './QueryView.js';
import { registerOf } from './registers.js';

/** The views of one controller: equal questions share one. */
export class Views {
  readonly #core: Core;
  readonly #endpoints = new Map<Result, EndpointView<unknown>>();
  readonly #queries = new Map<unknown, Map<string, QueryView<unknown>>>();
  /** Every view that is attached to the store. */
  readonly #attached = new Set<LiveView<unknown>>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Takes a view back that was dropped and is used again: it goes on with the store of today. */
  adopt(view: LiveView<unknown>): void {
    view.attach(this.#core.store);
    this.#add(view);
  }

  /** The view of a question to an endpoint. */
  ofEndpoint(
    store: Store,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ): EndpointView<unknown> {
    const result = registerOf(store, endpoint, args);
    let view = this.#endpoints.get(result);
    if (!view) {
      view = new EndpointView(this.#core, endpoint, args, store, result);
      this.#add(view);
    }
    return view;
  }

  /** The view of a question to the store alone. */
  ofQuery(store: Store, schema: unknown, args: readonly unknown[]): QueryView<unknown> {
    usedShape(schema);
    const key = canonicalText(args);
    let view = this.#queries.get(schema)?.get(key);
    if (!view) {
      view = new QueryView<unknown>(this.#core, key, schema, args, store);
      this.#add(view);
    }
    return view;
  }

  get count(): number {
    return this.#attached.size;
  }

  /** Every view; one that is added meanwhile is given too. */
  all(): Iterable<LiveView<unknown>> {
    return this.#attached;
  }

  /** Forgets a view that nobody holds. */
  drop(view: LiveView<unknown>): void {
    this.#attached.delete(view);
    if (view instanceof EndpointView && this.#endpoints.get(view.result) === view) {
      this.#endpoints.delete(view.result);
    }
    if (view instanceof QueryView) {
      const queries = this.#queries.get(view.schema);
      if (queries?.get(view.key) === view) {
        queries.delete(view.key);
        if (queries.size === 0) {
          this.#queries.delete(view.schema);
        }
      }
    }
    view.drop();
  }

  /** Goes on with another store, after a reset; whoever listens is told. */
  move(store: Store, aborted: ReadonlySet<Result | undefined>, pauses: boolean): void {
    const views = [...this.#attached];
    this.#endpoints.clear();
    for (const view of views) {
      // Also one that nobody listens to yet: a suspended reader may hold it.
      view.attach(store, aborted, pauses);
      this.#add(view);
    }
  }

  /** A question keeps the view it has: one that was dropped and is used again stays beside it. */
  #add(view: LiveView<unknown>): void {
    this.#attached.add(view);
    if (view instanceof EndpointView && !this.#endpoints.has(view.result)) {
      this.#endpoints.set(view.result, view);
    }
    if (view instanceof QueryView) {
      const queries = this.#queries.get(view.schema) ?? new Map<string, QueryView<unknown>>();
      this.#queries.set(view.schema, queries);
      if (!queries.has(view.key)) {
        queries.set(view.key, view);
      }
    }
  }
}
