import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { createRoot, unlink } from '../store/nodes.js';
import { findCell, queryKeyReader } from '../store/query.js';
import { forgetResult } from '../store/results.js';
import { readNode } from '../store/rebuild.js';
import type { Result, Root, Store } from '../store/state.js';
import type { TrackedPromise, View, ViewSnapshot } from './View.js';

/** What a view needs of its controller. */
export interface ViewHost {
  readonly now: () => number;
  readonly report: (error: unknown) => void;
  /** Starts or joins the request of a question, as a reader. */
  readonly load: (
    endpoint: EndpointInterface,
    args: readonly unknown[],
    result: Result,
  ) => TrackedPromise<unknown>;
}

/** The live answer of one endpoint to one set of arguments. */
export class EndpointView<T> implements View<T> {
  readonly key: string;
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly #host: ViewHost;
  readonly #listeners = new Set<() => void>();
  #store: Store;
  #result: Result;
  #root: Root;
  #snapshot: ViewSnapshot<T> | undefined;
  /** When the answer had last been expired as the snapshot was made: expiring again is news, however stale it was. */
  #expiredIn = 0;

  constructor(
    host: ViewHost,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    store: Store,
    result: Result,
  ) {
    this.key = result.key;
    this.endpoint = endpoint;
    this.args = args;
    this.#host = host;
    this.#store = store;
    this.#result = result;
    this.#root = this.#createRoot();
  }

  /** Whether somebody hears of changes. */
  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  get result(): Result {
    return this.#result;
  }

  /** Goes on with another store, after a reset; whoever listens is told. */
  attach(store: Store, result: Result): void {
    for (const child of this.#root.links) {
      unlink(child, this.#root);
    }
    this.#store = store;
    this.#result = result;
    this.#root = this.#createRoot();
    this.#changed();
  }

  getSnapshot(): ViewSnapshot<T> {
    const next = this.#read();
    const before = this.#snapshot;
    const { expiredIn } = this.#result;
    if (!before || expiredIn !== this.#expiredIn || !sameSnapshot(before, next)) {
      this.#expiredIn = expiredIn;
      this.#snapshot = Object.freeze(next);
      return next;
    }
    return before;
  }

  subscribe(listener: () => void): () => void {
    // Wrapped, so that one listener may be subscribed twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    this.#root.onChange = () => this.#changed();
    // What was read is what the listener is told about changes of.
    this.getSnapshot();
    return () => {
      this.#listeners.delete(call);
      if (this.#listeners.size === 0) {
        this.#root.onChange = undefined;
        this.#release();
      }
    };
  }

  load(): TrackedPromise<T> {
    // The promise of a view is that of its own endpoint.
    return this.#host.load(this.endpoint, this.args, this.#result) as TrackedPromise<T>;
  }

  needsLoad(mounted = false): boolean {
    const { status, expiresAt, start } = this.#result;
    const now = this.#host.now();
    if (status === 'error') {
      return mounted ? expiresAt === 0 : now >= expiresAt;
    }
    if (this.getSnapshot().status === 'pending') {
      return true;
    }
    const freshUntil = status === 'none' && start === 0 ? this.#derivedFreshUntil() : expiresAt;
    return mounted ? status === 'value' && freshUntil === 0 : now >= freshUntil;
  }

  retain(): () => void {
    return () => {};
  }

  /** An answer that is not to be kept goes with its last reader, unless that one comes back at once. */
  #release(): void {
    const result = this.#result;
    if (this.endpoint.dataExpiryLength === 0 && result.status === 'value') {
      void Promise.resolve().then(() => {
        if (this.#listeners.size === 0 && result === this.#result) {
          forgetResult(this.#store, result);
        }
      });
    }
  }

  #createRoot(): Root {
    const result = this.#result;
    // Rows that came with other answers can serve a question that was never asked itself.
    const derived = queryKeyReader(this.#store, result.shape, this.args);
    const current = (): unknown =>
      result.status === 'none' && result.start === 0 ? derived() : result.value;
    const root = createRoot(result.shape, current, result);
    result.root = root;
    if (this.#listeners.size > 0) {
      root.onChange = () => this.#changed();
    }
    return root;
  }

  #derivedFreshUntil(): number {
    return findCell(this.#store, this.#root.shape, this.#root.current())?.expiresAt ?? 0;
  }

  #read(): ViewSnapshot<T> {
    const { status, error, expiresAt, start, shape } = this.#result;
    const value = readNode(this.#store, this.#root);
    // The cast: what the root's shape reads as is what the endpoint's schema says.
    const data = value as T;
    const isStored = status === 'value' && (value !== undefined || shape.kind === 'leaf');
    const isDerived = status === 'none' && start === 0 && value !== undefined;
    if (status === 'error' && error) {
      return value === undefined ? { status, error } : { status, error, previous: data };
    }
    if (isStored || isDerived) {
      const freshUntil = isDerived ? this.#derivedFreshUntil() : expiresAt;
      const stale = this.#isStale(data, freshUntil);
      if (!stale || !this.endpoint.invalidIfStale) {
        return { status: 'ready', data, stale };
      }
      return { status: 'pending', previous: data };
    }
    const cell = findCell(this.#store, shape, this.#root.current());
    return cell?.shown === null ? { status: 'pending', deleted: true } : { status: 'pending' };
  }

  /** For those who hold the data already, time alone changes nothing: they would be told by nobody. */
  #isStale(data: T, freshUntil: number): boolean {
    const before = this.#snapshot;
    const isHeld = this.#listeners.size > 0 && before?.status === 'ready';
    return isHeld && freshUntil > 0 && Object.is(before.data, data)
      ? before.stale && this.#host.now() >= freshUntil
      : this.#host.now() >= freshUntil;
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
        this.#host.report(error);
      }
    }
  }
}

function sameSnapshot<T>(a: ViewSnapshot<T>, b: ViewSnapshot<T>): boolean {
  switch (a.status) {
    case 'ready':
      return b.status === 'ready' && Object.is(a.data, b.data) && a.stale === b.stale;
    case 'error':
      return b.status === 'error' && a.error === b.error && Object.is(a.previous, b.previous);
    case 'pending':
      return b.status === 'pending' && Object.is(a.previous, b.previous) && a.deleted === b.deleted;
  }
}
