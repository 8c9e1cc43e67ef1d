const LIST = /^\/issues(\?|$)/;
const ISSUE = /^\/issues\/(\d+)/;

/** What the answer to `/changes` says. */
interface Changes {
  created: { id: number }[];
  changed: { id: number }[];
  deleted: number[];
  users: unknown[];
}

/**
 * Which entries of a cache by URL hold a copy of what changed: those an application would mark to be fetched again.
 *
 * @param method of the request that was answered
 * @param path of it, and `value` its answer
 */
export function affectedBy(
  method: string,
  path: string,
  value: unknown,
): (entry: string) => boolean {
  if (path.startsWith('/changes')) {
    const { created, changed, deleted, users } = value as Changes;
    const ids = [...created, ...changed].map(({ id }) => id);
    const hasIssues = ids.length + deleted.length > 0;
    return (entry) =>
      (users.length > 0 && showsUsers(entry)) ||
      (hasIssues && (LIST.test(entry) || entry === '/projects')) ||
      ids.some((id) => entry === `/issues/${id}`);
  }
  if (method === 'GET') return () => false;
  if (path.startsWith('/users/')) return showsUsers;
  // Lists and the issue show how many comments it has. The number of open issues in `/projects` is fetched again here, too.
  const issue = ISSUE.exec(path)?.[0];
  const isComment = path.includes('/comments');
  return (entry) =>
    LIST.test(entry) ||
    (entry === issue && method !== 'DELETE') ||
    (isComment && (entry === issue || entry === `${issue}/comments`));
}

/** Each issue and each comment holds a copy of its people. */
const showsUsers = (entry: string) => entry === '/users' || entry.startsWith('/issues');
