/** Issues of eight fields with a nested user shared by fifty, as in ../workload.mjs. */
export function issues(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `i${index}`,
    title: `Issue number ${index}`,
    body: `Some words about issue ${index}`,
    state: index % 3 ? 'open' : 'closed',
    comments: index % 17,
    createdAt: '2026-01-01T00:00:00Z',
    labels: ['a', 'b'],
    user: { id: `u${index % 50}`, login: `user ${index % 50}` },
  }));
}

/** Responds after 60 ms, measured on the server. */
export async function getIssue(id) {
  const response = await fetch(`/api/issues/${id}`);
  return response.json();
}

/** The pages of a list of 10 000 issues. */
export const PAGES = 200;
const SIZE = 50;
const pageIssues = issues(PAGES * SIZE);

/** When the last page was handed over, in milliseconds of the page's clock. */
export const received = { at: 0 };

/** A page without a server: its time is all that a library adds. The cursor is the index of the first row. */
export async function getPage(cursor = '0') {
  const start = Number(cursor);
  const end = start + SIZE;
  const next = end < pageIssues.length ? String(end) : null;
  const page = { results: structuredClone(pageIssues.slice(start, end)), next };
  received.at = performance.now();
  return page;
}

/** The rows of a long list that fit on a screen, and its length. */
export const SCREEN = 20;
