import { isDevelopment } from '../errors/development.js';
import { misuse } from '../errors/RestitchError.js';
import { encodeText, joinQuery, splitQuery } from '../host/url.js';
import { byName } from '../schema/argText.js';
import type { UnknownParams } from './path.js';

/** The `toString` methods that do not return the content of their object. */
// oxlint-disable-next-line typescript/unbound-method -- it is compared, not called
const NO_TEXT: ReadonlySet<unknown> = new Set([undefined, Object.prototype.toString]);

function searchValue(key: string, value: unknown, owner: string): string {
  if (value instanceof Date) return encodeText(value.toISOString());
  // A map or a set would have the same text for any content.
  if (Array.isArray(value) || NO_TEXT.has(Object(value).toString)) {
    throw misuse(
      'search-parameter',
      isDevelopment
        ? `${owner}: the search parameter \`${key}\` is a nested object. Override searchToString(params), for example with qs.`
        : `${owner}: ${key}`,
    );
  }
  return encodeText(value);
}

/** @throws TypeError for a nested object or array, because servers expect different formats. */
export function serializeSearch(params: UnknownParams, owner: string): string {
  const pairs: string[] = [];
  for (const key of Object.keys(params).sort()) {
    for (const value of [params[key]].flat()) {
      if (value != null) pairs.push(`${encodeText(key)}=${searchValue(key, value, owner)}`);
    }
  }
  return pairs.join('&');
}

/** Sorts the query by key. Repeated keys keep their order. */
export function canonicalUrl(url: string): string {
  const [path, ...pairs] = splitQuery(url);
  if (pairs.length < 2) {
    return url;
  }
  // The cast: splitting returns at least one part.
  const parts = (pair: string): [string] => pair.split('=') as [string];
  return joinQuery(
    path,
    pairs.sort((a, b) => byName(parts(a), parts(b))),
  );
}
