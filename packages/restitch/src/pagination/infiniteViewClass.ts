import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import type { Controller } from '../controller/Controller.js';
import type { Core } from '../controller/Core.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { batch } from '../controller/batch.js';
import { errorLifetimeOf } from '../controller/lifetimes.js';
import { errorOf, LiveView } from '../controller/LiveView.js';
import { hasList, missingList } from './missingList.js';
import type { SchemaError } from '../errors/SchemaError.js';
import { deferred } from '../controller/trackedPromise.js';
import type { FetchStatus, TrackedPromise, ViewSnapshot } from '../controller/View.js';
import { sameFields } from '../schema/same.js';
import { currentConfirmed } from '../store/journal/fold.js';
import type { ReplaceMembers } from '../store/journal/operations.js';
import { writeLocal } from '../store/journal/transactions.js';
import { isListing } from '../store/lists/members.js';
import type { Listing } from '../store/cells/Cell.js';
import { besideOf, listIn } from './besideOf.js';
import { askBefore, gapAfter, hasNext, totalOf } from './listEnds.js';
import type { InfinitePagination } from './createPagination.js';
import type { HiddenRows } from './HiddenRows.js';
import type { InfiniteList } from './InfiniteList.js';
import { listOf } from './listViewOf.js';
import { FIRST, isFirst, marksOf } from './PageMark.js';
import { isMoving, movesIn } from './overlaps.js';
import { hasOutdated } from './outdatedRows.js';
import { PageLoader } from './PageLoader.js';
import { requestedSize } from './requestedSize.js';
import { openingOf } from './Round.js';
import { madeUnsure } from './updateMarks.js';
import { untilQuiet } from './untilQuiet.js';

export interface InfiniteSource {
  /** The view of the newest copy of the endpoint. */
  first: EndpointView<unknown>;
  readonly pagination: InfinitePagination;
}

type List = InfiniteList<EndpointInterface>;

/** The first page loads, expires and fails as for every other reader of the endpoint. */
export class InfiniteViewClass extends LiveView<List> {
  readonly #source: InfiniteSource;
  #loader: PageLoader;
  readonly #newLoader: () => PageLoader;
  readonly #loads = new WeakMap<object, TrackedPromise<List>>();
  #stopFirst: (() => void) | undefined;
  #hasNews = false;
  #hidden: HiddenRows | undefined;
  /** Set if the last response of the first page lacked the list. */
  #lost:
    | { readonly value: unknown; readonly retryAt: number; readonly error: SchemaError }
    | undefined;
  readonly loadNext: List['loadNext'];
  readonly loadPrevious: List['loadPrevious'];
  readonly refresh: List['refresh'];

  constructor(core: Core, controller: Controller, source: InfiniteSource) {
    const { key, args } = source.first;
    const { shape, reference } = listOf(source);
    super(core, `${key} (infinite)`, shape, args, reference);
    this.#source = source;
    this.#newLoader = () => {
      const { store } = core;
      return new PageLoader(controller, source, {
        changed: () => {
          this.root.onChange?.();
          this.#noteRequest();
        },
        confirmed: () => this.#listing(true),
        rows: () => this.#listing(false)?.members ?? [],
        size: () => requestedSize(source.first, source.pagination.style.positions),
        isCurrent: () => core.store === store,
        isQuiet: () => this.#isQuiet(),
        untilQuiet: () => untilQuiet(core, () => this.#isQuiet()),
        watch: (listener) => core.watchers.add(listener),
        retain: (members) => this.#retain(members),
        replace: (operation) => this.#replace(operation),
        opening: () => (source.first.isFresh() ? openingOf(store, this.cell()) : undefined),
        noteOutdated: () => {
          const { tick } = store;
          return (members) =>
            shape.kind === 'collection' && hasOutdated(store, shape, members, tick);
        },
      });
    };
    this.#loader = this.#newLoader();
    this.loadNext = () => this.#useLoader().loadNext();
    this.loadPrevious = () => this.#useLoader().loadPrevious();
    this.refresh = (what) => this.#useLoader().refresh(what);
    core.views.adopt(this);
  }

