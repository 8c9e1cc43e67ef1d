import { useEffect } from 'react';
import { cacheByUrl } from './cacheByUrl.js';

/** Shows the cache by URL what a component shows. */
export function useByUrl(path: string) {
  useEffect(() => cacheByUrl.need(path), [path]);
}

/** Counts the rows that a page with a cache by URL would render at another place. */
export function useRowsByUrl(place: unknown) {
  useEffect(() => cacheByUrl.countRows(), [place]);
}
