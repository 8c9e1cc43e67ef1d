import { useState } from 'react';
import type { IssueDraft } from '../api/resources.js';

interface Drafts {
  /** The first one is in the dialog. */
  waiting: readonly Partial<IssueDraft>[];
  closed: number;
}

/**
 * The dialog for new issues. A draft that the server refused is its writer's again: it is put into the dialog, after the one
 * that is being written meanwhile.
 */
export function useDrafts() {
  const [{ waiting, closed }, setDrafts] = useState<Drafts>({ waiting: [], closed: 0 });
  const [draft] = waiting;
  return {
    /** Undefined while the dialog is closed. */
    draft,
    /** A key for the dialog: another one for each draft. */
    key: closed,
    open: () => setDrafts((drafts) => (drafts.waiting.length > 0 ? drafts : add(drafts, {}))),
    restore: (refused: IssueDraft) => setDrafts((drafts) => add(drafts, refused)),
    close: () =>
      setDrafts((drafts) => ({ waiting: drafts.waiting.slice(1), closed: drafts.closed + 1 })),
  };
}

const add = ({ waiting, closed }: Drafts, draft: Partial<IssueDraft>): Drafts => ({
  waiting: [...waiting, draft],
  closed,
});