  override attach(): void {
    const { store } = this;
    super.attach();
    if (store !== this.store) {
      this.#hidden = undefined;
      this.#loader = this.#newLoader();
    }
  }

  /** Requests are then sent with the options of this copy of the endpoint. */
  renew(first: EndpointView<unknown>): void {
    if (first !== this.#source.first) {
      this.#source.first = first;
      if (this.#stopFirst) {
        this.#stopFirst();
        this.#stopFirst = this.#follow();
      }
    }
  }

  override get fetchedAt(): number | undefined {
    return this.#source.first.fetchedAt;
  }

  override get fetchStatus(): FetchStatus {
    return this.#source.first.fetchStatus;
  }

  override get isPaused(): boolean {
    return this.#source.first.isPaused;
  }

  override needsLoad(mounted = false): boolean {
    // After a response without the list, no request is sent until `retryAt`.
    const lost = this.#lost;
    const isKept =
      lost !== undefined &&
      errorOf(this.getSnapshot()) === lost.error &&
      this.core.environment.now() < lost.retryAt;
    return this.#source.first.needsLoad(mounted || isKept);
  }

  override load(
    signal?: AbortSignal,
    isRetried?: boolean,
    isRefetch = false,
  ): TrackedPromise<List> {
    const { first } = this.#source;
    const loading = isRefetch ? first.refetch(signal) : first.load(signal, isRetried);
    let promise = this.#loads.get(loading);
    if (!promise) {
      const mine = deferred<List>();
      loading.then(() => {
        const snapshot = this.getSnapshot();
        // The cast: no caller uses the value of this promise if there is no data.
        mine.resolve((snapshot.status === 'ready' ? snapshot.data : undefined) as List);
      }, mine.reject);
      this.#loads.set(loading, (promise = mine.promise));
    }
    return promise;
  }

  override subscribe(listener: () => void): () => void {
    this.#stopFirst ??= this.#follow();
    const stop = super.subscribe(listener);
    return () => {
      stop();
      if (!this.isObserved) {
        this.#stopFirst?.();
        this.#stopFirst = undefined;
      }
    };
  }

