import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { resultFor } from '../store/results.js';
import type { Result, Store } from '../store/state.js';
import { EndpointView, type ViewHost } from './EndpointView.js';
import { QueryView } from './QueryView.js';

/** The views of one controller: equal questions share one. */
export class Views {
  readonly #host: ViewHost;
  readonly #endpoints = new Map<Result, EndpointView<unknown>>();
  readonly #queries = new Map<unknown, Map<string, QueryView<unknown>>>();

  constructor(host: ViewHost) {
    this.#host = host;
  }

  /** What the observed view of a register shows, if there is one. */
  shown(result: Result): unknown {
    return this.#endpoints.get(result)?.data;
  }

  /** The view of a question to an endpoint. */
  ofEndpoint(
    store: Store,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ): EndpointView<unknown> {
    const result = resultFor(store, endpoint.key(...args), endpoint.schema);
    let view = this.#endpoints.get(result);
    if (!view) {
      view = new EndpointView(this.#host, endpoint, args, store, result);
      this.#endpoints.set(result, view);
    }
    return view;
  }

  /** The view of a question to the store alone. */
  ofQuery(store: Store, schema: unknown, args: readonly unknown[]): QueryView<unknown> {
    const key = JSON.stringify(args) ?? '';
    let views = this.#queries.get(schema);
    if (!views) {
      views = new Map();
      this.#queries.set(schema, views);
    }
    let view = views.get(key);
    if (!view) {
      view = new QueryView<unknown>(key, schema, args, store, this.#host.report);
      views.set(key, view);
    }
    return view;
  }

  /** Goes on with another store, after a reset; whoever listens is told. */
  move(store: Store): void {
    const views = [...this.#endpoints.values()];
    this.#endpoints.clear();
    for (const view of views) {
      // Also one that nobody listens to yet: a suspended reader may hold it.
      const result = resultFor(store, view.key, view.endpoint.schema);
      this.#endpoints.set(result, view);
      view.attach(store, result);
    }
    for (const queries of this.#queries.values()) {
      for (const query of queries.values()) {
        query.attach(store);
      }
    }
  }
}
