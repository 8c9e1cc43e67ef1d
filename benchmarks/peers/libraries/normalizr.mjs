import { denormalize, normalize, schema } from 'normalizr';

export const packages = ['normalizr'];

const user = new schema.Entity('users');
const issue = new schema.Entity('issues', { assignee: user });

/** Two functions: what is kept between them, and who hears of changes, is the application's. Here an immutable object. */
export function createStore() {
  let entities = { issues: {}, users: {} };
  let list = [];
  return {
    receive(parsed) {
      const answer = normalize(parsed, [issue]);
      list = answer.result;
      entities = {
        issues: { ...entities.issues, ...answer.entities.issues },
        users: { ...entities.users, ...answer.entities.users },
      };
    },
    read: () => denormalize(list, [issue], entities),
    update(id, title) {
      const before = entities.issues[id];
      entities = { ...entities, issues: { ...entities.issues, [id]: { ...before, title } } };
    },
  };
}
