import { flushUndoable } from 'restitch';
import { useController } from 'restitch/react';
import { dropFailedChange, type FailedChange, type IssueChange } from '../state/failures.js';
import { focusRow } from '../state/rowFocus.js';
import { hasUndo, hideToast, showToast } from '../state/toasts.js';
import type { Issue } from './entities.js';
import { deleteLater, IssueResource, ProjectResource, type IssueDraft } from './resources.js';

/** The changes of issues. Each shows at once. `noteFailure` records those that the server refuses. */
export function useIssueActions() {
  const controller = useController();
  // The server counts the open issues of a project. The page keeps the old count until the new one has been fetched.
  const recount = () => controller.expireAll(ProjectResource.getList);
  const change = async (id: number, values: IssueChange) => {
    const request = controller.fetch(IssueResource.partialUpdate, { id }, values);
    if ((await succeeds(request)) && values.status) recount();
  };
  const removeNow = async (id: number) => {
    if (await succeeds(controller.fetch(IssueResource.delete, { id }))) recount();
  };

  return {
    create: async (draft: IssueDraft) => {
      if (await succeeds(controller.fetch(IssueResource.getList.unshift, draft))) recount();
    },

    change: (issue: Issue, values: IssueChange) => change(issue.id, values),

    /** The delete is sent when its message goes, unless it was undone there. */
    remove: async ({ id, identifier }: Issue) => {
      const deletion = controller.fetch(deleteLater, { id });
      // The calls that other messages can undo still wait: the last message sends them all.
      const send = () => {
        if (!hasUndo()) void flushUndoable(controller);
      };
      const undo = () => {
        deletion.cancel();
        focusRow(id);
        send();
      };
      const message = showToast(`${identifier} deleted`, { undo, onGone: send });
      if (await succeeds(deletion)) recount();
      // It can no longer be undone, even where the message was still on the page.
      hideToast(message);
    },

    retry: (failed: FailedChange) => {
      dropFailedChange(failed);
      const { issueId, what } = failed;
      return what === 'delete' ? removeNow(issueId) : change(issueId, what);
    },
  };
}

/** Resolves to true if the server accepted the change. */
const succeeds = (request: Promise<unknown>) =>
  request.then(
    () => true,
    () => false,
  );
