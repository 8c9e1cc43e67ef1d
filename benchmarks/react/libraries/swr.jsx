import { memo } from 'react';
import useSWR, { mutate, SWRConfig } from 'swr';
import { getIssue, issues } from '../workload.js';

/** One document per row: nothing is shared between keys. Refetches on focus and reconnect, which is off here. */
export const name = 'SWR';

const keyOf = (id) => `/issues/${id}`;
const fetcher = (key) => getIssue(key.slice('/issues/'.length));
const options = {
  fetcher,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
};
let count = 0;

export function seed(size) {
  count = size;
  for (const issue of issues(size)) void mutate(keyOf(issue.id), issue, { revalidate: false });
}

export const Provider = ({ children }) => <SWRConfig value={options}>{children}</SWRConfig>;

export const Row = memo(function Row({ id, count: counted }) {
  counted();
  return <li>{useSWR(keyOf(id)).data.title}</li>;
});

export function update(id, title) {
  void mutate(keyOf(id), (issue) => ({ ...issue, title }), { revalidate: false });
}

export function updateAll(title) {
  for (const issue of issues(count)) {
    const next = { ...issue, title: `${title} ${issue.id}` };
    void mutate(keyOf(issue.id), next, { revalidate: false });
  }
}

export const Suspending = ({ id }) => <p>{useSWR(keyOf(id), { suspense: true }).data.title}</p>;

export function Flagged({ id }) {
  const { data, isLoading } = useSWR(keyOf(id));
  return isLoading || !data ? <p>loading</p> : <p>{data.title}</p>;
}
