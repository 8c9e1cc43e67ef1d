import { useController } from 'restitch/react';
import { attempt } from '../state/toasts.js';
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

    remove: async (issue: Issue) => {
      const request = controller.fetch(IssueResource.delete, { id: issue.id });
      if (!(await attempt(`Could not delete ${issue.identifier}`, request))) return;
      recount();
      // The issue has left every list; asking again fills the visible page up to its full length.
      controller.expireAll(IssueResource.getList);
    },
  };
}
