import { createStore } from '../state/createStore.js';

export interface Cost {
  requests: number;
  /** Bytes of the bodies of all responses. */
  bytes: number;
  rowRenders: number;
}

export const noCost: Cost = { requests: 0, bytes: 0, rowRenders: 0 };

/** The cost of the page with the cache by URL: its own requests and renders, and the requests of both. */
export const costByUrl = createStore(noCost);

/** True while the comparison runs. */
export const isCompared = createStore(true);

export function addCost({ requests = 0, bytes = 0, rowRenders = 0 }: Partial<Cost>) {
  const cost = costByUrl.get();
  costByUrl.set({
    requests: cost.requests + requests,
    bytes: cost.bytes + bytes,
    rowRenders: cost.rowRenders + rowRenders,
  });
}
