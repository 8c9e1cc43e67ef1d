import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import { toError } from '../errors/toError.js';
import { collectionOf } from '../schema/listsInSchema.js';
import type { Listing } from '../store/cells/Cell.js';
import {
  placeOfIndex,
  sparseLength,
  sparseLimit,
  sparseMarks,
  startOfPage,
} from './arrangeSparse.js';
import { hasList, missingList } from './missingList.js';
import { withParams } from './pageParams.js';
import type { WindowRange } from './SparseList.js';
import { type WindowEndpoint, withoutRow, withoutTotal } from './windowEndpointOf.js';

export interface PagesHost {
  readonly changed: () => void;
  /** Returns the list, or undefined if it is unknown. */
  readonly listing: () => Listing | undefined;
  /** Returns true if a create or delete is in flight that may move rows of the list. */
  readonly isMoving: () => boolean;
  /** Keeps only the rows of the pages that begin at the given indexes. */
  readonly keep: (starts: readonly number[], limit: number) => void;
  /** Returns the store, which a reset replaces. */
  readonly store: () => object;
}

interface Page {
  readonly view: EndpointView<unknown>;
  readonly release: () => void;
  /** The last request, while it is in flight. */
  request: object | undefined;
  error: Error | undefined;
  /** True until the page is first used by a range, and again after the list was invalidated. */
  isNew: boolean;
  /** False if the page has to be loaded again, because its rows may be at wrong indexes. */
  isFinal: boolean;
  /** The number of requests since all rows in the ranges were last loaded. */
  tries: number;
}

const KEEP = 10;

const WHOLE: WindowRange = { start: 0, end: Infinity };

/**
 * Limits the requests for a missing row. Without a limit, requests would never end if the server
 * counts a row that none of its pages contains.
 */
const TRIES = 5;

/**
 * Loads the pages that the ranges of a windowed list touch, and drops unused pages.
 *
 * - A page is placed at the index in its request. If a create or delete was in flight at the same
 *   time, the rows of the page may be from before or after the move.
 * - The delete of a loaded row moves all rows behind it to their new indexes. Any other delete, and
 *   each create, moves rows in an unknown place.
 * - After an overlap or an unknown move, no index is certain. Once no create or delete is in flight,
 *   the pages in the ranges are loaded again, and all others are dropped.
 */
export class WindowPages {
  readonly ranges: Set<{ range: WindowRange }> = new Set();
  /** The pages by the index of their first row, in order of use. */
  readonly #pages = new Map<number, Page>();
  readonly #controller: Controller;
  readonly #source: WindowEndpoint;
  readonly #args: readonly unknown[];
  /** The page size, if the arguments have one. */
  readonly #size: number | undefined;
  readonly #host: PagesHost;
  #isPlanned = false;
  /** True if rows may stand at wrong indexes. */
  #isUnsure = false;
  /** The list as it was before the creates and deletes in flight. */
  #before: Listing | undefined;

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

  errorAt(index: number): Error | undefined {
    return this.#pages.get(this.#startOf(index))?.error;
  }

