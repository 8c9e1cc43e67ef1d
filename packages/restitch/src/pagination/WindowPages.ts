import type { Controller } from '../controller/Controller.js';
import { toError } from '../errors/toError.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Result } from '../store/cells/Result.js';
import { sparseLimit, startOfPage } from './arrangeSparse.js';
import {
  createPage,
  follow,
  hold,
  isPaused,
  lastExpiry,
  unreadablePage,
  type WindowPage,
} from './WindowPage.js';
import type { PageParams } from './PageMark.js';
import { requestedSize } from './requestedSize.js';
import { type WindowSource, withoutRow } from './windowEndpointOf.js';
import { hasHole, type Reach, startsIn } from './windowRanges.js';

export interface PagesHost {
  readonly changed: () => void;
  readonly listing: () => Listing | undefined;
  readonly isMoving: () => boolean;
  /** Returns true once if rows are hidden because the program deleted related rows. */
  readonly hasHidden: () => boolean;
  /** Expires a result and repeats its running request, unless the result expired since `since`. */
  readonly expire: (result: Result, since: number) => void;
  /** Expires the results, so that a program that hydrates them loads the pages again. */
  readonly outdate: (pages: Iterable<WindowPage>) => void;
  readonly keep: (starts: readonly number[], limit: number) => void;
}

const KEEP = 10;

/** Limits the requests for a row that the total of the server counts, but no page contains. */
const MOST_TRIES = 5;

/**
 * Loads the pages in the ranges of a windowed list, and drops unused pages.
 *
 * - If a create or delete is in flight, the indexes of an arriving page are uncertain. The server
 *   may have read the page before or after the change.
 * - The delete of a loaded row moves all rows behind it. After any other delete or create, the
 *   indexes are uncertain, because the position of the change is unknown.
 * - If indexes are uncertain, the pages in the ranges are loaded again once no create or delete is
 *   in flight. All other pages are then dropped.
 */
export class WindowPages {
  readonly ranges: Set<Reach> = new Set();
  /** The pages by the index of their first row, in order of use. */
  readonly #pages = new Map<number, WindowPage>();
  readonly #controller: Controller;
  readonly #source: WindowSource;
  readonly #size: number | undefined;
  readonly #host: PagesHost;
  #isPlanned = false;
  #expiredIn = 0;
  /** The tick of the last invalidation. All older requests are repeated. */
  #lostIn = 0;
  /** True if the pages in the ranges must be loaded again. */
  isUnsure = false;
  /** The list as it was before the creates and deletes in flight. */
  #before: Listing | undefined;

  constructor(controller: Controller, source: WindowSource, host: PagesHost) {
    this.#controller = controller;
    this.#source = source;
    this.#size = requestedSize(source.first, source.positions);
    this.#host = host;
  }

