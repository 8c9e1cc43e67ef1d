import { createRoot, forgetLinks } from '../store/views/nodes.js';
import { readNode } from '../store/views/readNode.js';
import { noteRendered } from '../store/cells/rendering.js';
import type { Shape } from '../schema/shapes.js';
import type { Result } from '../store/cells/Result.js';
import type { Root } from '../store/views/Node.js';
import type { Store } from '../store/cells/Store.js';
import type { Core } from './Core.js';
import { Listeners } from './Listeners.js';
import { deferred } from './tracked.js';
import type { TrackedPromise, View, ViewSnapshot } from './View.js';

/**
 * A question to the store alone, and what is common to all views: it remembers its snapshot, and tells its listeners when
 * that became another one.
 */
export class LiveView<T> implements View<T> {
  readonly key: string;
  protected readonly core: Core;
  readonly #listeners: Listeners;
  #leases = 0;
  #isDropped = false;
  #snapshot: ViewSnapshot<T> | undefined;
  /** What the listeners were told last: somebody else may have read a newer snapshot before they hear of it. */
  #told: ViewSnapshot<T> | undefined;
  protected store: Store;
  root: Root;

  constructor(
    core: Core,
    store: Store,
    key: string,
    shape: Shape,
    args: readonly unknown[],
    current: () => unknown,
    result?: Result,
  ) {
    this.core = core;
    this.key = key;
    this.#listeners = new Listeners(core.environment.report);
    this.store = store;
    this.root = enlisted(createRoot(shape, args, current, result));
  }

  /** What equal questions have in common. */
  get id(): unknown {
    return this.root.result ?? this.key;
  }

  get fetchedAt(): number | undefined {
    return undefined;
  }

  get isFetching(): boolean {
    return false;
  }

  get isPaused(): boolean {
    return false;
  }

  /** As the interface says. `isAsked`: not by a reader, but by somebody who wants it anew. */
  load(_signal?: AbortSignal, _isRetried?: boolean, _isAsked?: boolean): TrackedPromise<T> {
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

  /**
   * Goes on with another store; whoever listens is told at the end of the running commit. `aborted` are the registers whose
   * next answers will not come. `pauses`: readers wait until the application lets them ask.
   */
  attach(store: Store, _aborted?: ReadonlySet<Result | undefined>, _pauses?: boolean): void {
    this.move(store, this.root.current);
  }

  /** What is to be shown now; `before` itself where nothing changed. */
  protected look(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    const data = this.read();
    return before?.status === 'ready' && Object.is(before.data, data)
      ? before
      : Object.freeze({ status: 'ready', data, stale: false });
  }

  /** Whether listeners have to act although they are shown the same. */
  protected hasNews(): boolean {
    return false;
  }

  /** The last one who held it left. */
  protected release(): void {
    forgetLinks(this.root);
  }

  protected read(): T {
    // The cast: what the root's shape reads as is what the schema says.
    return readNode(this.store, this.root) as T;
  }

  /** Whether somebody hears of changes. */
  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether somebody hears of changes or wants the data to be kept. */
  get isHeld(): boolean {
    return this.isObserved || this.#leases > 0;
  }

  getSnapshot(): ViewSnapshot<T> {
    this.use();
    this.#snapshot = this.look(this.#snapshot);
    return this.#snapshot;
  }

  getServerSnapshot(isSending = false): ViewSnapshot<T> {
    const live = this.getSnapshot();
    if (isSending && live.status === 'ready') {
      noteRendered(this.store, this.root);
    }
    const served = this.store.hydrated?.readServed(this.root);
    if (!served || (served.isCurrent && live.status === 'ready' && !live.stale)) {
      return live;
    }
    // The cast: what the root's shape reads as is what the question's schema says.
    return Object.freeze({ status: 'ready', data: served.value as T, stale: false });
  }

  subscribe(listener: () => void): () => void {
    this.use();
    const stop = this.#listeners.add(listener);
    this.#listen();
    this.#told = this.getSnapshot();
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

  /** Nobody holds it, so the store forgets it. Whoever kept the object may use it again all the same. */
  drop(): void {
    this.#isDropped = true;
    this.#leave();
  }

  /** To be called at each use: a sweep that is under way, and the next eviction, leave alone what was just used. */
  protected use(): void {
    if (this.#isDropped) {
      this.#isDropped = false;
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

  protected move(store: Store, current: () => unknown, result?: Result): void {
    const { shape, args } = this.root;
    this.#leave();
    this.store = store;
    this.root = enlisted(createRoot(result?.shape ?? shape, args, current, result));
    if (this.isObserved) {
      this.#listen();
      store.notify.add(this.root);
    }
  }

  #leave(): void {
    const { root } = this;
    forgetLinks(root);
    if (root.result) {
      root.result.roots = root.result.roots.filter((other) => other !== root);
    }
  }

  #left(): void {
    if (!this.isHeld) {
      this.release();
    }
  }

  #listen(): void {
    this.root.onChange = () => this.#tell();
  }

  #tell(): void {
    try {
      const next = this.getSnapshot();
      const hasNews = this.hasNews();
      if (next === this.#told && !hasNews) {
        return;
      }
      this.#told = next;
    } catch (error) {
      // What cannot be read is news as well: whoever listens finds out in its own place.
      this.core.environment.report(error);
    }
    this.#listeners.notify();
  }
}

/** The register that a root shows has to mark it. */
function enlisted(root: Root): Root {
  if (root.result) {
    root.result.roots = [...root.result.roots, root];
  }
  return root;
}