  /**
   * Called after a mutation that moved rows. `references` contains the references to the deleted
   * row, one for each class of the list. If it contains no row of the list, the place of the move
   * is unknown.
   */
  noteMove(references: readonly unknown[]): void {
    const isKnown = references.some((row) => this.#before?.members.includes(row));
    this.#isUnsure ||=
      (!isKnown && this.#host.listing() !== undefined) ||
      [...this.#pages.values()].some(({ request }) => request);
  }

  /**
   * Loads missing pages and drops unused pages, in a microtask. By then, responses are stored, and
   * all ranges have moved.
   */
  update(): void {
    if (!this.#isPlanned) {
      this.#isPlanned = true;
      queueMicrotask(() => {
        this.#isPlanned = false;
        this.#update();
      });
    }
  }

  #update(): void {
    const isMoving = this.#host.isMoving();
    if (!this.#host.listing()) {
      // An invalidated list starts again, without the rows of any page.
      this.#pages.forEach((page) => (page.isNew = true));
    } else if (this.#isUnsure && !isMoving) {
      this.#startAgain();
    }
    let isComplete = !isMoving;
    for (const start of this.#touched()) {
      const page = this.#use(start);
      const isWanted = !page.error && !page.request && this.#isWanted(start, page, isMoving);
      isComplete &&= !page.request && !isWanted;
      page.isNew = false;
      if (isWanted) {
        this.#try(page);
      }
    }
    for (const page of isComplete ? this.#pages.values() : []) {
      page.tries = page.error ? page.tries : 0;
    }
    // While a create or delete is in flight, no page is dropped. The operation that drops pages
    // would restore the length from before the mutation.
    if (!isMoving) {
      this.#evict();
      this.#before = this.#host.listing();
    }
  }

  /** Loads the pages in the ranges again. The other pages are loaded when a range reaches them. */
  async refresh(): Promise<void> {
    const touched = this.#touched();
    if (!this.#host.isMoving()) {
      this.#dropAllBut(touched);
    }
    await Promise.all([...touched].map((start) => this.#load(this.#use(start))));
  }

  /** Loads the pages in the ranges again and drops the others, because no index is certain. */
  #startAgain(): void {
    const touched = this.#touched();
    this.#isUnsure = false;
    this.#dropAllBut(touched);
    for (const start of touched) {
      const page = this.#use(start);
      page.isFinal = false;
      page.error = undefined;
      // The response to an older request is ignored.
      page.request = undefined;
    }
  }

  #dropAllBut(starts: ReadonlySet<number>): void {
    this.#removeWhere((start) => !starts.has(start));
    this.#host.keep([...starts], this.#limit);
  }

  /** The page size. While it is unknown, it is 0, and the list has only one page. */
  get #limit(): number {
    return this.#size ?? sparseLimit(this.#host.listing());
  }

  #startOf(index: number): number {
    return startOfPage(index, this.#limit);
  }

  /**
   * Returns the first index of each page that the ranges touch. Until the page size is known, only
   * the first page is loaded.
   */
  #touched(): Set<number> {
    const length = sparseLength(this.#host.listing());
    const limit = this.#limit;
    const starts = new Set<number>();
    for (const { range } of this.ranges) {
      const first = Math.max(0, range.start);
      const end = Math.min(range.end, length ?? Infinity);
      if (limit === 0 || length === 0) {
        starts.add(0);
      } else if (first < end) {
        for (let start = this.#startOf(first); start < end; start += limit) {
          starts.add(start);
        }
      } else if (length === undefined || range.start >= length) {
        starts.add(length === undefined ? 0 : this.#startOf(length - 1));
      }
    }
    return starts;
  }

  /** Returns a page and moves it to the end of `#pages`, as the page used last. */
  #use(start: number): Page {
    const page = this.#pages.get(start) ?? this.#open(start);
    this.#pages.delete(start);
    this.#pages.set(start, page);
    return page;
  }

  #open(start: number): Page {
    const { endpoint, positions } = this.#source;
    const args = withParams(this.#args, positions.askAt(start, Math.max(1, this.#limit)));
    // The cast: `observe` returns an `EndpointView` for an endpoint.
    const view = this.#controller.observe(endpoint, ...args) as EndpointView<unknown>;
    const stop = view.subscribe(() => this.update());
    const letGo = view.retain();
    const release = (): void => {
      stop();
      letGo();
    };
    const state = { request: undefined, error: undefined, isNew: true, isFinal: true, tries: 0 };
    return { view, release, ...state };
  }

  #isWanted(start: number, { view, isNew, isFinal }: Page, isMoving: boolean): boolean {
    // While `resume` is set, for example after a sign-out, readers must not fetch.
    if (view.result.resume) {
      return false;
    }
    // A row that is missing while a create or delete is in flight is loaded after the mutation
    // ends.
    const isStill = isNew || !isMoving;
    return view.needsLoad(!isNew) || (isStill && (!isFinal || this.#hasHole(start, isNew)));
  }

  /** Returns true if a row of a page is missing: in a range, or anywhere in a new page. */
  #hasHole(start: number, isNew: boolean): boolean {
    const listing = this.#host.listing();
    const marks = sparseMarks(listing);
    const length = sparseLength(listing) ?? 0;
    const last = Math.min(start + (this.#limit || Infinity), length);
    for (const range of isNew ? [WHOLE] : [...this.ranges].map((own) => own.range)) {
      const end = Math.min(range.end, last);
      for (let index = Math.max(range.start, start); index < end; index += 1) {
        if (placeOfIndex(marks, index) === undefined) {
          return true;
        }
      }
    }
    return !listing || (isNew && length === 0);
  }

  /** Loads a page. After too many responses without the missing row, sets an error instead. */
  #try(page: Page): void {
    page.tries += 1;
    if (page.tries > TRIES) {
      page.error = withoutRow(this.#source.endpoint);
      this.#host.changed();
    } else {
      void this.#load(page);
    }
  }

  #unreadable({ view }: Page, value: unknown): Error | undefined {
    const { endpoint } = this.#source;
    const { name, schema } = endpoint;
    const listing = this.#host.listing();
    const list = collectionOf(schema);
    // If the list was invalidated meanwhile, the store lacks it, although the response has it.
    if (!listing && view.result.status === 'value' && !hasList(schema, list, value)) {
      return missingList(name, schema, list, value);
    }
    return listing && sparseLength(listing) === undefined ? withoutTotal(endpoint) : undefined;
  }

  async #load(page: Page): Promise<void> {
    const request = (page.request = {});
    const store = this.#host.store();
    let error: Error | undefined;
    page.error = undefined;
    this.#isUnsure ||= this.#host.isMoving();
    this.#host.changed();
    try {
      error = this.#unreadable(page, await page.view.refetch());
    } catch (failure) {
      // A reset aborts the request, which is no error of the page.
      error = store === this.#host.store() ? toError(failure) : undefined;
    }
    this.#isUnsure ||= this.#host.isMoving();
    if (page.request === request) {
      page.request = undefined;
      page.error = error;
      page.isFinal ||= !error;
      this.#host.changed();
      this.update();
    }
  }

  /** Removes pages from `#pages`. Their rows stay in the list. */
  #removeWhere(test: (start: number, page: Page) => boolean): boolean {
    const before = this.#pages.size;
    for (const [start, page] of this.#pages) {
      if (test(start, page)) {
        page.release();
        this.#pages.delete(start);
      }
    }
    return this.#pages.size < before;
  }

  /** Drops the pages that were used longest ago. */
  #evict(): void {
    const touched = this.#touched();
    const keep = Math.max(0, ...[...this.ranges].map(({ range }) => range.keep ?? KEEP));
    const isSpare = (): boolean => this.ranges.size === 0 || this.#pages.size > keep;
    let hasDropped = this.#removeWhere(
      (start, page) =>
        // A page that failed is loaded again when a range comes back to it.
        !touched.has(start) && !page.request && (isSpare() || page.error !== undefined),
    );
    const kept: number[] = [];
    for (const [start, page] of this.#pages) {
      if (page.isFinal || !page.error) {
        kept.push(start);
      } else {
        // The rows of a failed page may be at wrong indexes, so they are dropped.
        page.isFinal = true;
        hasDropped = true;
      }
    }
    if (hasDropped && this.ranges.size > 0) {
      this.#host.keep(kept, this.#limit);
    }
  }
}
