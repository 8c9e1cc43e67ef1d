import type { Place } from '../state/place.js';

/** Whether the page shows at that place what an entry of the cache by URL holds. */
export function isShown(entry: string, { filters, issueId }: Place): boolean {
  const [path = '', search] = entry.split('?');
  if (path !== '/issues')
    return !path.startsWith('/issues') || path.split('/')[2] === String(issueId);
  const asked = new URLSearchParams(search);
  asked.delete('after');
  return String(sorted(asked)) === String(sorted(new URLSearchParams({ ...filters })));
}

/** The rows of the list at that place, by id, as text; undefined while its first page is on the way. */
export function rowsShown(
  entries: ReadonlyMap<string, unknown>,
  place: Place,
): Map<number, string> | undefined {
  const pages = [...entries].filter(
    ([entry]) => /^\/issues(\?|$)/.test(entry) && isShown(entry, place),
  );
  if (pages.length === 0) return undefined;
  const rows = new Map<number, string>();
  for (const [, page] of pages) {
    for (const issue of (page as { results: { id: number }[] }).results) {
      // A row renders as well when it is opened or closed.
      rows.set(issue.id, JSON.stringify(issue) + String(issue.id === place.issueId));
    }
  }
  return rows;
}

function sorted(search: URLSearchParams): URLSearchParams {
  search.sort();
  return search;
}
