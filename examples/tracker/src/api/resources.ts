import { byCursor, coalesced, Collection, Invalidate, resource, serial, undoable } from 'restitch';
import { TrackerEndpoint } from './TrackerEndpoint.js';
import { Comment, Issue, Label, Project, User, type Priority, type Status } from './entities.js';

/** Milliseconds between two requests for the changes of other windows. */
export const POLL_PERIOD = 3_000;

/** The user of the page; this demo has no sign-in. */
export const currentUserId = 1;

export type IssueFilters = {
  project?: string;
  status?: Status | 'open' | 'closed';
  /** A user's id, or `'none'`. */
  assignee?: string;
  label?: string;
  q?: string;
  sort?: 'newest' | 'updated' | 'priority' | 'title';
};

/** The fields of a new issue; records are named by their ids. */
export type IssueDraft = {
  title: string;
  description?: string;
  status?: Status;
  priority?: Priority;
  project?: string;
  author?: number;
  assignee?: number | null;
  labels?: number[];
};

export const UserResource = resource({
  path: '/users/:id',
  schema: User,
  Endpoint: TrackerEndpoint,
  optimistic: true,
});

export const ProjectResource = resource({
  path: '/projects/:id',
  schema: Project,
  Endpoint: TrackerEndpoint,
});

export const LabelResource = resource({
  path: '/labels/:id',
  schema: Label,
  Endpoint: TrackerEndpoint,
});

/** A new issue enters every list whose filters it passes, whether this window made it or another one. */
export const issueList = new Collection([Issue], {
  name: 'issues',
  createCollectionFilter: () => (filters, issue) => passes(issue, filters),
});

interface IssuePage {
  end: string | null;
  remaining: number;
}

export const IssueResource = resource({
  path: '/issues/:id',
  schema: Issue,
  Endpoint: TrackerEndpoint,
  optimistic: true,
  searchParams: {} as IssueFilters,
  body: {} as IssueDraft,
  pagination: byCursor({
    param: 'after',
    next: ({ end, remaining }: IssuePage) => remaining > 0 && end,
  }),
})
  .extend({
    // Page fields: the cursor of its last row, and the number of issues that follow.
    getList: { schema: { results: issueList, end: null as string | null, remaining: 0 } },
  })
  .extend(({ partialUpdate, delete: remove }) => ({
    // Each letter that is typed into a title is a call. One request is in flight, and one waits with all that came since.
    partialUpdate: coalesced(partialUpdate),
    // A delete is sent behind the edits of its issue that are still on their way.
    delete: serial(remove),
  }));

/** The longest time for which a message with "Undo" stays. */
const LONGEST_UNDO = 10 * 60_000;

/** Shows at once, and is sent when its message goes. Until then it can be taken back. */
export const deleteLater = undoable(IssueResource.delete, LONGEST_UNDO);

export const CommentResource = resource({
  path: '/issues/:issueId/comments/:id',
  schema: Comment,
  Endpoint: TrackerEndpoint,
  optimistic: true,
  body: {} as { body: string; author: number },
}).extend({
  getList: { pollFrequency: POLL_PERIOD },
  delete: {
    schema: { comment: new Invalidate(Comment), issue: Issue },
    getOptimisticResponse: (_snapshot, { id }) => ({ comment: id }),
  },
});

/** An issue in the filters of a list: it names records by their ids. */
interface StoredIssue {
  title?: string;
  status?: Status;
  project?: string;
  assignee?: string | null;
  labels?: readonly string[];
}

function passes(issue: StoredIssue, filters: Readonly<Record<string, string>>): boolean {
  const { project, status, assignee, label, q } = filters;
  const { title = '', status: own = 'todo', labels = [] } = issue;
  const isClosed = own === 'done' || own === 'canceled';
  return (
    (project === undefined || project === issue.project) &&
    (status === undefined || status === own || status === (isClosed ? 'closed' : 'open')) &&
    (assignee === undefined || assignee === (issue.assignee ?? 'none')) &&
    (label === undefined || labels.includes(label)) &&
    (q === undefined || title.toLowerCase().includes(q.toLowerCase()))
  );
}
