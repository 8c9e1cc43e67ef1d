import type { EndpointInterface } from '../endpoint/EndpointInterface.js';
import { isPlain } from '../schema/same.js';
import type { Queued } from './queueLanes.js';

// The cast: hosts without pages have neither function.
const page = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

export function watchPage(isWatching: boolean, listener: () => void): void {
  page[isWatching ? 'addEventListener' : 'removeEventListener']?.('pagehide', listener);
}

/** In characters: browsers allow 64 kB for all requests that outlive the page together. */
const MOST_KEPT = 20_000;

/** Sends a waiting request now, because the page may never run again. */
export function sendKept({ flight, send }: Queued): void {
  const { endpoint, args } = flight;
  // A browser rejects too large a body, and the size of a form or file is unknown here.
  const isSmall = args.every(isJson) && JSON.stringify(args).length < MOST_KEPT;
  if (isSmall) {
    const { requestInit } = endpoint as { readonly requestInit?: RequestInit };
    flight.endpoint = endpoint.extend({
      requestInit: { ...requestInit, keepalive: true },
    }) as EndpointInterface;
  }
  send?.();
}

const isJson = (value: unknown): boolean => Object(value) !== value || isPlain(value);
