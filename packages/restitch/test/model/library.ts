/** The endpoints of the programs, and the responses of a server to them. */
import {
  Collection,
  type CollectionEdit,
  Endpoint,
  Invalidate,
  type EndpointInterface,
  type ReadEndpoint,
  type Snapshot,
} from 'restitch';
import { ISSUES, User, type IssueClass } from './entities.js';
import type { Merging } from './merges.js';
import { answersNoRow, createdRow } from './responses.js';
import {
  LISTS,
  READS,
  type Ending,
  type Id,
  type ListName,
  type Request,
  type Status,
} from './program.js';

/** The arguments of one call: each endpoint here takes one object, as a query or a body does. */
export type Args = readonly [Readonly<Record<string, unknown>>];

/** An endpoint of whatever schema. */
export type AnyEndpoint = EndpointInterface<any, unknown>;
export type AnyRead = ReadEndpoint<any, unknown>;

/** The message of an error that does not hide data. */
export const SOFT = 'the server is overloaded';

/** The schemas of one run and its endpoints with ordinary keys. */
export interface Library {
  readonly Issue: IssueClass;
  readonly issues: Collection<[IssueClass]>;
  readonly pages: CollectionEdit<[IssueClass], unknown>;
  readonly getIssue: AnyRead;
  readonly getUser: AnyRead;
  readonly getList: AnyRead;
}

export function makeLibrary(
  merging: Merging,
  fetch: (request: Request) => Promise<unknown>,
): Library {
  const IssueOrJoining: IssueClass = ISSUES[merging];
  // One kind of list, which every endpoint here reads, those made for one request included.
  const issues = new Collection<[IssueClass]>([IssueOrJoining], { name: 'issues' });
  const reader = <A>(
    type: (typeof READS)[number],
    schema: unknown,
    asRequest: (args: A) => Request,
  ): AnyRead =>
    new Endpoint((args: A) => fetch(asRequest(args)), {
      name: 'shared',
      schema,
      key: (args: A) => JSON.stringify(asRequest(args)),
      testKey: (key: string) => key.startsWith(`{"type":"${type}"`),
      errorPolicy: (error: Error) => (error.message === SOFT ? 'soft' : 'hard'),
    });
  const listOf = ({ status }: { readonly status?: Status }): ListName => status ?? 'all';
  return {
    Issue: IssueOrJoining,
    issues,
    pages: issues.paginated('page'),
    getIssue: reader('readIssue', IssueOrJoining, ({ id }: { readonly id: Id }) => {
      return { type: 'readIssue', id, shared: true };
    }),
    getUser: reader('readUser', User, ({ id }: { readonly id: Id }) => ({
      type: 'readUser',
      id,
      shared: true,
    })),
    getList: reader('readList', issues, (args: { readonly status?: Status }) => {
      return { type: 'readList', list: listOf(args), shared: true };
    }),
  };
}

/** The settings of an endpoint made for one request. */
export interface RequestOptions {
  readonly name: string;
  readonly key: () => string;
  readonly schema: unknown;
  readonly sideEffect?: true;
  readonly getOptimisticResponse?: (snapshot: Snapshot, args: any) => unknown;
}

