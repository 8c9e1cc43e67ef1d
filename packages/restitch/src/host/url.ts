/**
 * Percent-encodes one path segment, or one side of a query pair.
 *
 * A lone surrogate, for example at the end of a cut text, becomes U+FFFD, as with
 * `URLSearchParams`. `encodeURIComponent` alone would throw.
 */
export function encodeText(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * Splits a URL into the part before the query and the pairs of the query. Empty pairs are left out.
 */
export function splitQuery(url: string): readonly [path: string, ...pairs: string[]] {
  // Optimization: `indexOf` instead of a pattern, because keys are computed during renders.
  const end = url.indexOf('?');
  if (end < 0) {
    return [url];
  }
  const pairs = url.slice(end + 1).split('&');
  return [url.slice(0, end), ...pairs.filter(Boolean)];
}

export const joinQuery = (path: string, pairs: readonly string[]): string =>
  pairs.length ? `${path}?${pairs.join('&')}` : path;
