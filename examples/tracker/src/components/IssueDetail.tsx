import { AsyncBoundary, useQuery, useSuspense } from 'restitch/react';
import { Project } from '../api/entities.js';
import { IssueResource } from '../api/resources.js';
import { useIssueActions } from '../api/useIssueActions.js';
import { useNavigation } from '../state/place.js';
import { focusNeighbor, focusRow } from '../state/rowFocus.js';
import { Avatar } from './Avatar.js';
import { Comments } from './Comments.js';
import { FailedChanges } from './FailedChanges.js';
import { LoadError } from './Feedback.js';
import { IssueFields, type FieldValues } from './IssueFields.js';
import { EditableParagraph } from './EditableParagraph.js';
import { PendingBadge } from './PendingBadge.js';
import { ShortDate } from './ShortDate.js';
import { TitleField } from './TitleField.js';
import { Glyph } from './icons.js';

export function IssueDetail({ id }: { id: number }) {
  const { open } = useNavigation();
  const { change, remove } = useIssueActions();
  // Served from the rows of the list where it is one of them: opening such an issue fetches only its comments.
  const issue = useSuspense(IssueResource.get, { id });
  const project = useQuery(Project, { id: issue.project });

  const fields: FieldValues = {
    status: issue.status,
    priority: issue.priority,
    assignee: issue.assignee?.id ?? null,
    labels: issue.labels.map((label) => label.id),
  };

  const close = () => {
    focusRow(id);
    open(undefined);
  };
  const removeAndClose = () => {
    focusNeighbor(id);
    open(undefined);
    void remove(issue);
  };

  return (
    <article className="issue">
      <header className="issue-head">
        <span className="identifier">{issue.identifier}</span>
        <span className="quiet">{project?.name}</span>
        <PendingBadge issue={issue} />
        <button
          type="button"
          className="icon-button"
          aria-label="Delete issue"
          title="Delete"
          onClick={removeAndClose}
        >
          <Glyph name="trash" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          title="Close (Esc)"
          onClick={close}
        >
          <Glyph name="close" />
        </button>
      </header>
      <TitleField title={issue.title} onChange={(title) => void change(issue, { title })} />
      <FailedChanges issueId={id} />
      <IssueFields values={fields} onChange={(values) => void change(issue, values)} />
      <EditableParagraph
        label="Description"
        placeholder="Add a description…"
        value={issue.description}
        onSave={(description) => void change(issue, { description })}
      />
      <p className="byline">
        <Avatar user={issue.author} /> <span className="name">{issue.author.name}</span> opened this
        on <ShortDate date={issue.createdAt} />
      </p>
      <AsyncBoundary
        fallback={<p className="quiet">Loading comments…</p>}
        errorComponent={LoadError}
      >
        <Comments issueId={id} />
      </AsyncBoundary>
    </article>
  );
}
