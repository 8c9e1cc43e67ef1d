import { Collection, Invalidate, resource } from 'restitch';
import { TrackerEndpoint } from './TrackerEndpoint.js';
import { Comment, Issue, Label, Project, User, type Priority, type Status } from './entities.js';

/** Who uses the page; this demo has no sign-in. */
export const currentUserId = 1;

export type IssueFilters = {
  project?: string;
  status?: Status | 'open' | 'closed';
  /** A user's id, or `'none'`. */
  assignee?: string;
  label?: string;
  q?: string;
  sort?: 'newest' | 'updated' | 'priority' | 'title';
  offset?: number;
};

/** What the server takes for a new issue; records are named by their ids. */
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

const issueList = new Collection([Issue], {
  // A new issue enters the first page of every list whose filters it passes.
  createCollectionFilter: (...args) => {
    const draft = args.at(-1) as IssueDraft;
    return (filters) => passes(draft, filters);
  },
});

export const IssueResource = resource({
  path: '/issues/:id',
  schema: Issue,
  Endpoint: TrackerEndpoint,
  optimistic: true,
  searchParams: {} as IssueFilters,
  body: {} as IssueDraft,
}).extend({
  getList: { schema: { results: issueList, total: 0, nextOffset: 0 as number | null } },
});

export const CommentResource = resource({
  path: '/issues/:issueId/comments/:id',
  schema: Comment,
  Endpoint: TrackerEndpoint,
  optimistic: true,
  body: {} as { body: string; author: number },
}).extend({
  delete: {
    schema: { comment: new Invalidate(Comment), issue: Issue },
    getOptimisticResponse: (_snapshot, { id }) => ({ comment: id }),
  },
});

function passes(draft: IssueDraft, filters: Readonly<Record<string, string>>): boolean {
  const { project, status, assignee, label, q, offset = '0' } = filters;
  const draftStatus = draft.status ?? 'todo';
  const isClosed = draftStatus === 'done' || draftStatus === 'canceled';
  return (
    offset === '0' &&
    (project === undefined || project === draft.project) &&
    (status === undefined || status === draftStatus || status === (isClosed ? 'closed' : 'open')) &&
    (assignee === undefined || assignee === String(draft.assignee ?? 'none')) &&
    (label === undefined || (draft.labels ?? []).some((id) => String(id) === label)) &&
    (q === undefined || draft.title.toLowerCase().includes(q.toLowerCase()))
  );
}
