import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { FIELDS, ISSUES, UPDATE } from '../graphql.mjs';

export const packages = ['@apollo/client'];

const query = gql(ISSUES);
const title = gql('fragment Title on Issue { title }');
const row = gql(`fragment Row on Issue { ${FIELDS} }`);
const mutation = gql(UPDATE);

export function createStore() {
  const cache = new InMemoryCache();
  let settle;
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        settle = (data) => {
          observer.next({ data });
          observer.complete();
        };
      }),
  );
  const client = new ApolloClient({ cache, link });
  const nameOf = (id) => cache.identify({ __typename: 'Issue', id });
  return {
    prepare: (parsed) => ({
      issues: parsed.map((issue) => ({
        __typename: 'Issue',
        ...issue,
        assignee: { __typename: 'User', ...issue.assignee },
      })),
    }),
    receive: (data) => cache.writeQuery({ query, data }),
    read: () => cache.readQuery({ query }).issues,
    update: (id, text) =>
      cache.writeFragment({ id: nameOf(id), fragment: title, data: { title: text } }),
    updateOptimistically(id, text) {
      const data = { updateIssue: { __typename: 'Issue', id, title: text } };
      const settled = client.mutate({
        mutation,
        variables: { id, title: text },
        optimisticResponse: data,
      });
      const respond = settle;
      return () => {
        respond(data);
        return settled;
      };
    },
    watchRow(id, listener) {
      cache
        .watchFragment({ fragment: row, fragmentName: 'Row', from: nameOf(id) })
        .subscribe(listener);
    },
  };
}
