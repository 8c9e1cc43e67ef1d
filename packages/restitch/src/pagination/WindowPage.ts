import type { Controller } from '../controller/Controller.js';
import type { EndpointView } from '../controller/EndpointView.js';
import type { EndpointInterface, ReadEndpoint } from '../endpoint/EndpointInterface.js';
import type { Listing } from '../store/cells/Cell.js';
import type { Result } from '../store/cells/Result.js';
import { sparseLength } from './arrangeSparse.js';
import { hasList, missingList } from './missingList.js';
import type { PageParams } from './PageMark.js';
import { withParams } from './pageParams.js';
import { type WindowSource, withoutTotal } from './windowEndpointOf.js';

export interface WindowPage {
  /** The parameters of the page. */
  readonly ask: PageParams;
  view: EndpointView<unknown>;
  release: () => void;
  request: object | undefined;
  error: Error | undefined;
  /** True until a range uses the page. True again after an invalidation or a removed error. */
  isNew: boolean;
  /** False if the page has to be loaded again, because its rows may be at wrong indexes. */
  isFinal: boolean;
  /** True if the last request failed, even after `error` was removed. */
  isFailed: boolean;
  tries: number;
}

export function createPage(
  ask: PageParams,
  followed: Pick<WindowPage, 'view' | 'release'>,
): WindowPage {
  return {
    ask,
    ...followed,
    request: undefined,
    error: undefined,
    isNew: true,
    isFinal: true,
    isFailed: false,
    tries: 0,
  };
}

export const isPaused = ({ view }: WindowPage): boolean => view.result.resume !== undefined;

/** Pauses a page that was not requested yet, until its result is expired, fetched or written. */
export function hold({ view: { result } }: WindowPage, resumed: () => void): void {
  result.resume = () => {
    result.resume = undefined;
    resumed();
  };
}

export function unreadablePage(
  endpoint: EndpointInterface,
  { view }: WindowPage,
  listing: Listing | undefined,
  value: unknown,
): Error | undefined {
  if (view.result.status === 'value' && !hasList(endpoint, value)) {
    return missingList(endpoint, value);
  }
  return listing && sparseLength(listing) === undefined ? withoutTotal(endpoint) : undefined;
}

export const lastExpiry = (results: readonly Result[]): number =>
  Math.max(0, ...results.map(({ expiredIn }) => expiredIn));

/** `update` is called after each change of the page. */
export function follow(
  controller: Controller,
  { endpoint, args }: WindowSource['first'],
  ask: PageParams,
  update: () => void,
): Pick<WindowPage, 'view' | 'release'> {
  // The casts: `observe` refuses an endpoint with side effects, and returns an `EndpointView`.
  const view = controller.observe(
    endpoint as ReadEndpoint,
    ...withParams(args, ask),
  ) as EndpointView<unknown>;
  const stop = view.subscribe(update);
  const release = view.retain();
  return {
    view,
    release: () => {
      stop();
      release();
    },
  };
}
