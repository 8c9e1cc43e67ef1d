import { Client, gql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { map, pipe } from 'wonka';
import { FIELDS, ISSUES, UPDATE } from '../graphql.mjs';

export const packages = ['@urql/core', '@urql/exchange-graphcache'];

const issues = gql(ISSUES);
const issue = gql(`query Issue($id: ID!) { issue(id: $id) { ${FIELDS} } }`);
const update = gql(UPDATE);

/** Through the client, as there is no other way in: its last exchange responds at once. */
export function createStore() {
  let response;
  let shown;
  const client = new Client({
    url: 'http://localhost',
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        resolvers: { Query: { issue: (_, { id }) => ({ __typename: 'Issue', id }) } },
      }),
      () => (operations) =>
        pipe(
          operations,
          map((operation) => ({ operation, data: response, stale: false, hasNext: false })),
        ),
    ],
  });
  return {
    prepare: (parsed) => ({
      __typename: 'Query',
      issues: parsed.map((one) => ({
        __typename: 'Issue',
        ...one,
        assignee: { __typename: 'User', ...one.assignee },
      })),
    }),
    receive(data) {
      response = data;
      return client.query(issues, {}, { requestPolicy: 'network-only' }).toPromise();
    },
    read() {
      if (!shown) {
        // As a screen does: results of an active query keep what did not change.
        client.query(issues, {}, { requestPolicy: 'cache-only' }).subscribe(({ data }) => {
          shown = data.issues;
        });
      }
      return shown;
    },
    update(id, title) {
      response = { __typename: 'Mutation', updateIssue: { __typename: 'Issue', id, title } };
      client.mutation(update, { id, title }).subscribe(() => {});
    },
    watchRow(id, listener) {
      client.query(issue, { id }, { requestPolicy: 'cache-only' }).subscribe(listener);
    },
  };
}
