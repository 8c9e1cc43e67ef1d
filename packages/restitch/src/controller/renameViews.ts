import { knownResult, renameResult } from '../store/cells/results.js';
import type { Core } from './Core.js';
import type { EndpointView } from './EndpointView.js';
import { readArgs } from './temporaryKeys.js';

/**
 * Called when a create has ended. In the arguments of all views, the real key of the record replaces
 * its temporary key. Otherwise, the pages of an infinite list would belong to two lists.
 */
export function renameViews({ store, views }: Core): void {
  for (const one of views.attached) {
    if (!one.root.result) {
      continue;
    }
    // The cast: only the view of an endpoint has a result.
    const view = one as EndpointView<unknown>;
    const { endpoint, result, root } = view;
    const args = readArgs(store, endpoint, root.args);
    if (args === root.args) {
      continue;
    }
    const key = endpoint.key(...args);
    if (knownResult(store, key, endpoint)) {
      // Another reader already uses the real key. This view joins its result.
      views.drop(view);
      views.adopt(view);
    } else {
      Object.assign(root, { args });
      renameResult(store, result, key);
    }
  }
}
