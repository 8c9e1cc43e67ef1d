/** The errors of readers have a status, and a response where the server sent one. */
import {
  Controller,
  type EndpointError,
  Entity,
  type NetworkError,
  resource,
  RestEndpoint,
  type Snapshot,
} from 'restitch';
import {
  AsyncBoundary,
  type ErrorViewProps,
  type useDLE,
  type useError,
  type useLoading,
} from 'restitch/react';
import { type Equal, same } from './support.js';

class User extends Entity {
  id = '';
}
const Users = resource({ path: '/users/:id', schema: User });
const controller = new Controller();
declare const snapshot: Snapshot;
// Hooks are only called in components; their types are the same.
declare const hooks: {
  useDLE: typeof useDLE;
  useError: typeof useError;
  useLoading: typeof useLoading;
};
const id = { id: '1' };

// Where errors are shown
export function useAll(): void {
  const { error } = hooks.useDLE(Users.get, id);
  same<Equal<typeof error, EndpointError | undefined>>();
  same<Equal<NonNullable<typeof error>['status'], number | undefined>>();
  const stored = hooks.useError(Users.get, id);
  same<Equal<typeof stored, EndpointError | undefined>>();
  const [, , failure] = hooks.useLoading(() => controller.fetch(Users.get, id));
  same<Equal<typeof failure, EndpointError | undefined>>();
}
const stored = controller.getError(Users.get, id);
same<Equal<typeof stored, EndpointError | undefined>>();
const before = snapshot.getError(Users.get, id);
same<Equal<typeof before, EndpointError | undefined>>();
const current = controller.observe(Users.get, id).getSnapshot();
if (current.status === 'error') same<Equal<typeof current.error, EndpointError>>();

// Boundaries
const Failed = ({ error }: ErrorViewProps) => (
  <p>{error.status === 404 ? 'Not there' : error.message}</p>
);
const Plain = ({ error }: { error: Error }) => <p>{error.message}</p>;
void (
  <>
    <AsyncBoundary errorComponent={Failed} />
    <AsyncBoundary errorComponent={Plain} />
  </>
);

// A response says that it is a NetworkError
export function describe(error: EndpointError): string {
  if (!error.response) return `${error.status ?? 'offline'}: ${error.message}`;
  same<Equal<typeof error, NetworkError>>();
  same<Equal<typeof error.status, number>>();
  return error.response.url;
}
// Any error is one
void describe(new TypeError('Failed to fetch'));
void describe(new DOMException('Aborted', 'AbortError'));
// @ts-expect-error not an error
void describe('text');

// The errors of mutations are asked for by their arguments
export function useMutationErrors(): void {
  const renamed = hooks.useError(Users.partialUpdate, id, { id: '2' });
  same<Equal<typeof renamed, EndpointError | undefined>>();
  hooks.useError(Users.partialUpdate, id);
  hooks.useError(Users.getList.push);
  hooks.useError(Users.getList.push, { id: '1' });
  hooks.useError(Users.delete, id);
  hooks.useError(Users.delete, null);
  hooks.useError(new RestEndpoint({ path: '/x', method: 'POST' }));
  // @ts-expect-error the parameters are missing
  hooks.useError(Users.partialUpdate);
  // @ts-expect-error the parameters are missing
  hooks.useError(Users.delete);
  // @ts-expect-error misspelled
  hooks.useError(Users.delete, { idd: '1' });
}
