import type { Schema } from '../schema/Schema.js';
import { shapeOf } from '../schema/shape.js';
import { forgetLinks } from '../store/nodes.js';
import { queryKey, queryShape } from '../store/query.js';
import { readNode } from '../store/rebuild.js';
import type { Store } from '../store/state.js';
import { LiveView, type LiveHost } from './LiveView.js';
import { resolved } from './tracked.js';
import type { TrackedPromise, ViewSnapshot } from './View.js';

/** What the store holds under a schema and arguments, live. There is no request behind it. */
export class QueryView<T> extends LiveView<T> {
  readonly key: string;
  readonly schema: Schema;
  readonly fetchedAt = undefined;
  readonly isFetching = false;
  readonly isPaused = false;
  readonly #args: readonly unknown[];

  constructor(host: LiveHost, key: string, schema: Schema, args: readonly unknown[], store: Store) {
    super(host, store, queryShape(schema), args, named(schema, args));
    this.key = key;
    this.schema = schema;
    this.#args = args;
  }

  attach(store: Store): void {
    this.move(store, queryShape(this.schema), this.#args, named(this.schema, this.#args));
  }

  load(): TrackedPromise<T> {
    this.use();
    return resolved(this.#read());
  }

  refetch(): TrackedPromise<T> {
    return this.load();
  }

  needsLoad(): boolean {
    return false;
  }

  protected look(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    const data = this.#read();
    return before?.status === 'ready' && Object.is(before.data, data)
      ? before
      : Object.freeze({ status: 'ready', data, stale: false });
  }

  protected release(): void {
    forgetLinks(this.root);
  }

  #read(): T {
    // The cast: what the root's shape reads as is what the schema says.
    return readNode(this.store, this.root) as T;
  }
}

/** What a question names: the same object at each look. */
function named(schema: Schema, args: readonly unknown[]): () => unknown {
  const reference = queryKey(shapeOf(schema), args);
  return () => reference;
}
