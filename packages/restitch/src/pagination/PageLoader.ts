import { fetchFor } from '../controller/fetchOrJoin.js';
import { fixedOf } from '../controller/fixedOf.js';
import { internalsOf } from '../controller/internals.js';
import type { Controller } from '../controller/Controller.js';
import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { endedError } from '../errors/aborts.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { toError } from '../errors/toError.js';
import { sameItems } from '../schema/same.js';
import type { Listing } from '../store/cells/Cell.js';
import { askBefore, hasNext, isUnsure, nextIndex } from './listEnds.js';
import type { InfiniteSource } from './infiniteViewClass.js';
import type { LoaderHost } from './LoaderHost.js';
import { hasList, missingList } from './missingList.js';
import { pageEndpointOf } from './pageEndpointOf.js';
import { withParams } from './pageParams.js';
import { FIRST, isFirst, marksOf, type PageMark, type PageParams, textOf } from './PageMark.js';
import { readRound } from './readRound.js';
import { replacePages } from './replacedPages.js';
import { membersOf, ofRound, type Round, type RoundPage } from './Round.js';

type Action = 'next' | 'previous' | 'first' | 'loaded';

type ByAction<T> = { [A in Action]?: T | undefined };

const MOST_ATTEMPTS = 5;
const MOST_SOFT_TRIES = 3;

/**
 * Loads the pages of one list. A round, which loads all loaded pages again, delays other calls.
 *
 * A reset of the store ends this loader, and the list gets a new one. Otherwise, rows of the last
 * user could appear after a logout.
 */
export class PageLoader {
  readonly running: ByAction<Promise<void>> = {};
  errors: ByAction<Error> = {};
  readonly #controller: Controller;
  readonly #source: InfiniteSource;
  readonly #host: LoaderHost;
  #round: Promise<boolean> | undefined;
  /** True after a failed round, so that `repairIfNeeded` does not repeat the round without end. */
  #hasFailed = false;

  constructor(controller: Controller, source: InfiniteSource, host: LoaderHost) {
    this.#controller = controller;
    this.#source = source;
    this.#host = host;
  }

