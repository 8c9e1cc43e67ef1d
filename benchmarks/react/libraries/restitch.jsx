import { memo, useLayoutEffect } from 'react';
import { byCursor, Collection, Controller, Endpoint, Entity } from 'restitch';
import {
  AsyncBoundary,
  DataProvider,
  useDLE,
  useInfinite,
  useQuery,
  useSuspense,
} from 'restitch/react';
import { getIssue as load, getPage, issues, SCREEN } from '../workload.js';

/** A normalized store: rows are shared by every list and result that holds them. */
export const name = 'restitch';

class User extends Entity {
  id = '';
  login = '';
  static key = 'User';
}

class Issue extends Entity {
  id = '';
  title = '';
  user = User.fromJS({});
  static key = 'Issue';
  static schema = { user: User };
}

const controller = new Controller({ dataExpiryLength: Infinity });
const getIssues = new Endpoint(async () => [], { name: 'getIssues', schema: [Issue] });
const getIssue = new Endpoint(({ id }) => load(id), { name: 'getIssue', schema: Issue });
let count = 0;

export function seed(size) {
  count = size;
  controller.setResponse(getIssues, issues(size));
}

export const Provider = ({ children }) => (
  <DataProvider controller={controller}>{children}</DataProvider>
);

export const Boundary = ({ children }) => (
  <AsyncBoundary fallback={<p>loading</p>}>{children}</AsyncBoundary>
);

export const Row = memo(function Row({ id, count: counted }) {
  counted();
  return <li>{useQuery(Issue, { id }).title}</li>;
});

export function update(id, title) {
  controller.set(Issue, { id }, { title });
}

export function updateAll(title) {
  const next = issues(count).map((issue) => ({ ...issue, title: `${title} ${issue.id}` }));
  controller.setResponse(getIssues, next);
}

export const Suspending = ({ id }) => <p>{useSuspense(getIssue, { id }).title}</p>;

export function Flagged({ id }) {
  const { data, loading } = useDLE(getIssue, { id });
  return loading ? <p>loading</p> : <p>{data.title}</p>;
}

const getPages = new Endpoint(({ cursor } = {}) => getPage(cursor), {
  name: 'getPages',
  schema: { results: new Collection([Issue]), next: null },
  pagination: byCursor({ param: 'cursor', next: 'next' }),
});

export function Pages({ count: counted, onReady }) {
  const { items, loadNext } = useInfinite(getPages, {});
  useLayoutEffect(() => onReady(loadNext), [onReady, loadNext]);
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
