import type { MouseEvent } from 'react';
import { useIssueActions } from '../api/useIssueActions.js';
import { dropFailedCreate, failedCreates, type FailedCreate } from '../state/failures.js';
import { focusNear } from '../state/rowFocus.js';
import { Glyph } from './icons.js';

/**
 * Issues that the server did not take, above the list. Nothing that was typed is lost: each can be sent again as it is, or be
 * changed before. No dialog comes up by itself, since somebody may be typing elsewhere by now.
 */
export function FailedCreates({ onEdit }: { onEdit: (failed: FailedCreate) => void }) {
  const { create } = useIssueActions();
  return failedCreates.useValue().map((failed) => {
    const { number, draft, message } = failed;
    const end = (event: MouseEvent) => {
      focusNear(event.currentTarget);
      dropFailedCreate(number);
    };
    const sendAgain = (event: MouseEvent) => {
      end(event);
      void create(draft);
    };
    const what = `“${draft.title}” not created:`;
    return (
      <div className="failed failed-create" key={number} role="group" aria-label={what}>
        <Glyph name="warning" />
        <span className="failed-text">
          <strong>{what}</strong> <span title={message}>{message}</span>
        </span>
        <button type="button" className="button small" onClick={sendAgain}>
          Retry
        </button>
        <button type="button" className="button small" onClick={() => onEdit(failed)}>
          Edit
        </button>
        <button type="button" className="button small" onClick={end}>
          Discard
        </button>
      </div>
    );
  });
}
