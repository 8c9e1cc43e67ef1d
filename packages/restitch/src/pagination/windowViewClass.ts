import type { ReceiveAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Core } from '../controller/Core.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { renew } from '../controller/startRequest.js';
import { LiveView } from '../controller/LiveView.js';
import type { ViewSnapshot } from '../controller/View.js';
import { isAbout } from '../schema/signature.js';
import { rowRef } from '../schema/referenceText.js';
import { entitiesOf, shapeOf } from '../schema/shape.js';
import type { Member } from '../schema/shapes.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Result } from '../store/cells/Result.js';
import { expireResult } from '../store/cells/results.js';
import { writeLocal } from '../store/journal/transactions.js';
import { isListing } from '../store/lists/members.js';
import { entityPk } from '../store/views/queries.js';
import { batch } from '../controller/batch.js';
import { HiddenRows, valuesOf } from './HiddenRows.js';
import { isEmpty, keepPages, placeOfIndex, sparseLength, sparseMarks } from './arrangeSparse.js';
import { listOf } from './listViewOf.js';
import { isMoving, type Move, moves } from './overlaps.js';
import type { OpenWindow, SparseList, WindowRange } from './SparseList.js';
import type { WindowSource } from './windowEndpointOf.js';
import { WindowPages } from './WindowPages.js';

type List = SparseList<unknown>;

export class WindowViewClass extends LiveView<List> {
  readonly #source: WindowSource;
  readonly #pages: WindowPages;
  readonly refresh: List['refresh'];
  readonly #members: readonly Member[];
  #hidden = new HiddenRows();
  /** Undefined after a page began or ended loading, so that the next snapshot is a new one. */
  #rendered: { readonly items: unknown; readonly listing: Listing | undefined } | undefined;

