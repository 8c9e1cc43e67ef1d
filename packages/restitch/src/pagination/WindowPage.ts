import type { EndpointView } from '../controller/EndpointView.js';

/** A page of a windowed list that is in use, or was so recently; see `WindowPages.ts`. */
export interface WindowPage {
  readonly view: EndpointView<unknown>;
  readonly release: () => void;
  /** Identifies the last request while it is in flight. */
  request: object | undefined;
  error: Error | undefined;
  /** True until a range uses the page. True again after an invalidation or a forgotten error. */
  isNew: boolean;
  /** False if the page has to be loaded again, because its rows may be at wrong indexes. */
  isFinal: boolean;
  /** True if the last request failed, even if its error is forgotten. */
  isFailed: boolean;
  /** The number of requests since `#forget`, or since all rows in the ranges were loaded. */
  tries: number;
}

export function createPage(view: WindowPage['view'], release: () => void): WindowPage {
  return {
    view,
    release,
    request: undefined,
    error: undefined,
    isNew: true,
    isFinal: true,
    isFailed: false,
    tries: 0,
  };
}
