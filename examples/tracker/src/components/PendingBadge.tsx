import { usePending } from 'restitch/react';
import type { Issue } from '../api/entities.js';

/**
 * Which changes of an issue are on their way to the server. A component of its own: when they change, it renders and its row
 * does not.
 */
export function PendingBadge({ issue }: { issue: Issue }) {
  const pending = usePending(issue);
  if (pending.length === 0) return null;
  const isNew = pending.some(({ kind }) => kind === 'create');
  const isRetrying = pending.some(({ state }) => state === 'retrying');
  const fields = [...new Set(pending.flatMap((one) => one.fields))].filter(
    (field) => field !== 'updatedAt',
  );
  const verb = isNew ? 'Creating' : isRetrying ? 'Retrying' : 'Saving';
  const text = isNew || fields.length === 0 ? `${verb}…` : `${verb} ${fields.join(', ')}…`;
  return (
    <span className="pending" title={text}>
      <span className="spinner" aria-hidden="true" />
      <span className="pending-text">{text}</span>
    </span>
  );
}