  constructor(core: Core, controller: Controller, source: WindowSource) {
    const { args, key } = source.first;
    const { shape, reference } = listOf(source);
    super(core, `${key} (window)`, shape, args, reference);
    this.#source = source;
    this.#members = shape.kind === 'collection' ? [...entitiesOf(shape.member)] : [];
    this.#pages = new WindowPages(controller, source, {
      changed: () => {
        this.#rendered = undefined;
        this.root.onChange?.();
      },
      listing: () => this.#listing(),
      isMoving: () => isMoving(this.store, this.#isOwn),
      hasHidden: () => this.#hasHidden(),
      expire: (result, since) => this.#expire(result, since),
      // An expiry would end a pause.
      outdate: (pages) =>
        batch(core, () => {
          for (const { view } of pages) {
            const { result } = view;
            if (!result.resume) {
              expireResult(this.store, result);
            }
          }
        }),
      keep: (starts, limit) => this.#keep(starts, limit),
    });
    this.refresh = () => this.#pages.refresh();
    watchMoves(core, new WeakRef(this));
    core.views.adopt(this);
    // Before this view existed, no view noticed the creates and deletes in the hydrated list.
    if (core.store.hydrated?.isEdited && this.#listing()) {
      this.#pages.isUnsure = true;
    }
  }

  renew(first: EndpointView<unknown>): void {
    this.#pages.renew(first);
  }

  noteRequest(): void {
    this.#pages.update();
  }

  noteSuccess({ endpoint, args, response }: ReceiveAction): void {
    const shape = shapeOf(endpoint.schema);
    if (endpoint.sideEffect && moves(shape, this.#isOwn)) {
      const isDeleted = ({ entity }: Member): boolean =>
        shape.kind === 'invalidate' && isAbout(shape, entity);
      const references = this.#members.filter(isDeleted).map(({ entity, path }) => {
        const pk = entityPk(entity, response ? [response] : args) ?? entityPk(entity, args);
        return pk === undefined ? pk : rowRef(path, pk);
      });
      this.#pages.noteMove(references);
    }
  }

  open(range: WindowRange): OpenWindow {
    const { ranges } = this.#pages;
    const own = { range };
    ranges.add(own);
    this.#pages.update();
    return {
      move: (next) => {
        const { start, end } = own.range;
        own.range = next;
        if (next.start >= end || next.end <= start) {
          this.#pages.arrive(own);
        }
        this.#pages.update();
      },
      close: () => {
        ranges.delete(own);
        this.#pages.update();
      },
    };
  }

  override attach(aborted?: ReadonlySet<Result | undefined>, pauses = false): void {
    const { store } = this;
    super.attach(aborted, pauses);
    if (store !== this.store) {
      this.#hidden = new HiddenRows();
      this.#pages.isUnsure = true;
      if (pauses) {
        this.#pages.pause();
      }
    }
  }

  /** Garbage collection keeps the view of the first page, by which copies find this view. */
  override subscribe(listener: () => void): () => void {
    const release = this.#source.first.retain();
    const stop = super.subscribe(listener);
    return () => {
      stop();
      release();
    };
  }

  override getServerSnapshot(): ViewSnapshot<List> {
    return this.getSnapshot();
  }

  protected override nextSnapshot(before: ViewSnapshot<List> | undefined): ViewSnapshot<List> {
    // The list is read in every case: the view is notified only about data that it has read.
    const items = this.read() as unknown;
    const listing = this.#listing();
    const { items: itemsBefore, listing: listingBefore } = this.#rendered ?? {};
    if (before && this.#rendered && itemsBefore === items && listingBefore === listing) {
      return before;
    }
    this.#rendered = { items, listing };
    this.#pages.update();
    const data = this.#listOf(Array.isArray(items) ? items : [], listing);
    return { status: 'ready', data, stale: false };
  }

  #listOf(items: readonly unknown[], listing: Listing | undefined): List {
    const { shape } = this.root;
    const marks = sparseMarks(listing);
    // A hidden row keeps its index, as on the server.
    const values =
      listing && shape.kind === 'collection' ? valuesOf(this.store, shape, listing, items) : items;
    return Object.freeze({
      length: sparseLength(listing) ?? 0,
      at: (index: number) => {
        const place = placeOfIndex(marks, index);
        return place === undefined ? undefined : values[place];
      },
      isLoading: (index: number) =>
        index >= 0 &&
        index < (sparseLength(listing) ?? Infinity) &&
        placeOfIndex(marks, index) === undefined &&
        !isEmpty(marks, index) &&
        !this.#pages.errorAt(index),
      errorAt: (index: number) => this.#pages.errorAt(index),
      refresh: this.refresh,
    });
  }

  #listing(): Listing | undefined {
    const current = this.cell()?.current;
    return current && isListing(current) && current.isPaged ? current : undefined;
  }

  readonly #isOwn = (move: Move): boolean =>
    this.#members.some(({ entity }) => isAbout(move, entity));

  #hasHidden(): boolean {
    const { shape } = this.root;
    const items = this.read() as unknown;
    return (
      shape.kind === 'collection' && this.#hidden.hasNew(this.store, shape, this.#listing(), items)
    );
  }

  #expire(result: Result, since: number): void {
    if (result.expiredIn < since) {
      batch(this.core, () => {
        expireResult(this.store, result, since);
        renew(this.core, [result]);
      });
    }
  }

  #keep(starts: readonly number[], limit: number): void {
    const cell = this.#listing() && this.cell();
    if (cell) {
      batch(this.core, () => writeLocal(this.store, cell, keepPages(starts, limit)));
    }
  }
}

/** Notifies a view of requests and successful mutations until the view is garbage-collected. */
function watchMoves(core: Core, view: WeakRef<WindowViewClass>): void {
  const stops = [
    core.watchers.add(() => current()?.noteRequest()),
    core.successes.add((_, action) => current()?.noteSuccess(action)),
  ];
  const current = (): WindowViewClass | undefined => {
    const found = view.deref();
    if (!found) {
      stops.forEach((stop) => stop());
    }
    return found;
  };
}
