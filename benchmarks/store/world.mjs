// @ts-check
/** The workload in restitch: its classes, and a controller whose requests are settled by hand. */
import { Collection, Controller, Entity, RestEndpoint } from 'restitch';
import { issueId, strided } from '../workload.mjs';

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

const issues = new Collection([Issue]);

/** A controller, and endpoints that resolve to a given response. */
export function createWorld() {
  // Nothing is swept while it is measured.
  const controller = new Controller({ sweep: false });
  /** @type {unknown} */
  let response;
  // Parsing is timed apart.
  const fetch = async () => response;
  const getIssues = new RestEndpoint({ path: '/issues', schema: issues, fetch });
  const getArray = new RestEndpoint({ path: '/array', schema: [Issue], fetch });
  /** @type {(() => void)[]} */
  const waiting = [];
  const getUser = new RestEndpoint({
    path: '/users/:id',
    schema: User,
    fetch: () => new Promise((resolve) => waiting.push(() => resolve({ id: 'someone', name: '' }))),
  });
  return {
    controller,
    getIssues,
    /** The same as a plain array, which is no list that others edit. */
    getArray,
    getIssue: new RestEndpoint({ path: '/issues/:id', schema: Issue }),
    /** Stores a parsed response, as when its request settles. @param {unknown} parsed @param {typeof getIssues | typeof getArray} [endpoint] */
    async receive(parsed, endpoint = getIssues) {
      response = parsed;
      const result = await controller.fetch(endpoint);
      response = undefined;
      return result;
    },
    /** Starts a read that is under way until the returned function is called. */
    startRead() {
      const result = controller.fetch(getUser, { id: 'someone' });
      return () => {
        waiting.shift()?.();
        return result;
      };
    },
    /** Changes one row. @param {number} turn @param {number} count @param {import('../workload.mjs').Ids} ids */
    write(turn, count, ids) {
      const id = issueId(strided(turn, count), ids);
      controller.set(Issue, { id }, { title: `Title number ${turn}` });
    },
  };
}

/** @typedef {ReturnType<typeof createWorld>} World */

/**
 * The data of a view.
 *
 * @template T
 * @param {import('restitch').View<T>} view
 * @returns {T | undefined}
 */
export function dataOf(view) {
  const snapshot = view.getSnapshot();
  return snapshot.status === 'ready' ? snapshot.data : undefined;
}
