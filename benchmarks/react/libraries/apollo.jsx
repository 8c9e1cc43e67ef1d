import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { ApolloProvider, useFragment, useQuery, useSuspenseQuery } from '@apollo/client/react';
import { memo } from 'react';
import { Observable } from 'rxjs';
import { getIssue, issues } from '../workload.js';

/** A normalized store for GraphQL: parses queries, masks fragments, follows field policies. */
export const name = 'Apollo Client';

const fields = 'id title body state comments createdAt labels user { id login }';
const all = gql`query All { issues { ${fields} } }`;
const one = gql`query One($id: ID!) { issue(id: $id) { ${fields} } }`;
const fragment = gql`
  fragment Title on Issue {
    title
  }
`;

const typed = (issue) => ({
  __typename: 'Issue',
  ...issue,
  user: { __typename: 'User', ...issue.user },
});

const link = new ApolloLink(
  ({ variables }) =>
    new Observable((observer) => {
      void getIssue(variables.id).then((issue) => {
        observer.next({ data: { issue: typed(issue) } });
        observer.complete();
      });
    }),
);
const client = new ApolloClient({ cache: new InMemoryCache(), link });
let count = 0;

export function seed(size) {
  count = size;
  client.writeQuery({ query: all, data: { issues: issues(size).map(typed) } });
}

export const Provider = ({ children }) => (
  <ApolloProvider client={client}>{children}</ApolloProvider>
);

export const Row = memo(function Row({ id, count: counted }) {
  counted();
  const { data } = useFragment({ fragment, from: { __typename: 'Issue', id } });
  return <li>{data.title}</li>;
});

export function update(id, title) {
  client.cache.writeFragment({ id: `Issue:${id}`, fragment, data: { __typename: 'Issue', title } });
}

export function updateAll(title) {
  const next = issues(count).map((issue) => typed({ ...issue, title: `${title} ${issue.id}` }));
  client.writeQuery({ query: all, data: { issues: next } });
}

export function Suspending({ id }) {
  return <p>{useSuspenseQuery(one, { variables: { id } }).data.issue.title}</p>;
}

export function Flagged({ id }) {
  const { data, loading } = useQuery(one, { variables: { id } });
  return loading || !data ? <p>loading</p> : <p>{data.issue.title}</p>;
}
