import { SchemaError } from '../errors/SchemaError.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { goneIn } from '../store/gone.js';
import { nodeAt } from '../store/nodes.js';
import { findCell } from '../store/query.js';
import { forgetResult } from '../store/results.js';
import { readNode } from '../store/rebuild.js';
import type { Result, Store } from '../store/state.js';
import { LiveView, type LiveHost } from './LiveView.js';
import { isUntouched, registerOf } from './registers.js';
import type { TrackedPromise, ViewSnapshot } from './View.js';

/** What a view needs of its controller. */
export interface ViewHost extends LiveHost {
  readonly now: () => number;
  /** Starts or joins the request of a question, as a reader. */
  readonly load: (
    endpoint: EndpointInterface,
    args: readonly unknown[],
    result: Result,
    signal?: AbortSignal,
  ) => TrackedPromise<unknown>;
}

/** The live answer of one endpoint to one set of arguments. */
export class EndpointView<T> extends LiveView<T> {
  readonly key: string;
  readonly args: readonly unknown[];
  /** The endpoint that asked last: it may carry newer credentials than the one that asked first. */
  endpoint: EndpointInterface;
  readonly #host: ViewHost;
  #result: Result;
  #incomplete: SchemaError | undefined;
  /** The last expiry that listeners were told of: a later one asks them to fetch, however stale their data was. */
  #newsIn = 0;

  constructor(
    host: ViewHost,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    store: Store,
    result: Result,
  ) {
    super(host, store, result.shape, args, reader(result), result);
    this.key = result.key;
    this.endpoint = endpoint;
    this.args = args;
    this.#host = host;
    this.#result = result;
  }

  /** The register that it shows. */
  get result(): Result {
    return this.#result;
  }

  attach(store: Store, aborted?: ReadonlySet<Result | undefined>): void {
    const result = registerOf(store, this.endpoint, this.args, this.key);
    // Whoever waited shows the same as before, and yet has to ask again. Otherwise the ticks of another store say nothing here.
    this.#newsIn = aborted?.has(this.#result) ? -1 : result.newsIn;
    this.#result = result;
    this.move(store, result.shape, this.args, reader(result), result);
  }

  /** What readers that never wait see. */
  get data(): T | undefined {
    const snapshot = this.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data : undefined;
  }

  get fetchedAt(): number | undefined {
    this.use();
    return this.#result.status === 'value' ? this.#result.fetchedAt : undefined;
  }

  load(signal?: AbortSignal): TrackedPromise<T> {
    this.use();
    // The promise of a view is that of its own endpoint.
    return this.#host.load(this.endpoint, this.args, this.#result, signal) as TrackedPromise<T>;
  }

  needsLoad(mounted = false): boolean {
    this.use();
    const { status, expiresAt, expiredIn, retryAt } = this.#result;
    const now = this.#host.now();
    if (status === 'error') {
      return mounted ? expiresAt === 0 : now >= expiresAt;
    }
    if (this.getSnapshot().status === 'pending') {
      return true;
    }
    if (now < retryAt) {
      return false;
    }
    return mounted ? expiredIn > 0 && this.#freshUntil() === 0 : !this.isFresh();
  }

  /** Whether what is shown is within its lifetime, whatever those who hold it were told. */
  isFresh(): boolean {
    return this.#host.now() < this.#freshUntil();
  }

  protected look(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    const next = this.#read(before);
    return before && sameSnapshot(before, next) ? before : Object.freeze(next);
  }

  protected override hasNews(): boolean {
    const { newsIn } = this.#result;
    const isNews = newsIn > this.#newsIn;
    this.#newsIn = newsIn;
    return isNews;
  }

  /** An answer that is not to be kept goes with its last reader, unless that one comes back at once. */
  protected release(): void {
    const result = this.#result;
    if (this.endpoint.dataExpiryLength === 0 && result.status === 'value') {
      void Promise.resolve().then(() => {
        if (!this.isHeld && result === this.#result) {
          forgetResult(this.store, result);
        }
      });
    }
  }

  /** Milliseconds since 1970 until which what is shown counts as fresh; 0 when it was expired by hand. */
  #freshUntil(): number {
    const { status, expiresAt, expiredIn } = this.#result;
    if (status !== 'none') {
      return expiresAt;
    }
    return expiredIn > 0 ? 0 : Math.max(0, this.#cell()?.lifetime.expiresAt ?? 0);
  }

  #cell(): ReturnType<typeof findCell> {
    return findCell(this.store, this.root.shape, this.root.current());
  }

  #read(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    const { status, error, shape } = this.#result;
    const value = readNode(this.store, this.root);
    // The cast: what the root's shape reads as is what the endpoint's schema says.
    const data = value as T;
    if (status === 'error' && error) {
      return value === undefined ? { status, error } : { status, error, previous: data };
    }
    if (value !== undefined || (status === 'value' && shape.kind === 'leaf')) {
      const stale = this.#isStale(before, data);
      return stale && this.endpoint.invalidIfStale
        ? { status: 'pending', previous: data }
        : { status: 'ready', data, stale };
    }
    if (this.#cell()?.shown === null) {
      return { status: 'pending', deleted: true };
    }
    if (!this.#isIncomplete()) {
      return { status: 'pending' };
    }
    this.#incomplete ??= new SchemaError(
      'required-record-deleted',
      `${this.endpoint.name}: the answer refers to a deleted record that its class requires. ` +
        'Let the server send that record along, or give the field a falsy default.',
    );
    return { status: 'error', error: this.#incomplete };
  }

  /** Whether a record was asked for again since one that it requires was deleted, and still refers to that one. */
  #isIncomplete(): boolean {
    const record = nodeAt(this.root.links, 0);
    const isRecord = record?.shape === this.root.shape || this.root.shape.kind === 'union';
    const gone = isRecord && record ? goneIn(record) : 0;
    return gone > 0 && this.#result.start > gone;
  }

  /** For those who hold the data already, time alone changes nothing: they would be told by nobody. */
  #isStale(before: ViewSnapshot<T> | undefined, data: T): boolean {
    const isHeld = this.isObserved && before?.status === 'ready' && Object.is(before.data, data);
    const isTold = !isHeld || before.stale || this.#freshUntil() === 0;
    return isTold && !this.isFresh();
  }
}

/** The normalized value of a question: its answer, or before it was ever asked what other answers brought along. */
function reader(result: Result): () => unknown {
  const named = result.names();
  return () => (result.status === 'none' && isUntouched(result) ? named : result.value);
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
