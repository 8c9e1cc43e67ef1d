import type { Shape } from '../schema/shape.js';
import { queryKey } from '../store/query.js';
import { readNode } from '../store/rebuild.js';
import type { Store } from '../store/state.js';
import { LiveView } from './LiveView.js';
import { resolved } from './tracked.js';
import type { TrackedPromise, ViewSnapshot } from './View.js';

/** What the store holds under a schema and arguments, live. There is no request behind it. */
export class QueryView<T> extends LiveView<T> {
  readonly key: string;
  readonly fetchedAt = undefined;
  readonly #shape: Shape;
  readonly #args: readonly unknown[];

  constructor(
    key: string,
    shape: Shape,
    args: readonly unknown[],
    store: Store,
    report: (error: unknown) => void,
  ) {
    super(report, store, shape, named(shape, args));
    this.key = key;
    this.#shape = shape;
    this.#args = args;
  }

  /** Goes on with another store, after a reset. */
  attach(store: Store): void {
    this.move(store, this.#shape, named(this.#shape, this.#args));
  }

  load(): TrackedPromise<T> {
    return resolved(this.#read());
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
    this.unlinkRoot();
  }

  #read(): T {
    // The cast: what the root's shape reads as is what the schema says.
    return readNode(this.store, this.root) as T;
  }
}

/** What a question names: the same object at each look. */
function named(shape: Shape, args: readonly unknown[]): () => unknown {
  const reference = queryKey(shape, args);
  return () => reference;
}
