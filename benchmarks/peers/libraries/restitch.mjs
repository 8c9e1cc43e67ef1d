import { RestEndpoint } from 'restitch';
import { createWorld, dataOf, Issue } from '../../store/world.mjs';

let settle;
const update = new RestEndpoint({
  path: '/issues/:id',
  method: 'PATCH',
  schema: Issue,
  fetch: () =>
    new Promise((resolve) => {
      settle = resolve;
    }),
  getOptimisticResponse: (_snapshot, { id }, body) => ({ id, ...body }),
});

export const packages = [];

export function createStore() {
  const world = createWorld();
  const { controller, getIssues } = world;
  const view = controller.observe(getIssues);
  return {
    receive: (parsed) => world.receive(parsed),
    read: () => dataOf(view),
    update: (id, title) => controller.set(Issue, { id }, { title }),
    updateOptimistically(id, title) {
      const settled = controller.fetch(update, { id }, { title });
      const respond = settle;
      return () => {
        respond({ id, title });
        return settled;
      };
    },
    watchRow(id, listener) {
      const row = controller.observeQuery(Issue, { id });
      row.subscribe(() => listener(row.getSnapshot()));
      row.getSnapshot();
    },
  };
}