  loadNext(): Promise<void> {
    const { style } = this.#source.pagination;
    return this.#load('next', hasNext, async () => {
      let isNamed = true;
      await this.#place((listing) => {
        const last = nextIndex(listing);
        const ask = style.next(listing, last ?? -1, this.#host.size());
        isNamed = ask !== null || last === undefined;
        return ask;
      });
      // Another endpoint, or a program before an update, has loaded the pages by number.
      if (!isNamed) {
        await this.#runRound();
      }
    });
  }

  loadPrevious(): Promise<void> {
    const { pagination } = this.#source;
    const askIn = (listing: Listing): PageParams | null =>
      askBefore(pagination, listing, this.#host.size());
    return this.#load('previous', askIn, async () => {
      let ask: PageParams | null = null;
      await this.#place((listing) => (ask = askIn(listing)));
      const after = this.#host.confirmed();
      const named = after && pagination.style.previous(after, this.#host.size());
      if (ask && named && !askIn(after)) {
        this.#reportRepeat(ask, 'a loaded page as the previous one');
      }
    });
  }

  refresh(what: 'first' | 'loaded' = 'first'): Promise<void> {
    const isLoaded = marksOf(this.#host.confirmed()).length > 0;
    this.#hasFailed = false;
    return what === 'loaded' && isLoaded && this.#controller.environment.isVisible()
      ? this.#run('loaded', () => this.#refreshLoaded())
      : this.#run('first', () => this.#refreshFirst());
  }

  repairIfNeeded(): void {
    this.#hasFailed &&= this.#host.isQuiet();
    const isBusy = Object.values(this.running).some(Boolean);
    // A running request for the first page may lack the last mutation, but a round would join it.
    if (!isBusy && this.#needsRound() && this.#source.first.fetchStatus === 'idle') {
      void this.#run('loaded', () => this.#repair());
    }
  }

  forgetErrors(): void {
    this.errors = {};
  }

  #run(action: Action, work: () => Promise<unknown>): Promise<void> {
    const { running } = this;
    const joined = running[action];
    if (joined) {
      return joined;
    }
    const end = (error?: Error): void => {
      running[action] = undefined;
      this.errors[action] = error;
      this.#host.changed();
    };
    this.errors[action] = undefined;
    const promise = work().then(
      () => end(),
      (error: unknown) => end(toError(error)),
    );
    running[action] = promise;
    this.#host.changed();
    return promise;
  }

  /**
   * A caller may load until `isOpen` is false. So the promise waits for a mutation in flight that
   * hides the page, or decides if the list has another page:
   * ```
   *   create      ├───────────────────────────┤
   *   loadNext      ├─ page 2 ─┤ - - - - - - -├─ 1 ─┼─ 2 ─┤     the promise resolves here
   * ```
   */
  #load(
    action: 'next' | 'previous',
    isOpen: (listing: Listing) => unknown,
    place: () => Promise<void>,
  ): Promise<void> {
    const { confirmed, rows, isQuiet, untilQuiet } = this.#host;
    this.errors.first = this.errors.loaded = undefined;
    this.#hasFailed = false;
    return this.#run(action, async () => {
      // A page that arrives during a round would restart the round, so the round runs first.
      await this.#repair();
      const before = rows();
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        await place();
        const isRepaired = await this.#repair();
        const now = confirmed();
        const isOver = isQuiet() || !now || !isOpen(now) || !sameItems(before, rows());
        if (isRepaired || isOver) {
          return;
        }
        await untilQuiet();
        if (await this.#repair()) {
          return;
        }
      }
    });
  }

  /** Loads the page that `askOf` selects. If the page fits nowhere, `askOf` selects again. */
  async #place(askOf: (listing: Listing) => PageParams | null): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const listing = this.#host.confirmed();
      // After an invalidation, the list starts again with its first page.
      if (!listing || marksOf(listing).length === 0 || this.#isInvalid()) {
        await this.#fetchFirst();
        return;
      }
      const ask = askOf(listing);
      if (!ask) {
        return;
      }
      await this.#fetch(ask);
      const mark = this.#markOf(ask);
      if (mark?.repeats) {
        this.#reportRepeat(ask, 'an earlier page as the next one, or no page adds a row');
      }
      if (mark || this.#isInvalid()) {
        return;
      }
    }
    // This error stops a caller that loads until `hasNext` is false.
    throw this.#repeatError('the list has no place for the page.');
  }

  #isInvalid(): boolean {
    return this.#source.first.getSnapshot().status === 'pending';
  }

  async #refreshFirst(): Promise<void> {
    await this.#round?.catch(() => {});
    const { ask = FIRST } = marksOf(this.#host.confirmed())[0] ?? {};
    await (isFirst(ask) ? this.#fetchFirst() : this.#fetch(ask));
  }

  async #refreshLoaded(): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      await this.#host.untilQuiet();
      if (await this.#runRound()) {
        return;
      }
    }
  }

  #needsRound(): boolean {
    const listing = this.#host.confirmed();
    return listing !== undefined && isUnsure(listing) && !this.#hasFailed && this.#host.isQuiet();
  }

  /** Resolves to true if a round has replaced the list. */
  async #repair(): Promise<boolean> {
    let isDone = false;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (!this.#round && !this.#needsRound()) {
        break;
      }
      isDone = await this.#runRound(this.#host.opening());
    }
    return isDone;
  }

  /** Resolves to false if the round was interrupted. The list then stays as it is. */
  #runRound(opening?: RoundPage): Promise<boolean> {
    this.#round ??= this.#readAll(opening).finally(() => (this.#round = undefined));
    return this.#round;
  }

  async #readAll(opening: RoundPage | undefined): Promise<boolean> {
    const listing = this.#host.confirmed();
    if (!listing || marksOf(listing).length === 0 || this.#isInvalid()) {
      await this.#fetchFirst();
      return true;
    }
    const limit = this.#host.size();
    const round: Round = { pages: new Map(), isInterrupted: false };
    // Another reader may have loaded its first page with another size.
    if (opening && opening.info.limit === limit) {
      round.pages.set(textOf(FIRST), opening);
    }
    // Garbage collection must not evict these rows before the list contains them.
    const release = this.#host.retain(() => membersOf([...round.pages.values()]));
    const hasOutdated = this.#host.noteOutdated();
    const stop = this.#host.watch(() => (round.isInterrupted ||= !this.#host.isQuiet()));
    try {
      const { pagination } = this.#source;
      const pages = await readRound(pagination, listing, limit, round, (ask) =>
        this.#try(ask, round),
      );
      // A message of a stream may have added or removed a row meanwhile.
      const isSame = sameItems(this.#host.confirmed()?.members ?? [], listing.members);
      const isOutdated = hasOutdated(membersOf(pages));
      if (round.isInterrupted || !this.#host.isQuiet() || !isSame || isOutdated) {
        return false;
      }
      if (this.#host.isCurrent() && !this.#isInvalid()) {
        this.#host.replace(replacePages(pages, pagination.maxPages));
        this.forgetErrors();
      }
      return true;
    } catch (error) {
      this.#hasFailed = true;
      round.isInterrupted = true;
      throw error;
    } finally {
      stop();
      release();
    }
  }

  /** Resolves to undefined if the round was interrupted. */
  async #try(ask: PageParams, round: Round): Promise<RoundPage | undefined> {
    const text = textOf(ask);
    for (let count = 1; !round.pages.has(text) && !round.isInterrupted; count += 1) {
      try {
        await this.#fetch(ask, round);
        // If the page is missing, the request has joined an older one, outside of the round.
        if (count === MOST_ATTEMPTS && !round.pages.has(text)) {
          this.#hasFailed = true;
          round.isInterrupted = true;
        }
      } catch (error) {
        const isSoft = this.#endpoint().errorPolicy?.(toError(error)) === 'soft';
        if (!isSoft || count >= MOST_SOFT_TRIES) {
          throw error;
        }
      }
    }
    return round.pages.get(text);
  }

  async #fetchFirst(): Promise<void> {
    this.#checkStore();
    this.#checkList(await this.#source.first.refetch());
  }

  async #fetch(ask: PageParams, round?: Round): Promise<void> {
    this.#checkStore();
    const { first, pagination } = this.#source;
    const endpoint = this.#endpoint();
    // In a round, the endpoint itself loads the first page, so that its stored result is renewed.
    const page =
      round && isFirst(ask) ? endpoint : pageEndpointOf(endpoint, pagination.style.params);
    const own = withParams(first.args, ask);
    // `controller.fetch` would copy the arguments, and a copy belongs to no round.
    const loading = round
      ? fetchFor(internalsOf(this.#controller), fixedOf(page), ofRound(own, round))
      : this.#controller.fetch(page, ...own);
    this.#checkList(await loading);
  }

  /** This error stops the list from requesting a page without rows again and again. */
  #checkList(value: unknown): void {
    const endpoint = this.#endpoint();
    if (!hasList(endpoint, value)) {
      throw missingList(endpoint, value);
    }
  }

  /** Throws after a reset of the store. Must be called before every request. */
  #checkStore(): void {
    if (!this.#host.isCurrent()) {
      throw endedError('AbortError');
    }
  }

  /** Returns the endpoint of the latest reader, which may have newer credentials. */
  #endpoint(): EndpointInterface {
    return this.#source.first.endpoint;
  }

  #markOf(ask: PageParams): PageMark | undefined {
    return marksOf(this.#host.confirmed()).find((mark) => textOf(mark.ask) === textOf(ask));
  }

  #reportRepeat(ask: PageParams, what: string): void {
    const message = `the page ${textOf(ask)} names ${what}. The list ends there.`;
    this.#controller.environment.report(this.#repeatError(message));
  }

  #repeatError(message: string): RestitchError {
    const { name } = this.#endpoint();
    return new RestitchError('page-repeats', isDevelopment ? `${name}: ${message}` : name);
  }
}
