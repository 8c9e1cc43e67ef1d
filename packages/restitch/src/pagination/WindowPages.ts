import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { toError } from '../errors/toError.js';
import type { Listing } from '../store/cells/Cell.js';
import { placeOfIndex, sparseLength, sparseLimit, sparseMarks } from './arrangeSparse.js';
import { withParams } from './pageParams.js';
import type { WindowRange } from './SparseList.js';
import { type WindowEndpoint, withoutTotal } from './windowEndpointOf.js';

/** The members of a view that its pages use. */
export interface PagesHost {
  /** Notifies readers of the view. */
  readonly changed: () => void;
  /** Returns the list, or undefined if it is unknown. */
  readonly listing: () => Listing | undefined;
  /** Returns true while a delete is in flight. The positions of rows are then uncertain. */
  readonly isMoving: () => boolean;
  /** Resolves when no mutation is in flight. */
  readonly untilQuiet: () => Promise<void>;
  /** Drops the rows for which `isKept` is false. */
  readonly drop: (isKept: (index: number) => boolean) => void;
  /** Returns the store, which a reset replaces. */
  readonly store: () => object;
}

/** One page in use. */
interface Page {
  readonly view: EndpointView<unknown>;
  readonly release: () => void;
  isLoading: boolean;
  error: Error | undefined;
  /**
   * The length of the list after the last response of the page. Until the length changes, a page
   * with missing rows is not loaded again.
   */
  lengthThen: number | undefined;
  /** True if the position of the page is uncertain, such as after a delete during its request. */
  isUncertain: boolean;
  /** True if the list was invalidated during the last request of the page. */
  isOutdated: boolean;
}

const KEEP = 10;

/** Loads the pages that the ranges of a windowed list touch, and evicts unused pages. */
export class WindowPages {
  readonly ranges: Set<{ range: WindowRange }> = new Set();
  /** The pages by number from 0, in order of use. */
  readonly #pages = new Map<number, Page>();
  readonly #controller: Controller;
  readonly #source: WindowEndpoint;
  readonly #args: readonly unknown[];
  /** The page size, if the arguments have one. */
  readonly #size: number | undefined;
  readonly #host: PagesHost;
  #isUpdating = false;
  #isWaiting = false;
  /** True once a response has set the length of the list. */
  #wasKnown = false;
  /** The length of the list at the last update. */
  #length = 0;

  constructor(
    controller: Controller,
    source: WindowEndpoint,
    args: readonly unknown[],
    host: PagesHost,
  ) {
    this.#controller = controller;
    this.#source = source;
    this.#args = args;
    this.#size = source.positions.sizeIn(args);
    this.#host = host;
  }

  /** Returns the page of a row. */
  pageAt(index: number): Page | undefined {
    return this.#pages.get(this.#numberOf(index));
  }

  /** Returns true if the page of a row is loading, or was not requested yet. */
  isAwaited(index: number): boolean {
    const page = this.pageAt(index);
    return !page || page.isLoading || (!page.error && page.lengthThen === undefined);
  }

  /** Loads the pages that the ranges lack, and evicts the pages that no range uses. */
  update(): void {
    if (this.#isUpdating) {
      return;
    }
    this.#isUpdating = true;
    this.#noteMoves();
    const touched = this.#touched();
    if (this.#hasStray(touched)) {
      if (this.#host.isMoving()) {
        void this.#updateLater();
      } else {
        this.#outdate(touched);
      }
    }
    for (const number of touched) {
      const page = this.#use(number);
      if (!page.isLoading && !page.error && this.#needsLoad(number, page)) {
        void this.#load(page);
      }
    }
    this.#evict();
    this.#isUpdating = false;
  }

  /**
   * Called when the indexes of all rows are unknown. Loads the pages in the ranges again, and drops
   * the other pages.
   */
  outdate(): void {
    this.#outdate(this.#touched());
    this.update();
  }