  renew(first: WindowSource['first']): void {
    if (first === this.#source.first) {
      return;
    }
    this.#source.first = first;
    for (const page of this.#pages.values()) {
      const { release, view } = page;
      Object.assign(page, this.#follow(page.ask));
      release();
      if (page.error && view.abortedSignal) {
        page.error = undefined;
        page.isNew = true;
      }
    }
    this.update();
  }

  errorAt(index: number): Error | undefined {
    return this.#pages.get(startOfPage(index, this.#limit))?.error;
  }

  /** After a delete, `references` name the deleted row: one for each class of the list. */
  noteMove(references: readonly unknown[]): void {
    const isKnown = references.some((row) => this.#before?.members.includes(row));
    // A row of an expired page may have moved into a range.
    const isOutdated = ({ request, error, view }: WindowPage): boolean =>
      request !== undefined || error !== undefined || view.needsLoad(true);
    this.isUnsure ||= !isKnown || [...this.#pages.values()].some(isOutdated);
    if (this.isUnsure) {
      this.#host.outdate(this.#pages.values());
    }
  }

  /** Called after a reset with `refetch: false`. */
  pause(): void {
    this.#lostIn = 0;
    for (const page of this.#pages.values()) {
      page.request = page.error = undefined;
    }
    if (this.#pages.size === 0) {
      // Ranges that were opened in this task have no pages yet to hold the pause.
      this.#startsIn().forEach((start) => hold(this.#use(start), () => this.update()));
    }
  }

  /** Called when a range has left all of its old rows. Its failed pages are requested again. */
  arrive(reach: Reach): void {
    this.#forget(this.#startsIn([reach]));
  }

  /** Waits for a microtask: by then, responses are stored, and all ranges have moved. */
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
    // After a sign-out, the pages in use are paused. A table of the empty list scrolls to other
    // pages, which must not load either.
    if (this.ranges.size > 0 && [...this.#pages.values()].some(isPaused)) {
      return;
    }
    const isMoving = this.#host.isMoving();
    if (!this.#host.listing()) {
      // An invalidated list has lost the rows of all pages.
      this.#pages.forEach((page) => (page.isNew = true));
      this.isUnsure ||= this.#before !== undefined;
      this.#before = undefined;
    }
    if (this.#host.hasHidden()) {
      this.isUnsure = true;
      this.#host.outdate(this.#pages.values());
    }
    if (this.isUnsure && !isMoving) {
      this.#startAgain();
    }
    const results = [...this.#pages.values()].map(({ view }) => view.result);
    const expiredIn = lastExpiry(results);
    const lostIn = lastExpiry(results.filter(({ status }) => status === 'none'));
    this.#lostIn = Math.max(this.#lostIn, lostIn);
    if (expiredIn > this.#expiredIn) {
      this.#expiredIn = expiredIn;
      this.#forget(this.#pages.keys());
    }
    let isComplete = !isMoving;
    const inRanges = this.#startsIn();
    for (const start of inRanges) {
      const page = this.#use(start);
      const isWanted = !page.error && !page.request && this.#isWanted(start, page, isMoving);
      // Otherwise, a component that aborts the signal of each earlier render would retry forever.
      isComplete &&= !page.request && !isWanted && !page.error;
      page.isNew = false;
      if (isWanted) {
        this.#try(page);
      }
    }
    if (isComplete) {
      this.#pages.forEach((page) => (page.tries = 0));
    }
    // A pending delete of a dropped row would find no row, and the length would count this row
    // again. So no page is dropped while a mutation is in flight.
    if (!isMoving) {
      this.#evict(inRanges);
      this.#before = this.#host.listing();
    }
  }

  /** Must not run after each response: a wrong total would cause endless requests. */
  #forget(starts: Iterable<number>): void {
    for (const start of starts) {
      const page = this.#pages.get(start);
      if (page) {
        page.tries = 0;
      }
      if (page?.error) {
        page.error = undefined;
        page.isNew = true;
        this.#host.changed();
      }
    }
  }

  async refresh(): Promise<void> {
    const inRanges = this.#startsIn();
    if (this.#host.isMoving()) {
      // The other pages are dropped when no create or delete is in flight.
      this.isUnsure = true;
    } else {
      this.#dropAllBut(inRanges);
    }
    await Promise.all([...inRanges].map((start) => this.#load(this.#use(start))));
  }

  #startAgain(): void {
    const inRanges = this.#startsIn();
    this.isUnsure = false;
    // Ticks begin at 0 again after a reset of the store, so old ticks must not count. With -1,
    // `#update` also forgets all errors.
    this.#expiredIn = -1;
    this.#lostIn = 0;
    this.#dropAllBut(inRanges);
    for (const start of inRanges) {
      const page = this.#use(start);
      page.isFinal = false;
      // The response to an older request is then ignored.
      page.request = undefined;
    }
  }

  #dropAllBut(starts: ReadonlySet<number>): void {
    this.#removeWhere((start) => !starts.has(start));
    this.#host.keep([...starts], this.#limit);
  }

  #keepAllBut(dropped: readonly WindowPage[]): void {
    const kept = [...this.#pages].filter(([, page]) => !dropped.includes(page));
    this.#host.keep(
      kept.map(([start]) => start),
      this.#limit,
    );
  }

  /** The page size; 0 while it is unknown. */
  get #limit(): number {
    return this.#size ?? sparseLimit(this.#host.listing());
  }

  #startsIn(ranges: Iterable<Reach> = this.ranges): Set<number> {
    return startsIn(ranges, this.#host.listing(), this.#limit);
  }

  #use(start: number): WindowPage {
    const page = this.#pages.get(start) ?? this.#open(start);
    this.#pages.delete(start);
    this.#pages.set(start, page);
    this.#host.expire(page.view.result, this.#lostIn);
    return page;
  }

