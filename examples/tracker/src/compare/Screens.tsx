import { memo, useEffect } from 'react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { POLL_PERIOD } from '../api/resources.js';
import { shownPlace } from '../state/place.js';
import { shownRows } from '../state/shownRows.js';
import {
  comments,
  get,
  issue,
  labels,
  projects,
  users,
  type IssueCopy,
  type IssuePage,
} from './client.js';
import { addCost } from './cost.js';
import { listKey, pagesShown } from './steps.js';

/** The screens of the page once more, at the same place, on a cache by URL. */
export function Screens() {
  const { issueId, isLive } = shownPlace.useValue();
  useQuery(users);
  useQuery(projects);
  useQuery(labels);
  return (
    <>
      <List />
      {issueId !== undefined && <Detail id={issueId} isLive={isLive} />}
    </>
  );
}

function List() {
  const { filters, issueId } = shownPlace.useValue();
  const { first, last } = shownRows.useValue();
  const query = listKey(filters);
  const wanted = pagesShown.useValue()[query] ?? 1;
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['issues', query],
    queryFn: ({ pageParam, signal }) => {
      const search = [query, pageParam && `after=${pageParam}`].filter(Boolean).join('&');
      return get<IssuePage>(`/issues${search && `?${search}`}`, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ end, remaining }) => (remaining > 0 ? end : null),
    placeholderData: keepPreviousData,
  });
  const isBehind = data !== undefined && data.pages.length < wanted && hasNextPage && !isFetching;
  useEffect(() => {
    if (isBehind) void fetchNextPage();
  }, [isBehind, fetchNextPage]);

  const issues = data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <ul>
      {issues.slice(first, last + 1).map((one) => (
        <Row key={one.id} issue={one} isOpen={one.id === issueId} />
      ))}
    </ul>
  );
}

/** A row that renders when what it shows has changed, as in the page. */
const Row = memo(function Row({ issue: shown, isOpen }: { issue: IssueCopy; isOpen: boolean }) {
  useEffect(() => addCost({ rowRenders: 1 }));
  return (
    <li>
      <a aria-current={isOpen}>
        {shown.project}-{shown.number} {shown.title} {shown.status} {shown.priority}{' '}
        {shown.labels.map(({ name }) => name).join()} {shown.commentCount} {shown.author.name}{' '}
        {shown.assignee?.name} {shown.createdAt}
      </a>
    </li>
  );
});

function Detail({ id, isLive }: { id: number; isLive: boolean }) {
  const { data } = useQuery(issue(id));
  const { data: list = [] } = useQuery({
    ...comments(id),
    refetchInterval: isLive ? POLL_PERIOD : false,
  });
  return (
    <article>
      {data?.title}
      {list.map(({ id: key, author, body }) => (
        <p key={key}>
          {author.name}: {body}
        </p>
      ))}
    </article>
  );
}
