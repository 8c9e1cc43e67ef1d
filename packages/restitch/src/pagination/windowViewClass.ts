import type { ReceiveAction } from '../controller/actions.js';
import type { Controller } from '../controller/Controller.js';
import type { Core } from '../controller/Core.js';
import { isAbout } from '../controller/filters.js';
import { LiveView } from '../controller/LiveView.js';
import type { ViewSnapshot } from '../controller/View.js';
import { allArgs } from '../schema/identity.js';
import { collectionOf } from '../schema/lists.js';
import { rowRef } from '../schema/references.js';
import { entitiesOf, shapeOf } from '../schema/shape.js';
import type { Shape } from '../schema/shapes.js';
import type { Listing } from '../store/cells/Cell.js';
import { patchesOf } from '../store/journal/patches.js';
import { isPending } from '../store/journal/rank.js';
import { writeLocal } from '../store/journal/transactions.js';
import { isListing } from '../store/lists/members.js';
import { entityPk, findCell, questionOf } from '../store/views/queries.js';
import { batch } from '../controller/batch.js';
import { keepRows, placeOfIndex, sparseLength, sparseMarks } from './arrangeSparse.js';
import type { OpenWindow, SparseList, WindowRange } from './SparseList.js';
import type { WindowEndpoint } from './windowEndpointOf.js';
import { untilQuiet } from './untilQuiet.js';
import { WindowPages } from './WindowPages.js';

type List = SparseList<unknown>;

/** The view of one windowed list. Its windows share the pages. */
export class WindowViewClass extends LiveView<List> {
  readonly #pages: WindowPages;
  readonly refresh: List['refresh'];
  /**
   * The loaded rows. While a delete is in flight, these include all rows that were loaded when it
   * began.
   */
  #held = new Set<unknown>();
  /** The data of the last snapshot. Undefined if a page has started or finished loading since. */
  #rendered: { readonly items: unknown; readonly listing: Listing | undefined } | undefined;

  constructor(
    core: Core,
    controller: Controller,
    key: string,
    source: WindowEndpoint,
    args: readonly unknown[],
  ) {
    const { endpoint } = source;
    const { shape, reference } = questionOf(collectionOf(endpoint.schema), allArgs(endpoint, args));
    super(core, core.store, `${key} (window)`, shape, args, () => reference);
    this.#pages = new WindowPages(controller, source, args, {
      changed: () => {
        this.#rendered = undefined;
        this.root.onChange?.();
      },
      listing: () => this.#listing(),
      isMoving: () => this.#isMoving(),
      untilQuiet: () => untilQuiet(core),
      drop: (isKept) => this.#drop(isKept),
      store: () => this.store,
    });
    this.refresh = () => this.#pages.refresh();
    watchMoves(core, new WeakRef(this));
    core.views.adopt(this);
  }

  /**
   * Called when a mutation succeeded. The store moves the rows behind a deleted row, if that row
   * was loaded. A create, or a delete of another row, moves rows at an unknown place, so all pages
   * are outdated.
   */
  noteSuccess({ endpoint, args, response }: ReceiveAction): void {
    const shape = shapeOf(endpoint.schema);
    const list = this.#cell()?.list;
    const members = [...(list ? entitiesOf(list.shape.member) : [])].filter(({ entity }) =>
      isAbout(shape, entity),
    );
    const isHeld = members.some(({ entity, path }) => {
      const pk = entityPk(entity, response ? [response] : args) ?? entityPk(entity, args);
      return pk !== undefined && this.#held.has(rowRef(path, pk));
    });
    if (members.length > 0 && isMoving(shape) && !(shape.kind === 'invalidate' && isHeld)) {
      this.#pages.outdate();
    }
  }

  open(range: WindowRange): OpenWindow {
    const { ranges } = this.#pages;
    const own = { range };
    // The update is deferred, because other ranges may move at the same time. The pages that they
    // need then stay.
    const update = (): void => queueMicrotask(() => this.#pages.update());
    ranges.add(own);
    update();
    return {
      move: (next) => {
        own.range = next;
        update();
      },
      close: () => {
        ranges.delete(own);
        update();
      },
    };
  }

  override getServerSnapshot(): ViewSnapshot<List> {
    return this.getSnapshot();
  }

  protected override nextSnapshot(before: ViewSnapshot<List> | undefined): ViewSnapshot<List> {
    // The list is read in any case, because the view is notified only about data that it has read.
    const items = this.read() as unknown;
    const listing = this.#listing();
    const { items: itemsBefore, listing: listingBefore } = this.#rendered ?? {};
    if (before && this.#rendered && itemsBefore === items && listingBefore === listing) {
      return before;
    }
    this.#rendered = { items, listing };
    // A delete moves rows into the range, or leaves a hole in it.
    queueMicrotask(() => {
      this.#noteHeld();
      this.#pages.update();
    });
    const data = this.#listOf(Array.isArray(items) ? items : [], listing);
    return Object.freeze({ status: 'ready', data, stale: false });
  }

  #listOf(items: readonly unknown[], listing: Listing | undefined): List {
    const marks = sparseMarks(listing);
    const at = (index: number): unknown => {
      const place = placeOfIndex(marks, index);
      return place === undefined ? undefined : items[place];
    };
    return Object.freeze({
      length: sparseLength(listing) ?? 0,
      at,
      isLoading: (index: number) =>
        index >= 0 &&
        index < (sparseLength(listing) ?? Infinity) &&
        at(index) === undefined &&
        this.#pages.isAwaited(index),
      errorAt: (index: number) => this.#pages.pageAt(index)?.error,
      refresh: this.refresh,
    });
  }

  /**
   * Called after `noteSuccess`. Until then, `#held` must contain the row that the mutation deleted.
   */
  #noteHeld(): void {
    this.#held = this.#isMoving() ? this.#held : new Set();
    this.#listing()?.members.forEach((member) => this.#held.add(member));
  }

  #cell() {
    return findCell(this.store, this.root.shape, this.root.current());
  }

  #listing(): Listing | undefined {
    const current = this.#cell()?.current;
    return current && isListing(current) && current.isPaged ? current : undefined;
  }

  #isMoving(): boolean {
    const cell = this.#cell();
    return (
      cell !== undefined &&
      patchesOf(cell).some(
        ({ operation, transaction }) => operation.type === 'remove' && isPending(transaction),
      )
    );
  }

  #drop(isKept: (index: number) => boolean): void {
    const cell = this.#cell();
    if (cell) {
      const arrange = keepRows(isKept);
      const nothing = { members: [], keys: undefined, pageFields: undefined };
      batch(this.core, () =>
        writeLocal(this.store, cell, { type: 'replace', ...nothing, arrange }),
      );
    }
  }
}

/** Returns true if a response with a shape moves rows of lists. */
function isMoving(shape: Shape): boolean {
  return shape.kind === 'object'
    ? [...shape.fields.values()].some(isMoving)
    : shape.kind === 'array'
      ? isMoving(shape.member)
      : shape.kind === 'edit' || shape.kind === 'invalidate';
}

/** Notifies a view of successful mutations until the view is garbage-collected. */
function watchMoves(core: Core, view: WeakRef<WindowViewClass>): void {
  const stop = core.successes.add((_, action) => {
    const current = view.deref();
    if (!current) {
      stop();
    } else if (action.endpoint.sideEffect) {
      current.noteSuccess(action);
    }
  });
}
