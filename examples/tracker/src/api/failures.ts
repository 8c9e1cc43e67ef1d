import type { Controller, ErrorListener, SuccessListener } from 'restitch';
import {
  addFailedChange,
  addFailedCreate,
  dropFailedChanges,
  type IssueChange,
} from '../state/failures.js';
import { showToast } from '../state/toasts.js';
import { Issue, User } from './entities.js';
import { CommentResource, IssueResource, UserResource, type IssueDraft } from './resources.js';

const create = IssueResource.getList.unshift.name;
const change = IssueResource.partialUpdate.name;
const remove = IssueResource.delete.name;

/**
 * Records every failed request. A change that the server refused is kept, to be sent again or discarded. Its optimistic
 * update is removed by the library.
 */
export const noteFailure =
  (controller: () => Controller): ErrorListener =>
  (error, { endpoint, args }) => {
    if (!endpoint.sideEffect) return;
    // The casts: arguments are those of the endpoint that has the name.
    const [first, body] = args;
    const { id } = first as { id: number };
    const { message } = error;
    const identifier = () => controller().get(Issue, { id })?.identifier ?? 'the issue';
    if (endpoint.name === create) {
      const draft = first as IssueDraft;
      addFailedCreate(draft, message);
      showToast(`Could not create “${draft.title}”: ${message}`);
    } else if (endpoint.name === change) {
      addFailedChange(id, body as IssueChange, message);
      showToast(`Could not change ${identifier()}: ${message}`);
    } else if (endpoint.name === remove) {
      addFailedChange(id, 'delete', message);
      showToast(`Could not delete ${identifier()}: ${message}`);
    } else if (endpoint.name === UserResource.partialUpdate.name) {
      showToast(`Could not rename ${controller().get(User, { id })?.name}: ${message}`);
    } else if (endpoint.name === CommentResource.delete.name) {
      showToast(`Could not delete the comment: ${message}`);
    } else {
      showToast(`Could not add the comment: ${message}`);
    }
  };

/** A later success makes an older failure of the same fields obsolete: a retry would undo the success. */
export const noteSuccess: SuccessListener = (_, { endpoint, args }) => {
  if (endpoint.name !== change && endpoint.name !== remove) return;
  // The cast: these are the arguments of both.
  const [{ id }, body] = args as [{ id: number }, IssueChange?];
  dropFailedChanges(id, body && Object.keys(body));
};
