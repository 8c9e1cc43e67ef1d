import type { EndpointError } from '../errors/EndpointError.js';
import { createRoot, forgetLinks } from '../store/views/nodes.js';
import type { Cell } from '../store/cells/Cell.js';
import { findCell } from '../store/views/queries.js';
import { readNode } from '../store/views/readNode.js';
import { renderingHook } from '../store/cells/rendering.js';
import type { Shape } from '../schema/shapes.js';
import type { Result } from '../store/cells/Result.js';
import type { Root } from '../store/views/Node.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { Listeners } from './Listeners.js';
import { deferred } from './trackedPromise.js';
import { sameFields } from '../schema/same.js';
import type { FetchStatus, TrackedPromise, View, ViewSnapshot } from './View.js';

/** The view of a schema, and the base class of the view of an endpoint. */
export class LiveView<T> implements View<T> {
  declare readonly key: string;
  declare protected readonly core: Core;
  readonly #listeners: Listeners;
  #leases = 0;
  #snapshot: ViewSnapshot<T> | undefined;
  /** The snapshot of the last notification. `#snapshot` may be newer: every read updates it. */
  #notified: ViewSnapshot<T> | undefined;
  declare protected store: Store;
  declare root: Root;

  constructor(
    core: Core,
    key: string,
    shape: Shape,
    args: readonly unknown[],
    current: () => unknown,
    result?: Result,
  ) {
    this.core = core;
    this.key = key;
    this.#listeners = new Listeners(core.store.report);
    this.#enter(createRoot(shape, args, current, result));
  }

  get id(): unknown {
    return this.root.result ?? this.key;
  }

  get fetchedAt(): number | undefined {
    return undefined;
  }

  get fetchStatus(): FetchStatus {
    return 'idle';
  }

  get isPaused(): boolean {
    return false;
  }

  load(_signal?: AbortSignal, _isRetried?: boolean, _isExplicit?: boolean): TrackedPromise<T> {
    const { promise, resolve } = deferred<T>();
    this.use();
    resolve(this.read());
    return promise;
  }

  refetch(signal?: AbortSignal): TrackedPromise<T> {
    return this.load(signal, false, true);
  }

  needsLoad(_mounted?: boolean): boolean {
    return false;
  }

  /** Moves the view to the current store. `pauses`: true after a reset with `refetch: false`. */
  attach(_aborted?: ReadonlySet<Result | undefined>, _pauses?: boolean): void {
    this.move(this.root.current);
  }

  protected nextSnapshot(_before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    return { status: 'ready', data: this.read(), stale: false };
  }

  protected hasNews(): boolean {
    return false;
  }

  protected release(): void {
    forgetLinks(this.root);
  }

  protected read(): T {
    // The cast: `T` and the shape of the root come from the same schema.
    return readNode(this.store, this.root) as T;
  }

  protected cell(): Cell | undefined {
    return findCell(this.store, this.root.shape, this.root.current());
  }

  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  get isHeld(): boolean {
    return this.isObserved || this.#leases > 0;
  }

  getSnapshot(): ViewSnapshot<T> {
    this.use();
    const before = this.#snapshot;
    const next = this.nextSnapshot(before);
    return (this.#snapshot = before && sameFields(before, next) ? before : Object.freeze(next));
  }

  getServerSnapshot(isSending = false): ViewSnapshot<T> {
    const live = this.getSnapshot();
    if (isSending && live.status === 'ready') {
      renderingHook.note?.(this.store, this.root);
    }
    // The cast: `T` and the shape of the root come from the same schema.
    return (this.store.hydrated?.readSnapshot(this.root, live) ?? live) as ViewSnapshot<T>;
  }

  subscribe(listener: () => void): () => void {
    this.use();
    if (!this.isObserved) {
      // Data that an earlier reader showed says nothing about the data of this reader.
      this.getSnapshot();
    }
    const stop = this.#listeners.add(listener);
    this.#listen();
    this.#notified = this.getSnapshot();
    return () => {
      if (stop() && !this.isObserved) {
        this.root.onChange = undefined;
        this.#left();
      }
    };
  }

  retain(): () => void {
    this.use();
    this.#leases += 1;
    let isHolding = true;
    return () => {
      if (isHolding) {
        isHolding = false;
        this.#leases -= 1;
        this.#left();
      }
    };
  }

  /** A caller that kept a dropped view can use the view again. */
  drop(): void {
    const { root } = this;
    forgetLinks(root);
    if (root.result) {
      root.result.roots = root.result.roots.filter((other) => other !== root);
    }
  }

  /** Records the use: garbage collection removes the least recently used data first. */
  protected use(): void {
    if (!this.core.views.attached.has(this)) {
      this.core.views.adopt(this);
    }
    const { store, root } = this;
    store.uses += 1;
    root.usedIn = store.uses;
    if (root.result) {
      root.result.usedIn = store.uses;
    }
    store.usedInSweep?.add(root);
  }

  protected move(current: () => unknown, result?: Result): void {
    const { shape, args } = this.root;
    this.drop();
    this.#enter(createRoot(result?.shape ?? shape, args, current, result));
    if (this.isObserved) {
      this.#listen();
      this.store.notify.add(this.root);
    }
  }

  #enter(root: Root): void {
    this.store = this.core.store;
    this.root = root;
    if (root.result) {
      // Without this entry, a write to the result would not notify the view.
      root.result.roots = [...root.result.roots, root];
    }
  }

  #left(): void {
    if (!this.isHeld) {
      this.release();
    }
  }

  #listen(): void {
    this.root.onChange = () => this.#notify();
  }

  #notify(): void {
    try {
      const next = this.getSnapshot();
      const hasNews = this.hasNews();
      if (next === this.#notified && !hasNews) {
        return;
      }
      this.#notified = next;
    } catch (error) {
      // A failed read counts as a change. Each listener gets the error when it reads the snapshot.
      this.store.report(error);
    }
    this.#listeners.notify();
  }
}

export function errorOf(snapshot: ViewSnapshot<unknown>): EndpointError | undefined {
  return snapshot.status === 'pending' ? undefined : snapshot.error;
}
