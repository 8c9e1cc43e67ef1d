import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { errorOfAborted } from '../errors/aborts.js';
import { pendingDeletionOf } from '../store/optimistic/pendingDeletion.js';
import { lacksRows, type Missing, missingFields } from '../store/views/missingFields.js';
import { copyValue, equal } from '../store/cells/plainValues.js';
import { isMissing, nodeList } from '../store/views/nodes.js';
import { dataLifetime, isFresh, readOnce } from '../store/views/queries.js';
import { contentOf, forgetResult, isWithin } from '../store/cells/results.js';
import { withSource } from '../store/normalize/normalizeErrors.js';
import type { Result } from '../store/cells/Result.js';
import type { Root } from '../store/views/Node.js';
import type { Store } from '../store/cells/Store.js';
import type { Transaction } from '../store/journal/Transaction.js';
import { loadFor } from './fetchOrJoin.js';
import type { Core } from './Core.js';
import { declaredOf, fixedOf } from './fixedOf.js';
import { errorLifetimeOf } from './lifetimes.js';
import { lacksRecord, withKnownRecords } from './recordsInEnvelope.js';
import { LiveView } from './LiveView.js';
import { resultOf } from './resultOf.js';
import { sameOptions } from './sameOptions.js';
import { readArgs } from './temporaryKeys.js';
import { unreadable } from './unreadableError.js';
import { pause, pauseOf } from './Pause.js';
import { refuseMutation } from './refuseMutation.js';
import type { FetchStatus, TrackedPromise, ViewSnapshot } from './View.js';

/** The live result of one endpoint for one set of arguments. */
export class EndpointView<T> extends LiveView<T> {
  /** The endpoint given to the constructor, or to the last call of `Controller.observe`. */
  #declared: EndpointInterface;
  #endpoint: EndpointInterface;
  #missing: Missing | undefined;
  /** The value of `root.builtIn` for which `#missing` was computed. */
  #missingIn: number | undefined;
  /** The stored response of the last snapshot with data. */
  #rendered: unknown;
  /** True if the snapshot has deleted records of an envelope, for readers that show them. */
  #keepsDeleted = false;
  /** `Result.newsIn` when the listeners were last notified, or -1 if they must be notified. */
  #newsIn = 0;

  constructor(core: Core, endpoint: EndpointInterface, args: readonly unknown[], result: Result) {
    // The caller may modify the arguments between two requests.
    super(core, result.key, result.shape, copyValue(args), () => contentOf(result), result);
    this.#declared = declaredOf(endpoint);
    this.#endpoint = fixedOf(endpoint);
  }

