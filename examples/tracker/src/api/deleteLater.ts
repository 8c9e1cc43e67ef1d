import type { Controller } from 'restitch';
import { IssueResource } from './resources.js';

/**
 * A delete that waits before it is sent, so that it can be undone. The issue leaves every list at once, since the delete is optimistic;
 * aborting the request brings it back.
 */
export function deleteLater(controller: Controller, id: number) {
  const abort = new AbortController();
  let send = () => {};
  const isDue = new Promise<void>((resolve, reject) => {
    send = resolve;
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error));
  });
  // An undo may come before anybody waits.
  isDue.catch(() => undefined);
  const remove = IssueResource.delete.extend({
    signal: abort.signal,
    async send(input, init) {
      await isDue;
      // A page that is closed sends what still waits.
      return IssueResource.delete.send(input, { ...init, keepalive: true });
    },
  });
  return { done: controller.fetch(remove, { id }), send, undo: () => abort.abort() };
}