  override retain(): () => void {
    const releases = [this.#source.first.retain(), super.retain()];
    return () => releases.forEach((release) => release());
  }

  override getServerSnapshot(isSending?: boolean): ViewSnapshot<List> {
    const { first } = this.#source;
    const hydration = first.getServerSnapshot(isSending);
    const live = this.getSnapshot();
    const now = first.getSnapshot();
    const isLive =
      now.status === 'ready' && hydration.status === 'ready' && now.data === hydration.data;
    if (hydration.status !== 'ready' || isLive) {
      return live;
    }
    const items = listIn(hydration.data, first.endpoint.schema);
    return Object.freeze({
      status: 'ready',
      data: this.#listOf(items, hydration.data),
      stale: false,
    });
  }

  protected override nextSnapshot(before: ViewSnapshot<List> | undefined): ViewSnapshot<List> {
    const first = this.#source.first.getSnapshot();
    // The list is read in every case: the view is notified only about data that it has read.
    const items = this.read() as unknown;
    if (first.status === 'error') {
      return { status: first.status, error: first.error };
    }
    if (first.status === 'ready' && !Array.isArray(items)) {
      return { status: 'error', error: this.#missing(first.data) };
    }
    if (first.status === 'pending' || !Array.isArray(items)) {
      return { status: 'pending' };
    }
    const last = before?.status === 'ready' ? before.data : undefined;
    const list = this.#listOf(items, first.data, last?.beside);
    const data = sameFields(last, list) ? last : Object.freeze(list);
    const isMissing = !hasList(this.#source.first.endpoint, first.data);
    const { stale, error = isMissing ? this.#missing(first.data) : undefined } = first;
    return { status: 'ready', data, stale, ...(error && { error }) };
  }

  /** Returns the same error for the same response. */
  #missing(value: unknown): SchemaError {
    if (!this.#lost || this.#lost.value !== value) {
      const { endpoint } = this.#source.first;
      const error = missingList(endpoint, value);
      const { expiresAt: retryAt } = errorLifetimeOf(this.core, endpoint);
      this.#lost = { value, retryAt, error };
    }
    return this.#lost.error;
  }

  protected override hasNews(): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    return hasNews;
  }

  #follow(): () => void {
    const stop = this.core.watchers.add(this.#noteRequest);
    this.#noteRequest();
    const stopFirst = this.#followFirst();
    return () => {
      stop();
      stopFirst();
    };
  }

  #followFirst(): () => void {
    const { first } = this.#source;
    let before = first.getSnapshot();
    return first.subscribe(() => {
      const now = first.getSnapshot();
      // A notification without a change asks readers to load again, for example after a sign-in.
      this.#hasNews = now === before;
      before = now;
      if (now.status === 'pending') {
        this.#loader.forgetErrors();
      }
      this.root.onChange?.();
    });
  }

  /** Waits for a microtask, because a request ends before its response is stored. */
  readonly #noteRequest = (): void =>
    queueMicrotask(() => {
      if (this.isObserved) {
        this.#noteHidden();
        this.#loader.repairIfNeeded();
      }
    });

  #noteHidden(): void {
    const { shape } = this.root;
    this.#hidden ??= this.#source.pagination.style.positions?.createHiddenRows();
    if (
      shape.kind === 'collection' &&
      this.#hidden?.hasNew(this.store, shape, this.#listing(false), this.read())
    ) {
      this.#replace({
        type: 'replace',
        members: [],
        keys: undefined,
        pageFields: undefined,
        arrange: (before) => before && madeUnsure(before),
      });
    }
  }

  #retain(members: () => readonly unknown[]): () => void {
    const view = new LiveView(this.core, `${this.key} (round)`, this.root.shape, [], members);
    view.retain();
    return () => this.core.views.drop(view);
  }

  #replace(operation: ReplaceMembers): void {
    const cell = this.cell();
    if (cell) {
      batch(this.core, () => writeLocal(this.store, cell, operation));
    }
  }

  #listOf(items: readonly unknown[], value: unknown, beside?: unknown): List {
    const listing = this.#listing(false);
    // The loader loads pages of the confirmed list.
    const confirmed = this.#listing(true);
    const { pagination, first } = this.#source;
    const { running, errors } = this.#loader;
    const { ask = FIRST, from = 0 } = marksOf(listing)[0] ?? {};
    const list = {
      items,
      beside: besideOf(value, first.endpoint.schema, beside),
      total: listing && totalOf(listing),
      hasNext: !confirmed || hasNext(confirmed),
      hasPrevious: confirmed !== undefined && askBefore(pagination, confirmed) !== null,
      isLoadingNext: running.next !== undefined,
      isLoadingPrevious: running.previous !== undefined,
      isRefreshing: running.first !== undefined || running.loaded !== undefined,
      // If no parameters select the first page, `nextSnapshot` returns the error of this page.
      nextError: errors.next ?? errors.loaded ?? (isFirst(ask) ? undefined : errors.first),
      previousError: errors.previous,
      firstIndex: from,
      gapAfter: listing && gapAfter(listing),
      loadNext: this.loadNext,
      loadPrevious: this.loadPrevious,
      refresh: this.refresh,
    };
    // The cast: the schema of the endpoint determines the rows.
    return list as List;
  }

  /** A reset does not reach a view that was removed from the store. `use` adds the view again. */
  #useLoader(): PageLoader {
    this.use();
    return this.#loader;
  }

  #isQuiet(): boolean {
    const cell = this.cell();
    return !cell || !isMoving(this.store, movesIn(cell));
  }

  #listing(isConfirmed: boolean): Listing | undefined {
    const cell = this.cell();
    const current = cell && (isConfirmed ? currentConfirmed(this.store, cell) : cell.current);
    return current && isListing(current) ? current : undefined;
  }
}
