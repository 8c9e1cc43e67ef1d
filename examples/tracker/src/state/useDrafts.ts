import { useState } from 'react';
import type { IssueDraft } from '../api/resources.js';
import type { FailedCreate } from './failures.js';

/** The first content of the dialog for new issues. */
export interface OpenDraft {
  draft: Partial<IssueDraft>;
  /** The draft was sent before, and refused. */
  failed?: FailedCreate;
}

/** The dialog for new issues, which is open for one draft at a time. */
export function useDrafts() {
  const [current, setCurrent] = useState<OpenDraft>();
  return {
    /** Undefined while the dialog is closed. */
    current,
    open: () => setCurrent((before) => before ?? { draft: {} }),
    edit: (failed: FailedCreate) => setCurrent({ draft: failed.draft, failed }),
    close: () => setCurrent(undefined),
  };
}
