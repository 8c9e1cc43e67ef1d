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
