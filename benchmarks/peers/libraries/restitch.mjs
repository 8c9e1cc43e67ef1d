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
    guess(id, title) {
      const told = controller.fetch(update, { id }, { title });
      const answer = settle;
      return () => {
        answer({ id, title });
        return told;
      };
    },
    watchRow(id, told) {
      const row = controller.observeQuery(Issue, { id });
      row.subscribe(() => told(row.getSnapshot()));
      row.getSnapshot();
    },
  };
}