  #outdate(touched: ReadonlySet<number>): void {
    for (const [number, page] of this.#pages) {
      page.isUncertain = true;
      // The response of a loading page is still placed, so the page is dropped after that.
      if (!touched.has(number) && !page.isLoading) {
        this.#remove(number, page);
      }
    }
    this.#host.drop((index) => touched.has(this.#numberOf(index)));
  }

  /** Returns true if a page outside the ranges may have moved the rows inside. */
  #hasStray(touched: ReadonlySet<number>): boolean {
    return [...this.#pages].some(
      ([number, page]) => page.isUncertain && !page.isLoading && !touched.has(number),
    );
  }

  /** Loads the pages in the ranges again. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#touched()].map((number) => this.#load(this.#use(number))));
  }

  get #limit(): number {
    return this.#size ?? sparseLimit(this.#host.listing());
  }

  #numberOf(index: number): number {
    return Math.floor(index / Math.max(1, this.#limit));
  }

  /**
   * Returns the numbers of the pages that the ranges touch. Until the page size is known, that is
   * the first page.
   */
  #touched(): Set<number> {
    const length = sparseLength(this.#host.listing());
    const numbers = new Set<number>();
    for (const { range } of this.ranges) {
      const start = Math.max(0, range.start);
      const end = Math.min(range.end, length ?? Infinity);
      if (this.#limit === 0 || length === 0) {
        numbers.add(0);
      } else if (start < end) {
        const last = this.#numberOf(end - 1);
        for (let number = this.#numberOf(start); number <= last; number += 1) {
          numbers.add(number);
        }
      } else if (length === undefined || range.start >= length) {
        numbers.add(length === undefined ? 0 : this.#numberOf(length - 1));
      }
    }
    return numbers;
  }

  /** Returns a page and marks it as the most recently used one. */
  #use(number: number): Page {
    const page = this.#pages.get(number) ?? this.#open(number);
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page;
  }

  #open(number: number): Page {
    const { endpoint, positions } = this.#source;
    const limit = Math.max(1, this.#limit);
    const args = withParams(this.#args, positions.askAt(number * limit, limit));
    // The cast: `observe` returns the view of an endpoint.
    const view = this.#controller.observe(endpoint, ...args) as EndpointView<unknown>;
    const stop = view.subscribe(() => this.update());
    const release = view.retain();
    return {
      view,
      release: () => {
        stop();
        release();
      },
      isLoading: false,
      error: undefined,
      lengthThen: undefined,
      isUncertain: false,
      isOutdated: false,
    };
  }

  #needsLoad(number: number, page: Page): boolean {
    // After a sign-out, readers send nothing until the application resumes them.
    if (page.view.result.resume) {
      return false;
    }
    if (page.view.needsLoad(page.lengthThen !== undefined)) {
      return true;
    }
    if (this.#host.isMoving() && page.lengthThen !== undefined) {
      void this.#updateLater();
      return false;
    }
    const listing = this.#host.listing();
    const length = sparseLength(listing);
    return (
      page.isUncertain || (page.lengthThen !== (length ?? -1) && this.#hasHole(number, listing))
    );
  }

  /**
   * Marks the pages that load during a delete as uncertain. Their responses may or may not contain
   * the deleted row.
   */
  #noteMoves(): void {
    const listing = this.#host.listing();
    const length = sparseLength(listing) ?? 0;
    const isMoving = length < this.#length || this.#host.isMoving();
    for (const page of this.#pages.values()) {
      page.isUncertain ||= page.isLoading && isMoving;
      // An invalidated list has lost the rows of all pages.
      page.lengthThen = listing && page.lengthThen;
    }
    this.#wasKnown ||= sparseLength(listing) !== undefined;
    this.#length = length;
  }

  async #updateLater(): Promise<void> {
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      await this.#host.untilQuiet();
      this.#isWaiting = false;
      this.update();
    }
  }

  /** Returns true if a row of a page is missing in one of the ranges. */
  #hasHole(number: number, listing: Listing | undefined): boolean {
    const marks = sparseMarks(listing);
    const length = sparseLength(listing) ?? Infinity;
    const limit = Math.max(1, this.#limit);
    for (const { range } of this.ranges) {
      const end = Math.min(range.end, (number + 1) * limit, length);
      for (let index = Math.max(0, range.start, number * limit); index < end; index += 1) {
        if (placeOfIndex(marks, index) === undefined) {
          return true;
        }
      }
    }
    return listing === undefined;
  }

  #remove(number: number, page: Page): void {
    page.release();
    this.#pages.delete(number);
  }

  async #load(page: Page): Promise<void> {
    page.isLoading = true;
    page.error = undefined;
    page.isUncertain = this.#host.isMoving();
    this.#host.changed();
    const store = this.#host.store();
    try {
      await page.view.refetch();
      const length = sparseLength(this.#host.listing());
      // A response does not join the list if the list was invalidated after the request began.
      page.isOutdated = length === undefined && this.#wasKnown && !page.isOutdated;
      page.error =
        length === undefined && !page.isOutdated ? withoutTotal(this.#source.endpoint) : undefined;
      page.lengthThen = page.isOutdated ? undefined : (length ?? -1);
      page.isUncertain ||= this.#host.isMoving();
    } catch (error) {
      // A reset aborts the request, which is no error of the page.
      page.error = store === this.#host.store() ? toError(error) : undefined;
    }
    page.isLoading = false;
    this.#host.changed();
    this.update();
  }

  /**
   * Evicts the least recently used pages. Waits while a delete is in flight, because the deleted
   * row may be on such a page. Without that row, the delete would no longer shorten the list.
   */
  #evict(): void {
    if (this.#host.isMoving()) {
      void this.#updateLater();
      return;
    }
    const touched = this.#touched();
    const keep = Math.max(0, ...[...this.ranges].map(({ range }) => range.keep ?? KEEP));
    const before = this.#pages.size;
    for (const [number, page] of this.#pages) {
      const isSpare = this.#pages.size > keep && !page.isLoading;
      // A failed page is requested again when a range reaches it again.
      if (!touched.has(number) && (isSpare || page.error || this.ranges.size === 0)) {
        this.#remove(number, page);
      }
    }
    if (this.ranges.size > 0 && this.#pages.size < before) {
      this.#host.drop((index) => this.#pages.has(this.#numberOf(index)));
    }
  }
}
