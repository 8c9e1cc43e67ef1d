import type { QueryClient } from '@tanstack/react-query';
import {
  comments,
  issue,
  projects,
  users,
  type CommentCopy,
  type IssueCopy,
  type UserCopy,
} from './client.js';
import type { PageResponse } from './steps.js';

/** The content of a response to `/changes`. */
interface Changes {
  created: IssueCopy[];
  changed: IssueCopy[];
  deleted: number[];
  users: UserCopy[];
  projects: unknown[];
}

/**
 * Brings the cache up to date after a change, as its documentation teaches: the response goes into the entry of the record itself
 * (`setQueryData`), and entries with other copies of it are fetched again where they are shown (`invalidateQueries`).
 */
export function afterChange(client: QueryClient, { method, path, value }: PageResponse) {
  const [, resource = '', id = '', isBelow] = path.split(/[/?]/);
  // The casts: each path has one shape of response.
  if (resource === 'changes') return followOthers(client, value as Changes);
  if (method === 'GET') return;
  if (resource === 'users') return userChanged(client, value as UserCopy);
  if (isBelow === 'comments') return commentsChanged(client, Number(id), method, value);
  issueChanged(client, Number(id), method, value as IssueCopy | null);
}

/** Lists hold a copy of it. Projects hold the number of their open issues. */
function issueChanged(client: QueryClient, id: number, method: string, copy: IssueCopy | null) {
  const { queryKey } = issue(id);
  const before = client.getQueryData(queryKey);
  if (!copy) client.removeQueries({ queryKey });
  else if (method === 'PATCH') client.setQueryData(queryKey, copy);
  outdate(client, 'issues');
  if (!before || before.status !== copy?.status) outdate(client, 'projects');
}

/** Each issue and each comment holds copies of its people. */
function userChanged(client: QueryClient, user: UserCopy) {
  client.setQueryData(users.queryKey, (list) =>
    list?.map((one) => (one.id === user.id ? user : one)),
  );
  for (const kind of ['issues', 'issue', 'comments']) outdate(client, kind);
}

/** Rows and the detail pane show how many comments an issue has. */
function commentsChanged(client: QueryClient, id: number, method: string, value: unknown) {
  const { issue: counted, ...comment } = value as { issue: Partial<IssueCopy> } & CommentCopy;
  client.setQueryData(issue(id).queryKey, (copy) => copy && { ...copy, ...counted });
  client.setQueryData(comments(id).queryKey, (list) => {
    if (method === 'POST') return list && [...list, comment];
    const { comment: deleted } = value as { comment: number };
    return list?.filter((one) => one.id !== deleted);
  });
  outdate(client, 'issues');
}

function followOthers(client: QueryClient, changes: Changes) {
  for (const user of changes.users) userChanged(client, user);
  const { created, changed, deleted } = changes;
  for (const copy of changed) {
    if (client.getQueryData(issue(copy.id).queryKey))
      client.setQueryData(issue(copy.id).queryKey, copy);
  }
  if (created.length + changed.length + deleted.length > 0) outdate(client, 'issues');
  if (changes.projects.length > 0) client.setQueryData(projects.queryKey, changes.projects);
}

const outdate = (client: QueryClient, kind: string) =>
  void client.invalidateQueries({ queryKey: [kind] });
