import type { Controller } from '../controller/Controller.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { toError } from '../errors/toError.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Style } from './createPagination.js';
import { askBefore, nextIndex } from './listEnds.js';
import type { InfiniteSource } from './infiniteViewClass.js';
import { pageEndpointOf } from './pageEndpointOf.js';
import { withParams } from './pageParams.js';
import { FIRST, isFirst, marksOf, type PageMark, type PageParams, textOf } from './PageMark.js';
import { noteRound, type Round } from './roundNumbers.js';
import { unsureIndex } from './serverPositions.js';

/** The state of one kind of request. A list has at most one request of each kind in flight. */
export interface Side {
  promise: Promise<void> | undefined;
  error: Error | undefined;
}

export interface LoaderHost {
  readonly changed: () => void;
  /** Returns the list without pending changes, or undefined if it is unknown. */
  readonly confirmed: () => Listing | undefined;
  /** Returns the store. A reset replaces it. */
  readonly store: () => object;
  /** Returns true if no mutation that moves rows of the list is in flight. */
  readonly isQuiet: () => boolean;
  /** Resolves when no such mutation is in flight. */
  readonly untilQuiet: () => Promise<void>;
}

/**
 * The maximum number of requests for a page whose place is missing when it arrives. Also limits
 * `#repairs`.
 */
const MOST_ATTEMPTS = 5;
/** The maximum number of requests for a page of a refresh, if the server fails. */
const MOST_TRIES = 3;

/**
 * Loads the pages of one list. `loadNext`, `loadPrevious` and refreshes don't wait for each other.
 */
export class PageLoader {
  readonly next: Side = { promise: undefined, error: undefined };
  readonly previous: Side = { promise: undefined, error: undefined };
  readonly first: Side = { promise: undefined, error: undefined };
  readonly loaded: Side = { promise: undefined, error: undefined };
  readonly #controller: Controller;
  readonly #source: InfiniteSource;
  readonly #host: LoaderHost;
  /**
   * The number of loops of `#repair` since the last mutation that moved rows, or the last
   * `loadNext` or `refresh`.
   */
  #repairs = 0;

  constructor(controller: Controller, source: InfiniteSource, host: LoaderHost) {
    this.#controller = controller;
    this.#source = source;
    this.#host = host;
  }

