/**
 * How many requests a cache by URL would have sent after a change, which this page did not: it holds a copy of a record in each
 * response, so it fetches each one on the screen that shows the record again.
 *
 * @param isDetailOpen Whether the detail pane shows an issue and its comments.
 */
export function refetchesByUrl(method: string, url: string, isDetailOpen: boolean): number {
  if (method === 'GET') return 0;
  const detail = isDetailOpen ? 1 : 0;
  // The team, the list, the issue and its comments.
  if (url.includes('/users/')) return 2 + 2 * detail;
  // The comments, the issue and the list, which shows their number.
  if (url.includes('/comments')) return 3;
  // The list is fetched here too, to fill its page.
  if (method === 'DELETE') return 0;
  // The list, and an issue that was changed.
  return method === 'POST' ? 1 : 1 + detail;
}
