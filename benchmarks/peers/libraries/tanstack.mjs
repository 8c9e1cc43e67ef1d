import { notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core';

export const packages = ['@tanstack/query-core'];

// Observers are notified at once, not in the next turn of the event loop.
notifyManager.setScheduler((callback) => callback());

/** Documents, not rows: the list is one, and each row that is read by itself is another. */
export function createStore() {
  const client = new QueryClient();
  return {
    receive(parsed) {
      client.setQueryData(['issues'], parsed);
    },
    read: () => client.getQueryData(['issues']),
    update(id, title) {
      client.setQueryData(['issues'], (list) =>
        list.map((issue) => (issue.id === id ? { ...issue, title } : issue)),
      );
    },
    updateWatched(id, title) {
      client.setQueryData(['issue', id], (issue) => ({ ...issue, title }));
    },
    watchRow(id, listener) {
      const queryKey = ['issue', id];
      client.setQueryData(queryKey, { id, title: `Title of issue ${id}` });
      new QueryObserver(client, { queryKey, enabled: false }).subscribe(listener);
    },
  };
}