  /** Each request reads getters such as `urlPrefix` again, unless the cache key would change. */
  get endpoint(): EndpointInterface {
    const now = fixedOf(this.#declared);
    if (now !== this.#endpoint && now.key(...this.args) === this.result.key) {
      this.#endpoint = now;
    }
    return this.#endpoint;
  }

  /**
   * Readers of one view share its endpoint, because a component can make it anew in each render.
   * Endpoints with one cache key and other options, such as another signal, have separate views. So
   * do other arguments: `?team=a` can be a default or an argument.
   */
  suits(endpoint: EndpointInterface, args: readonly unknown[]): boolean {
    return sameOptions(declaredOf(endpoint), this.#declared) && equal(args, this.args);
  }

  adopt(endpoint: EndpointInterface): void {
    this.#declared = declaredOf(endpoint);
    this.#endpoint = fixedOf(endpoint);
  }

  get args(): readonly unknown[] {
    return this.root.args;
  }

  get result(): Result {
    // The cast: the constructor and `attach` give each root a result.
    return this.root.result as Result;
  }

  override attach(aborted?: ReadonlySet<Result | undefined>, pauses = false): void {
    const before = this.result;
    const { store } = this.core;
    const args = readArgs(store, this.endpoint, this.args);
    const key = args === this.args ? before.key : this.endpoint.key(...args);
    const result = resultOf(store, this.endpoint, args, key);
    Object.assign(this.root, { args });
    const isWaiting =
      pauseOf(before) !== undefined || before.resume !== undefined || aborted?.has(before) === true;
    const pausing = pauses && (isWaiting || this.isHeld);
    if (pausing) {
      pause(this.core, result);
    }
    // A reader that was paused or aborted must load again, even if its snapshot stays the same.
    // With -1, `hasNews` returns true, so the reader is notified.
    this.#newsIn = isWaiting && !pausing ? -1 : result.newsIn;
    this.#missingIn = undefined;
    this.move(() => contentOf(result), result);
    if (before !== result) {
      before.resume?.();
    }
  }

  override get isPaused(): boolean {
    return pauseOf(this.result)?.isHolding() === true;
  }

  get data(): T | undefined {
    const snapshot = this.getSnapshot();
    return snapshot.status === 'ready' ? snapshot.data : undefined;
  }

  override get fetchedAt(): number | undefined {
    this.use();
    return this.result.status === 'value' ? this.result.fetchedAt : undefined;
  }

  override get fetchStatus(): FetchStatus {
    const flight = this.core.reads.get(this.result);
    return flight ? (flight.isOffline ? 'paused' : 'fetching') : 'idle';
  }

  override load(signal?: AbortSignal, isRetried = false, isExplicit = false): TrackedPromise<T> {
    refuseMutation(this.endpoint);
    this.use();
    if (this.isPaused && !isExplicit && this.fetchStatus === 'idle') {
      // The cast: the views of one result have one type of data.
      return pauseOf(this.result)?.wait(this, isRetried) as TrackedPromise<T>;
    }
    return loadFor(this.core, this, signal, isExplicit) as TrackedPromise<T>;
  }

  get isComplete(): boolean {
    const snapshot = this.getSnapshot();
    return snapshot.status === 'ready' && !snapshot.partial;
  }

  get hiddenBy(): Transaction | undefined {
    return this.getSnapshot().status === 'pending'
      ? pendingDeletionOf(this.store, this.root.links)
      : undefined;
  }

  override needsLoad(mounted = false): boolean {
    const snapshot = this.getSnapshot();
    if (this.isPaused || this.abortedSignal) {
      return false;
    }
    const { status, expiresAt, expiredIn, retry } = this.result;
    const mustWait = isWithin(retry, this.store.now());
    if (snapshot.status === 'error') {
      return mounted
        ? expiresAt === 0 && !mustWait
        : !(status === 'error' ? this.isFresh() : mustWait);
    }
    if (snapshot.status === 'pending') {
      return true;
    }
    if (mustWait) {
      return false;
    }
    if (snapshot.partial && !this.#isHopeless()) {
      return true;
    }
    return mounted
      ? expiredIn > 0 && dataLifetime(this.store, this.result).expiresAt === 0
      : !this.isCurrent();
  }

  /** False if a mounting reader must fetch, although mounted readers keep their data. */
  isCurrent(): boolean {
    return this.isFresh() && !this.#keepsDeleted && !lacksRows(this.store, this.result);
  }

  /** `stale` of a snapshot can be outdated; this method uses the current time. */
  isFresh(): boolean {
    return isFresh(this.store, this.result);
  }

  protected override nextSnapshot(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    try {
      return this.#read(before);
    } catch (error) {
      throw withSource(error, this.endpoint.name);
    }
  }

  protected override hasNews(): boolean {
    const { newsIn } = this.result;
    const isNews = newsIn > this.#newsIn;
    this.#newsIn = newsIn;
    return isNews;
  }

  /** Waits for a microtask, because a reader may leave and return within one task. */
  protected override release(): void {
    const result = this.result;
    const isForgotten = result.status === 'value' && result.isBrief;
    if (isForgotten || pauseOf(result)) {
      queueMicrotask(() => {
        if (this.core.views.isHeld(result) || result !== this.result) {
          return;
        }
        pauseOf(result)?.leave();
        if (isForgotten) {
          forgetResult(this.store, result);
        }
      });
    }
  }

  #read(before: ViewSnapshot<T> | undefined): ViewSnapshot<T> {
    const result = this.result;
    const { status, error } = result;
    const given = this.read();
    let data = given;
    if (status === 'error' && error) {
      return { status, error, ...(data !== undefined && { previous: data }) };
    }
    const isHeld = this.isObserved && before?.status === 'ready';
    const missing = this.#findMissing(isHeld);
    const { root, store } = this;
    const { shape } = root;
    if (isHeld && result.value === this.#rendered) {
      // The cast: the data before has the same type.
      data = withKnownRecords(store, shape, data, result.value, before.data) as T;
    }
    this.#keepsDeleted = data !== given;
    const isThere =
      data === undefined
        ? status === 'value' && mayBeUndefined(store, root)
        : !lacksRecord(store, shape, data, root.current());
    if (isThere && missing?.isPartial !== false) {
      this.#rendered = result.value;
      result.isUnread = false;
      result.unreadable = undefined;
      const isExpired = dataLifetime(this.store, this.result).expiresAt === 0;
      // The end of a lifetime notifies no subscriber, so it must not change an observed snapshot.
      const mayTurnStale = !isHeld || !Object.is(before.data, data) || before.stale || isExpired;
      const stale = mayTurnStale && !isFresh(store, result, isHeld && !before.stale);
      // `isFinal`: after an automatic second request, stale data stays readable. Otherwise, readers
      // would fetch forever if the lifetime is shorter than a render.
      result.isFinal &&= stale || !this.isObserved;
      if (
        stale &&
        this.endpoint.invalidIfStale &&
        !result.isFinal &&
        !missing &&
        // A mounted reader loses its data only after an explicit expiry.
        (!isHeld || isExpired)
      ) {
        return error
          ? { status: 'error', error, previous: data }
          : { status: 'pending', previous: data };
      }
      return {
        status: 'ready',
        data,
        stale,
        ...(missing && { partial: true }),
        ...(error && { error }),
      };
    }
    return this.#withoutData(isThere, data);
  }

  /** `isThere`: the data is stored, but incomplete. */
  #withoutData(isThere: boolean, data: T): ViewSnapshot<T> {
    const { result } = this;
    if (this.#isHopeless()) {
      if (!result.unreadable) {
        const nodes = nodeList(this.root.links);
        result.unreadable = unreadable(this.endpoint.name, nodes, this.#missing);
        result.retry = errorLifetimeOf(this.core, this.endpoint);
      }
      return { status: 'error', error: result.unreadable };
    }
    const aborted = this.abortedSignal;
    if (aborted && this.fetchStatus === 'idle') {
      return { status: 'error', error: errorOfAborted(aborted) };
    }
    const isDeleted = !isThere && this.cell()?.current === null;
    return {
      status: 'pending',
      ...(isThere && { known: data }),
      ...(isDeleted && { deleted: true }),
    };
  }

  /** Every request of this reader would be aborted at once. */
  get abortedSignal(): AbortSignal | undefined {
    const { signal } = this.endpoint;
    return typeof signal === 'object' && signal.aborted ? signal : undefined;
  }

  /**
   * True if another request would not make the data readable.
   *
   * - If the data was readable before, another response removed a part of it. A request may help.
   * - If the data was never readable, a request may help only if a record or field is missing.
   *   Otherwise, the response itself is unreadable.
   * - If the last request was already an automatic second request, no third request is sent.
   */
  #isHopeless(): boolean {
    const { status, isUnread, isFinal } = this.result;
    const nodes = nodeList(this.root.links);
    if (status !== 'value' || pendingDeletionOf(this.store, nodes)) {
      return false;
    }
    return isUnread
      ? isFinal || (!this.#missing && nodes.every((node) => !isMissing(node)))
      : nodes.some(({ cell }) => cell.lifetime.isRepeat);
  }

  /** A field that the response itself omitted does not count: the server does not send it. */
  #findMissing(isHeld: boolean): Missing | undefined {
    const { store, result } = this;
    const { builtIn, value } = this.root;
    if (this.#missingIn !== builtIn) {
      this.#missingIn = builtIn;
      const missing = missingFields(store, result, isHeld);
      this.#missing = value === undefined ? undefined : missing;
    }
    return this.#missing;
  }
}

/** True if undefined is a valid value: custom code of a schema can return undefined. */
function mayBeUndefined(store: Store, { shape, args, current }: Root): boolean {
  let part = shape;
  while (part.kind === 'custom') {
    part = part.member;
    if (readOnce(store, part, args, current()) !== undefined) {
      return true;
    }
  }
  return part.kind === 'leaf' || part.kind === 'deserialize';
}
