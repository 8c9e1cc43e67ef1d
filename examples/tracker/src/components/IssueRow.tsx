import { memo, useEffect, type MouseEvent } from 'react';
import type { Issue } from '../api/entities.js';
import { useRenderCount } from '../state/meter.js';
import { rowAppeared } from '../state/rowFocus.js';
import { Avatar } from './Avatar.js';
import { FailedChanges } from './FailedChanges.js';
import { LabelPill } from './LabelPill.js';
import { PendingBadge } from './PendingBadge.js';
import { ShortDate } from './ShortDate.js';
import { Glyph, PriorityIcon, StatusIcon } from './icons.js';

interface IssueRowProps {
  issue: Issue;
  isOpen: boolean;
  onOpen: (id: number) => void;
}

/**
 * One issue of the list. The number at its end says how often it was rendered: an issue that did not change is the same
 * object after every write, so `memo` passes over its row.
 */
export const IssueRow = memo(function IssueRow({ issue, isOpen, onOpen }: IssueRowProps) {
  const renderCount = useRenderCount();
  useEffect(() => rowAppeared(issue.id), [issue.id]);
  const open = (event: MouseEvent) => {
    // With a key held, the link opens a tab or a window as links do.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(issue.id);
  };
  return (
    <>
      <a
        className="row-link"
        href={issue.isSaved ? `?issue=${issue.id}` : undefined}
        aria-current={isOpen}
        onClick={issue.isSaved ? open : undefined}
      >
        <PriorityIcon priority={issue.priority} />
        <span className="identifier">{issue.identifier}</span>
        <StatusIcon status={issue.status} />
        <span className="title-cell">
          <span className="title">{issue.title}</span>
          <PendingBadge issue={issue} />
        </span>
        <span className="labels">
          {issue.labels.map((label) => (
            <LabelPill key={label.id} label={label} />
          ))}
        </span>
        <span className="comments" title="Comments">
          {issue.commentCount > 0 && (
            <>
              <Glyph name="comment" />
              {issue.commentCount}
            </>
          )}
        </span>
        <span className="assignee">
          <Avatar user={issue.assignee} />
          <span className="name">{issue.assignee?.name ?? 'Unassigned'}</span>
        </span>
        <span className="opened" title={`Opened by ${issue.author.name}`}>
          <Avatar user={issue.author} />
          <ShortDate date={issue.createdAt} />
        </span>
      </a>
      <span className="renders" ref={renderCount} />
      <FailedChanges issueId={issue.id} />
    </>
  );
});
