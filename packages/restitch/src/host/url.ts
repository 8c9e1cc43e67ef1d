/**
 * Percent-encodes one path segment, or one side of a query pair.
 *
 * @remarks Half of a surrogate pair, as cutting a text leaves it, becomes U+FFFD instead of an
 * error, as in `URLSearchParams`.
 */
export function encodeText(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * Takes a URL apart: what comes before the query, and the pairs of the query without empty ones.
 */
export function splitQuery(url: string): readonly [path: string, ...pairs: string[]] {
  // By position, since keys are made while components render.
  const end = url.indexOf('?');
  if (end < 0) {
    return [url];
  }
  const pairs = url.slice(end + 1).split('&');
  return [url.slice(0, end), ...pairs.filter(Boolean)];
}

/** The inverse of `splitQuery`. */
export const joinQuery = (path: string, pairs: readonly string[]): string =>
  pairs.length ? `${path}?${pairs.join('&')}` : path;
