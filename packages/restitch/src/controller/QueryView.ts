import { createRoot, unlink } from '../store/nodes.js';
import { queryKeyReader } from '../store/query.js';
import { readNode } from '../store/rebuild.js';
import { type Root, type Store, UNBUILT } from '../store/state.js';
import type { Shape } from '../schema/shape.js';
import { resolved } from './tracked.js';
import type { TrackedPromise, View, ViewSnapshot } from './View.js';

/** What the store holds under a schema and arguments, live. There is no request behind it. */
export class QueryView<T> implements View<T> {
  readonly key: string;
  readonly #shape: Shape;
  readonly #args: readonly unknown[];
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #store: Store;
  #root: Root;
  #snapshot: { readonly status: 'ready'; readonly data: T; readonly stale: false } | undefined;

  constructor(
    key: string,
    shape: Shape,
    args: readonly unknown[],
    store: Store,
    report: (error: unknown) => void,
  ) {
    this.key = key;
    this.#shape = shape;
    this.#args = args;
    this.#report = report;
    this.#store = store;
    this.#root = this.#createRoot();
  }

  /** Goes on with another store, after a reset; whoever listens is told. */
  attach(store: Store): void {
    this.#store = store;
    this.#root = this.#createRoot();
    this.#changed();
  }

  getSnapshot(): ViewSnapshot<T> {
    // The cast: what the root's shape reads as is what the schema says.
    const data = readNode(this.#store, this.#root) as T;
    const before = this.#snapshot;
    if (before && Object.is(before.data, data)) {
      return before;
    }
    this.#snapshot = Object.freeze({ status: 'ready', data, stale: false });
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    const call = (): void => listener();
    this.#listeners.add(call);
    this.#root.onChange = () => this.#changed();
    this.getSnapshot();
    return () => {
      this.#listeners.delete(call);
      if (this.#listeners.size === 0) {
        this.#release();
      }
    };
  }

  load(): TrackedPromise<T> {
    // The cast: reading has just stored the snapshot's data.
    const snapshot = this.getSnapshot() as { readonly data: T };
    return resolved(snapshot.data);
  }

  needsLoad(): boolean {
    return false;
  }

  retain(): () => void {
    return () => {};
  }

  #createRoot(): Root {
    const root = createRoot(this.#shape, queryKeyReader(this.#store, this.#shape, this.#args));
    if (this.#listeners.size > 0) {
      root.onChange = () => this.#changed();
    }
    return root;
  }

  /** Nobody listens: rows need not know of this root any more; a later read builds it again, equal parts kept. */
  #release(): void {
    const root = this.#root;
    root.onChange = undefined;
    for (const child of root.links) {
      unlink(child, root);
    }
    root.links = [];
    root.source = UNBUILT;
    root.stale = true;
  }

  #changed(): void {
    const before = this.#snapshot;
    if (this.getSnapshot() === before) {
      return;
    }
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        this.#report(error);
      }
    }
  }
}
