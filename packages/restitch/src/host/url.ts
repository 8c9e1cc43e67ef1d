/** `encodeURIComponent` throws for a lone surrogate, for example at the end of a cut text. */
export function encodeText(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

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
