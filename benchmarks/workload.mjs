// @ts-check
/** The one workload of the store's benchmarks: issues of eight fields with a nested user shared by fifty. */
import { Collection, Controller, Entity, RestEndpoint } from 'restitch';

export class User extends Entity {
  id = '';
  name = '';
  /** @override */
  static key = 'User';
}

export class Issue extends Entity {
  id = '';
  title = '';
  body = '';
  status = '';
  priority = 0;
  createdAt = '';
  updatedAt = '';
  assignee = User.fromJS({});
  /** @override */
  static key = 'Issue';
  /** @override */
  static schema = { assignee: User };
}

/**
 * The text of a response of `count` issues.
 *
 * @param {number} count
 * @param {'string' | 'number'} ids
 */
export function responseText(count, ids = 'string') {
  const users = Math.ceil(count / 50);
  const issues = Array.from({ length: count }, (_, index) => ({
    id: issueId(index, ids),
    title: `Title of issue ${index}`,
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
 * @param {'string' | 'number'} ids
 */
export function issueId(index, ids = 'string') {
  return ids === 'string' ? `issue-${index}` : index;
}

/** A controller, and an endpoint that answers with whatever `respond` gives. */
export function createWorld() {
  /** @type {unknown} */
  let response;
  const controller = new Controller();
  const getIssues = new RestEndpoint({
    path: '/issues',
    schema: new Collection([Issue]),
    // Parsing is timed apart.
    fetch: async () => response,
  });
  return {
    controller,
    getIssues,
    /** @param {string} text */
    receive(text) {
      response = JSON.parse(text);
      return controller.fetch(getIssues);
    },
  };
}