  loadNext(): Promise<void> {
    this.loaded.error = undefined;
    this.#repairs = 0;
    return this.#run(this.next, async () => {
      const { style } = this.#source.pagination;
      // Repairs first, because `maxPages` may drop a page before the repaired rows.
      await this.#repair();
      const before = this.#host.confirmed();
      await this.#place((listing) => nextAsk(style, listing, nextIndex(listing)));
      const after = this.#host.confirmed();
      // Without this wait, a caller that loads until `hasNext` is false would never end.
      if (after && unsureIndex(after) > 0 && after.marks === before?.marks) {
        await this.#host.untilQuiet();
      }
      // A refresh in progress repairs at its end.
      await (this.loaded.promise ?? this.#repair());
    });
  }

  /** Called whenever a request of any list begins or ends, while this list has readers. */
  settle(): void {
    if (this.#toRepair() < 0) {
      this.#repairs = 0;
    } else if (this.#repairs < MOST_ATTEMPTS && !this.next.promise && !this.loaded.promise) {
      void this.#run(this.loaded, () => this.#repair());
    }
  }

  loadPrevious(): Promise<void> {
    const { pagination } = this.#source;
    return this.#run(this.previous, () => this.#place((listing) => askBefore(pagination, listing)));
  }

  refresh(what: 'first' | 'loaded' = 'first'): Promise<void> {
    const isLoaded = marksOf(this.#host.confirmed()).length > 0;
    return what === 'loaded' && isLoaded && this.#controller.environment.isVisible()
      ? this.#run(this.loaded, () => this.#refreshLoaded())
      : this.#run(this.first, () => this.#refreshFirst());
  }

  /**
   * Runs `work`, unless work of the same side is running. A failure becomes the error of the side.
   */
  #run(side: Side, work: () => Promise<void>): Promise<void> {
    if (side.promise) {
      return side.promise;
    }
    const store = this.#host.store();
    const end = (error?: Error): void => {
      side.promise = undefined;
      // A reset removed the list, so the error of its request is dropped.
      side.error = store === this.#host.store() ? error : undefined;
      this.#host.changed();
    };
    side.error = undefined;
    side.promise = work().then(
      () => end(),
      (error: unknown) => end(toError(error)),
    );
    this.#host.changed();
    return side.promise;
  }

  /**
   * Returns the index of the first page to repair; -1 if there is none, or while a mutation is in
   * flight.
   */
  #toRepair(): number {
    const listing = this.#host.confirmed();
    return listing && this.#host.isQuiet() ? unsureIndex(listing) : -1;
  }

  /**
   * Loads pages again: those whose requests overlapped a mutation that moves rows, and all pages
   * behind them. Stops while such a mutation is in flight.
   */
  async #repair(): Promise<void> {
    const { style } = this.#source.pagination;
    for (let index; this.#repairs < MOST_ATTEMPTS && (index = this.#toRepair()) >= 0;) {
      const count = this.#repairs + 1;
      // After an error, pages are repaired again only after another call or mutation.
      this.#repairs = MOST_ATTEMPTS;
      if (index === 0) {
        await this.#refreshFirst();
      } else if (!(await this.#refreshFrom(index))) {
        await this.#place((listing) => nextAsk(style, listing, unsureIndex(listing) - 1));
      }
      this.#repairs = count;
    }
  }

  /**
   * Loads the page with the parameters that `askOf` returns. If the place of the page is missing
   * when it arrives, requests it again.
   */
  async #place(askOf: (listing: Listing) => PageParams | undefined): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const listing = this.#host.confirmed();
      if (!listing || marksOf(listing).length === 0) {
        await this.#source.first.refetch();
        return;
      }
      const ask = askOf(listing);
      if (ask === undefined) {
        return;
      }
      await this.#fetch(ask);
      const mark = this.#markOf(ask);
      if (mark?.repeats) {
        this.#reportRepeat(mark);
      }
      // After an invalidation, the list starts again with its first page.
      if (mark || this.#source.first.getSnapshot().status !== 'ready') {
        return;
      }
    }
  }

  /** Fetches the first loaded page again. A failure is the error of the first page. */
  async #refreshFirst(): Promise<void> {
    const [first] = marksOf(this.#host.confirmed());
    const { ask = FIRST } = first ?? {};
    await (isFirst(ask) ? this.#source.first.refetch() : this.#fetch(ask));
  }

  async #refreshLoaded(): Promise<void> {
    this.#repairs = 0;
    await this.#refreshAll();
    await this.#repair();
  }

  /**
   * Fetches the loaded pages one after another. Each page begins where the page before it now ends.
   * The refresh ends when a page reaches the end of the list. A page that fails stays unchanged.
   */
  async #refreshAll(): Promise<void> {
    const { style } = this.#source.pagination;
    const before = marksOf(this.#host.confirmed());
    if (await this.#refreshFrom(0)) {
      return;
    }
    await this.#refreshFirst();
    let ask: PageParams | null = before[0]?.ask ?? FIRST;
    let error: unknown;
    for (let count = 1; ; count += 1) {
      const listing = this.#host.confirmed();
      const marks = marksOf(listing);
      const at = marks.findIndex((mark) => textOf(mark.ask) === textOf(ask ?? undefined));
      const mark = marks[at];
      const isFar = mark?.gap === true && count >= before.length;
      if (!listing || !mark || at === marks.length - 1 || isFar) {
        break;
      }
      // The response of a page that was put in front may not name the next page.
      ask = style.next(listing, at) ?? marks[at + 1]?.ask ?? null;
      if (!ask) {
        break;
      }
      error = (await this.#try(ask)) ?? error;
    }
    if (error !== undefined) {
      throw toError(error);
    }
  }

  /**
   * Fetches pages by position again, from a mark on. Returns false for pages by cursor or link, and
   * for a list with a gap.
   */
  async #refreshFrom(from: number): Promise<boolean> {
    const listing = this.#host.confirmed();
    const { positions } = this.#source.pagination.style;
    if (!listing || !positions || marksOf(listing).some(({ gap }) => gap)) {
      return false;
    }
    await positions.refresh(listing, from, {
      listing: () => this.#host.confirmed(),
      load: (ask, round) => this.#try(ask, round),
    });
    return true;
  }

  /** Fetches a page, more than once if the server fails. Returns the last error. */
  async #try(ask: PageParams, round?: Round): Promise<unknown> {
    let failure: unknown;
    for (let count = 0; count < MOST_TRIES; count += 1) {
      try {
        await (isFirst(ask) ? this.#source.first.refetch() : this.#fetch(ask, round));
        return undefined;
      } catch (error) {
        failure = error;
        if (this.#endpoint().errorPolicy?.(toError(error)) !== 'soft') {
          break;
        }
      }
    }
    return failure;
  }

  #fetch(ask: PageParams, round?: Round): Promise<unknown> {
    const { args, pagination, collection } = this.#source;
    const page = pageEndpointOf(this.#endpoint(), collection, pagination.style.params);
    const own = withParams(args, ask);
    noteRound(own, args, round);
    return this.#controller.fetch(page, ...own);
  }

  /** Returns the endpoint of the latest reader, which may carry newer credentials. */
  #endpoint(): EndpointInterface {
    return this.#source.first.endpoint;
  }

  #markOf(ask: PageParams): PageMark | undefined {
    return marksOf(this.#host.confirmed()).find((mark) => textOf(mark.ask) === textOf(ask));
  }

  #reportRepeat({ ask }: PageMark): void {
    const { name } = this.#endpoint();
    this.#controller.environment.report(
      new RestitchError(
        'page-repeats',
        isDevelopment
          ? `${name}: the page ${textOf(ask)} names an earlier page as the next one. The list ends there.`
          : name,
      ),
    );
  }
}

function nextAsk(
  style: Style,
  listing: Listing,
  index: number | undefined,
): PageParams | undefined {
  if (index === undefined) {
    return undefined;
  }
  return style.next(listing, index) ?? undefined;
}
