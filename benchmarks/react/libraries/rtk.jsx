import { configureStore } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query/react';
import { memo } from 'react';
import { Provider as Redux } from 'react-redux';
import { getIssue, issues } from '../workload.js';

/** One document per row in one Redux store: every change is an action, logged and replayable. Has no Suspense. */
export const name = 'RTK Query';

const api = createApi({
  baseQuery: async (id) => ({ data: await getIssue(id) }),
  keepUnusedDataFor: 3_600,
  endpoints: (build) => ({ issue: build.query({ query: (id) => id }) }),
});
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (getDefault) => getDefault().concat(api.middleware),
});
let count = 0;

const entries = (list) =>
  api.util.upsertQueryEntries(
    list.map((value) => ({ endpointName: 'issue', arg: value.id, value })),
  );

export function seed(size) {
  count = size;
  store.dispatch(entries(issues(size)));
}

export const Provider = ({ children }) => <Redux store={store}>{children}</Redux>;

export const Row = memo(function Row({ id, count: counted }) {
  counted();
  return <li>{api.useIssueQuery(id).data.title}</li>;
});

export function update(id, title) {
  store.dispatch(api.util.updateQueryData('issue', id, (issue) => void (issue.title = title)));
}

export function updateAll(title) {
  store.dispatch(
    entries(issues(count).map((issue) => ({ ...issue, title: `${title} ${issue.id}` }))),
  );
}

export function Flagged({ id }) {
  const { currentData, isFetching } = api.useIssueQuery(id);
  return isFetching || !currentData ? <p>loading</p> : <p>{currentData.title}</p>;
}