  #open(start: number): WindowPage {
    const ask = this.#source.positions.askAt(start, Math.max(1, this.#limit));
    return createPage(ask, this.#follow(ask));
  }

  #follow(ask: PageParams): Pick<WindowPage, 'view' | 'release'> {
    return follow(this.#controller, this.#source.first, ask, () => this.update());
  }

  #isWanted(
    start: number,
    { view, isNew, isFinal, isFailed }: WindowPage,
    isMoving: boolean,
  ): boolean {
    // While a create or delete may move rows, only new pages load their missing rows.
    const isStill = isNew || !isMoving;
    return (
      // Pages with uncertain indexes are expired, but wait until no create or delete is in flight.
      ((isNew || !this.isUnsure) && view.needsLoad(!isNew)) ||
      (isStill &&
        (!isFinal ||
          isFailed ||
          hasHole(this.ranges, this.#host.listing(), this.#limit, start, isNew)))
    );
  }

  #try(page: WindowPage): void {
    page.tries += 1;
    if (page.tries > MOST_TRIES) {
      page.error = withoutRow(this.#source.first.endpoint);
      this.#host.changed();
    } else {
      void this.#load(page);
    }
  }

  async #load(page: WindowPage): Promise<void> {
    const request = (page.request = {});
    let error: Error | undefined;
    page.error = undefined;
    this.isUnsure ||= this.#host.isMoving();
    this.#host.changed();
    try {
      const value = await page.view.refetch();
      error = unreadablePage(this.#source.first.endpoint, page, this.#host.listing(), value);
    } catch (failure) {
      error = toError(failure);
    }
    const isMoving = this.#host.isMoving();
    this.isUnsure ||= isMoving;
    if (page.request === request) {
      page.request = undefined;
      page.error = error;
      page.isFailed = error !== undefined;
      page.isFinal ||= !error;
      this.#host.changed();
      this.update();
    } else if (!isMoving) {
      // The response to this superseded request was stored anyway. Its rows are dropped if `#pages`
      // lacks the page, or if a later request for the page failed.
      this.#keepAllBut(page.error ? [page] : []);
    }
  }

  /** The rows of the removed pages stay in the list. */
  #removeWhere(test: (start: number, page: WindowPage) => boolean): boolean {
    const before = this.#pages.size;
    for (const [start, page] of this.#pages) {
      if (test(start, page)) {
        page.request = undefined;
        page.release();
        page.view.result.resume = undefined;
        this.#pages.delete(start);
      }
    }
    return this.#pages.size < before;
  }

  #evict(inRanges: ReadonlySet<number>): void {
    const keep = Math.max(0, ...[...this.ranges].map(({ range }) => range.keep ?? KEEP));
    const isSpare = (): boolean => this.ranges.size === 0 || this.#pages.size > keep;
    // If a page failed to load again, its old rows may be at wrong indexes. They are dropped.
    const failed = [...this.#pages.values()].filter(({ isFinal, error }) => !isFinal && error);
    const hasRemoved = this.#removeWhere(
      (start, page) =>
        // A page that failed is loaded again when a range comes back to it.
        !inRanges.has(start) && !page.request && (isSpare() || page.error !== undefined),
    );
    if (failed.length > 0 || (hasRemoved && this.ranges.size > 0)) {
      this.#keepAllBut(failed);
    }
    failed.forEach((page) => (page.isFinal = true));
  }
}
