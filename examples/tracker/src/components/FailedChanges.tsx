import { useIssueActions } from '../api/useIssueActions.js';
import { dropFailedChange, useFailedChanges, type FailedChange } from '../state/failures.js';
import { focusNear } from '../state/rowFocus.js';
import { Glyph } from './icons.js';

/** The changes of an issue that the server did not take, each with what can be done about it. */
export function FailedChanges({ issueId }: { issueId: number }) {
  const { retry } = useIssueActions();
  const changes = useFailedChanges(issueId);
  return changes.map((failed) => (
    <div className="failed" key={failed.number} role="group" aria-label={whatFailed(failed)}>
      <Glyph name="warning" />
      <span className="failed-text">
        <strong>{whatFailed(failed)}</strong> {typed(failed)}
        <span title={failed.message}>{failed.message}</span>
      </span>
      <button
        type="button"
        className="button small"
        onClick={(event) => {
          focusNear(event.currentTarget);
          void retry(failed);
        }}
      >
        Retry
      </button>
      <button
        type="button"
        className="button small"
        onClick={(event) => {
          focusNear(event.currentTarget);
          dropFailedChange(failed);
        }}
      >
        Discard
      </button>
    </div>
  ));
}

/** A title is shown: what was typed is nowhere else. */
const typed = ({ what }: FailedChange) =>
  what !== 'delete' && what.title !== undefined ? `“${what.title}” – ` : '';

function whatFailed({ what }: FailedChange): string {
  if (what === 'delete') return 'Not deleted:';
  const [first = '', ...more] = Object.keys(what);
  return `${[first.charAt(0).toUpperCase() + first.slice(1), ...more].join(', ')} not saved:`;
}
