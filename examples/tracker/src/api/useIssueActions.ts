import { useController } from 'restitch/react';
import { focusRow } from '../state/rowFocus.js';
import { attempt, showToast } from '../state/toasts.js';
import { deleteLater } from './deleteLater.js';
import type { Issue } from './entities.js';
import { IssueResource, ProjectResource, type IssueDraft } from './resources.js';

/** What the page does to issues. Each change shows at once, and goes back with a message when the server refuses it. */
export function useIssueActions() {
  const controller = useController();
  // The server counts the open issues of a project. What is shown stays until its new answer is there.
  const recount = () => controller.expireAll(ProjectResource.getList);

  return {
    create: async (draft: IssueDraft) => {
      const request = controller.fetch(IssueResource.getList.unshift, draft);
      const isCreated = await attempt(`Could not create “${draft.title}”`, request);
      if (isCreated) recount();
      return isCreated;
    },

    change: async (issue: Issue, change: Partial<IssueDraft>) => {
      const request = controller.fetch(IssueResource.partialUpdate, { id: issue.id }, change);
      if ((await attempt(`Could not change ${issue.identifier}`, request)) && change.status)
        recount();
    },

    /** The delete is sent when its message goes, unless it was undone there. */
    remove: async (issue: Issue) => {
      const { done, send, undo } = deleteLater(controller, issue.id);
      const restore = () => {
        undo();
        focusRow(issue.id);
      };
      showToast(`${issue.identifier} deleted`, { undo: restore, onGone: send });
      if (await attempt(`Could not delete ${issue.identifier}`, done)) recount();
    },
  };
}
