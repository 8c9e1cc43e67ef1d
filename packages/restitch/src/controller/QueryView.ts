import type { Schema } from '../schema/Schema.js';
import { forgetLinks } from '../store/views/nodes.js';
import { questionOf } from '../store/views/queries.js';
import { readNode } from '../store/views/readNode.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { LiveView } from './LiveView.js';
import { resolved } from './tracked.js';
import type { TrackedPromise, ViewSnapshot } from './View.js';

/** What the store holds under a schema and arguments, live. There is no request behind it. */
export class QueryView<T> extends LiveView<T> {
  readonly key: string;
  readonly schema: Schema;
  readonly fetchedAt = undefined;
  readonly isFetching = false;
  readonly isPaused = false;

  constructor(core: Core, key: string, schema: Schema, args: readonly unknown[], store: Store) {
    const { shape, reference } = questionOf(schema, args);
    super(core, store, shape, args, () => reference);
    this.key = key;
    this.schema = schema;
  }

  attach(store: Store): void {
    this.move(store, this.root.current);
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
