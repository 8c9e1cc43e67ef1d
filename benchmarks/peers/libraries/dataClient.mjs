import { Controller, createReducer, initialState } from '@data-client/core';
import { Entity, RestEndpoint, schema } from '@data-client/rest';

export const packages = ['@data-client/core', '@data-client/normalizr', '@data-client/rest'];

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
  pk() {
    return `${this.id}`;
  }
}

class Issue extends Entity {
  id = '';
  title = '';
  body = '';
  status = '';
  priority = 0;
  createdAt = '';
  updatedAt = '';
  assignee = User.fromJS({});
  static key = 'Issue';
  static schema = { assignee: User };
  pk() {
    return `${this.id}`;
  }
}

const getIssues = new RestEndpoint({ path: '/issues', schema: new schema.Collection([Issue]) });
const getIssue = new RestEndpoint({ path: '/issues/:id', schema: Issue });
const update = new RestEndpoint({
  path: '/issues/:id',
  method: 'PATCH',
  schema: Issue,
  // One result for all updates, so that their number is not what is measured.
  key: () => 'update',
});

/** The core has no store of its own: React's reducer, or Redux, is where it lives. This is the least of one. */
export function createStore() {
  let state = initialState;
  const listeners = [];
  const controller = new Controller({
    getState: () => state,
    dispatch: (action) => {
      state = reduce(state, action);
      listeners.forEach((listener) => listener());
      return Promise.resolve();
    },
  });
  const reduce = createReducer(controller);
  return {
    receive: (parsed) => controller.setResponse(getIssues, parsed),
    read: () => controller.getResponse(getIssues, state).data,
    update: (id, title) => controller.setResponse(update, { id }, { id, title }),
    watchRow(id, listener) {
      const read = () => controller.getResponse(getIssue, { id }, state).data;
      read();
      listeners.push(() => listener(read()));
    },
  };
}