/** Options of an endpoint made for one request only: its key is its own, so it is never joined with another. */
export function requestOptions(
  library: Library,
  request: Request,
  id: number,
  temporaryPk: (create: number) => string,
): RequestOptions {
  const own = { name: request.type, key: () => `${request.type} #${id}` };
  switch (request.type) {
    case 'readIssue':
      return { ...own, schema: library.Issue };
    case 'readUser':
      return { ...own, schema: User };
    case 'readList':
      return { ...own, schema: library.issues };
    case 'readPage':
      return { ...own, schema: library.pages };
    case 'sortList':
      return { ...own, sideEffect: true, schema: library.issues };
    case 'patchIssue':
      return {
        ...own,
        sideEffect: true,
        schema: library.Issue,
        ...optimistically(request.optimistic && { id: request.id, ...request.optimistic }),
      };
    case 'patchUser':
      return {
        ...own,
        sideEffect: true,
        schema: User,
        ...optimistically(request.optimistic && { id: request.id, ...request.optimistic }),
      };
    case 'incrementIssue':
      return {
        ...own,
        sideEffect: true,
        schema: library.Issue,
        getOptimisticResponse: incremented(library, request.id),
      };
    case 'copyIssue':
      return {
        ...own,
        sideEffect: true,
        schema: library.Issue,
        getOptimisticResponse: copied(library, request),
      };
    case 'adoptIssue':
      return {
        ...own,
        sideEffect: true,
        schema: library.Issue,
        ...optimistically({ id: request.id, parent: temporaryPk(request.of) }),
      };
    case 'editCreated': {
      const { optimistic } = request;
      return {
        ...own,
        sideEffect: true,
        schema: library.Issue,
        ...(optimistic && {
          getOptimisticResponse: (_: Snapshot, args: object) => ({ ...optimistic, ...args }),
        }),
      };
    }
    case 'deleteCreated':
      return {
        ...own,
        sideEffect: true,
        schema: new Invalidate(library.Issue),
        ...(request.optimistic && { getOptimisticResponse: (_: Snapshot, args: object) => args }),
      };
    case 'deleteIssue':
      return {
        ...own,
        sideEffect: true,
        schema: new Invalidate(library.Issue),
        ...optimistically(request.optimistic ? { id: request.id } : undefined),
      };
    case 'deleteUser':
      return {
        ...own,
        sideEffect: true,
        schema: new Invalidate(User),
        ...optimistically(request.optimistic ? { id: request.id } : undefined),
      };
    case 'create': {
      const schema = request.at === 'start' ? library.issues.unshift : library.issues.push;
      const optimistic =
        request.optimistic === 'none'
          ? undefined
          : request.optimistic === 'temporary'
            ? request.body
            : { ...request.optimistic, ...request.body };
      return { ...own, sideEffect: true, schema, ...optimistically(optimistic) };
    }
  }
}

function optimistically(optimistic: object | undefined): { getOptimisticResponse?: () => unknown } {
  return optimistic === undefined
    ? {}
    : { getOptimisticResponse: () => structuredClone(optimistic) };
}

function incremented(library: Library, id: Id): (snapshot: Snapshot) => unknown {
  return (snapshot) => {
    const issue = snapshot.get(library.Issue, { id });
    if (issue === undefined) throw snapshot.abort;
    return { id, n: issue.n + 1 };
  };
}

function copied(
  library: Library,
  { id, from, list }: Request & { readonly type: 'copyIssue' },
): (snapshot: Snapshot) => unknown {
  return (snapshot) => {
    const issue = snapshot.get(library.Issue, { id: from });
    // It declines early: what it has not looked at may have moved on when it runs again.
    if (issue === undefined || snapshot.get(library.Issue, { id }) === undefined)
      throw snapshot.abort;
    const members = snapshot.get(library.issues, LISTS[list]);
    return { id, title: issue.title, n: members?.length ?? 0 };
  };
}

/** The response of the server: plain JSON, made afresh each time. */
export function responseFor(request: Request, ending: Ending): unknown {
  if (answersNoRow(request, ending)) return null;
  switch (request.type) {
    case 'readIssue':
    case 'patchIssue':
    case 'incrementIssue':
    case 'copyIssue':
    case 'adoptIssue':
      return structuredClone({ id: request.id, ...ending.issue });
    case 'readUser':
    case 'patchUser':
      return structuredClone({ id: request.id, ...ending.user });
    case 'readList':
    case 'readPage':
    case 'sortList':
      return structuredClone(ending.rows);
    case 'deleteIssue':
    case 'deleteUser':
      return typeof ending.id === 'number' ? request.id : { id: request.id };
    case 'editCreated':
    case 'deleteCreated':
      throw new Error('it is not sent yet');
    case 'create':
      return structuredClone(createdRow(request, ending));
  }
}
