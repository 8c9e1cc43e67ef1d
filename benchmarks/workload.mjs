// @ts-check
/** The one workload of all benchmarks of the store: issues of eight fields with a nested user shared by fifty. */

/** @typedef {'string' | 'number'} Ids */

/**
 * The text of a response of `count` issues. Of each hundred, `changed` have another title than at first.
 *
 * @param {number} count
 * @param {Ids} ids
 * @param {number} changed
 */
export function responseText(count, ids = 'string', changed = 0) {
  const users = Math.ceil(count / 50);
  const issues = Array.from({ length: count }, (_, index) => ({
    id: issueId(index, ids),
    title: `${index % 100 < changed ? 'Other title' : 'Title'} of issue ${index}`,
    body: `What there is to say about issue ${index}`,
    status: index % 3 === 0 ? 'done' : 'open',
    priority: index % 5,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02T00:00:00Z',
    assignee: { id: `user-${index % users}`, name: `User ${index % users}` },
  }));
  return JSON.stringify(issues);
}

/**
 * @param {number} index
 * @param {Ids} ids
 */
export function issueId(index, ids = 'string') {
  return ids === 'string' ? `issue-${index}` : index;
}

/** The turn-th of `count` rows to change: a stride, so that neighbors in memory are not what is measured. */
export const strided = (/** @type {number} */ turn, /** @type {number} */ count) =>
  (turn * 7919) % count;
