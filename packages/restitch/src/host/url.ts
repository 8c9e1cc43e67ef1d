/**
 * Percent-encodes one path segment, or one side of a query pair.
 *
 * @remarks Half of a surrogate pair, as cutting a text leaves it, becomes U+FFFD instead of an error, as in `URLSearchParams`.
 */
export function encodeText(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** Takes a URL apart: what comes before the query, and the pairs of the query without empty ones. */
export function splitQuery(url: string): readonly [path: string, ...pairs: string[]] {
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  return [path, ...query.split('&').filter(Boolean)];
}

/** The inverse of `splitQuery`. */
export const joinQuery = (path: string, pairs: readonly string[]): string =>
  pairs.length ? `${path}?${pairs.join('&')}` : path;
