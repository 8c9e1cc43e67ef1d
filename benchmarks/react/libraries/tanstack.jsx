import {
  notifyManager,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { memo, useLayoutEffect } from 'react';
import { getIssue, getPage, issues, SCREEN } from '../workload.js';

/** One document per row: nothing is shared between queries. It retries, persists, cancels and has devtools. */
export const name = 'TanStack Query';

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
const keyOf = (id) => ['issue', id];
let count = 0;

export function seed(size) {
  count = size;
  for (const issue of issues(size)) client.setQueryData(keyOf(issue.id), issue);
}

export const Provider = ({ children }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);

const useIssue = (id) => useQuery({ queryKey: keyOf(id), queryFn: () => getIssue(id) });

export const Row = memo(function Row({ id, count: counted }) {
  counted();
  return <li>{useIssue(id).data.title}</li>;
});

export function update(id, title) {
  client.setQueryData(keyOf(id), (issue) => ({ ...issue, title }));
}

export function updateAll(title) {
  // Otherwise each query is rendered on its own.
  notifyManager.batch(() => {
    for (const issue of issues(count)) {
      client.setQueryData(keyOf(issue.id), { ...issue, title: `${title} ${issue.id}` });
    }
  });
}

export function Suspending({ id }) {
  const { data } = useSuspenseQuery({ queryKey: keyOf(id), queryFn: () => getIssue(id) });
  return <p>{data.title}</p>;
}

export function Flagged({ id }) {
  const { data, isPending } = useIssue(id);
  return isPending ? <p>loading</p> : <p>{data.title}</p>;
}

const toItems = ({ pages }) => pages.flatMap(({ results }) => results);

export function Pages({ count: counted, onReady }) {
  const { data: items = [], fetchNextPage } = useInfiniteQuery({
    queryKey: ['pages'],
    queryFn: ({ pageParam }) => getPage(pageParam),
    initialPageParam: '0',
    getNextPageParam: ({ next }) => next,
    select: toItems,
  });
  useLayoutEffect(() => onReady(fetchNextPage), [onReady, fetchNextPage]);
  return (
    <section title={items.length}>
      {items.slice(0, SCREEN).map((issue) => (
        <PageRow key={issue.id} issue={issue} count={counted} />
      ))}
    </section>
  );
}

const PageRow = memo(function PageRow({ issue, count: counted }) {
  counted();
  return <p>{issue.title}</p>;
});
