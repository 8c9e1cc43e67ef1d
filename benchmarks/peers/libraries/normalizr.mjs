import { denormalize, normalize, schema } from 'normalizr';

export const packages = ['normalizr'];

const user = new schema.Entity('users');
const issue = new schema.Entity('issues', { assignee: user });

/** Two functions: the state between them, and its subscribers, are left to the application. Here it is an immutable object. */
export function createStore() {
  let entities = { issues: {}, users: {} };
  let list = [];
  return {
    receive(parsed) {
      const normalized = normalize(parsed, [issue]);
      list = normalized.result;
      entities = {
        issues: { ...entities.issues, ...normalized.entities.issues },
        users: { ...entities.users, ...normalized.entities.users },
      };
    },
    read: () => denormalize(list, [issue], entities),
    update(id, title) {
      const before = entities.issues[id];
      entities = { ...entities, issues: { ...entities.issues, [id]: { ...before, title } } };
    },
  };
}
