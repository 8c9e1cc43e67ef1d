/** The effects of requests and writes on rows and lists: their optimistic updates, and their responses. */
import {
  createEffects,
  deleteEffects,
  issuePatches,
  listEffects,
  NOTHING,
  pageEffects,
  userPatches,
  type Effects,
  type Older,
  type Parts,
  type Row,
  type RowKey,
} from './effects.js';
import {
  isFailure,
  isRead,
  type Ending,
  type Id,
  type IssuePayload,
  type Request,
  type Write,
} from './program.js';

/** Whether the request succeeded without telling a row. */
export function answersNoRow(request: Request, ending: Ending): boolean {
  if (ending.how !== 'empty' || isRead(request)) return false;
  // A delete that predicted nothing always gets the pk as its response: only then does the response say what was deleted.
  return !(
    (request.type === 'deleteIssue' || request.type === 'deleteUser') &&
    !request.optimistic
  );
}

/** The row that a mutation changes of which no optimistic update shows. */
export function unpredictedRow(request: Request): RowKey | undefined {
  if (request.type === 'patchIssue' && !request.optimistic) return `Issue:${request.id}`;
  if (request.type === 'patchUser' && !request.optimistic) return `User:${request.id}`;
  return undefined;
}

/** What shows of a request while it is in flight. */
export function guessOf(request: Request, id: number): Effects {
  switch (request.type) {
    case 'readIssue':
    case 'readUser':
    case 'readList':
    case 'readPage':
    case 'sortList':
      return NOTHING;
    case 'patchIssue':
      if (request.optimistic === undefined) return NOTHING;
      return {
        patches: issuePatches(
          { id: request.id, ...request.optimistic },
          `Issue:${request.id}`,
          false,
        ),
        operations: [],
      };
    case 'patchUser':
      if (request.optimistic === undefined) return NOTHING;
      return {
        patches: userPatches(
          { id: request.id, ...request.optimistic },
          `User:${request.id}`,
          false,
        ),
        operations: [],
      };
    case 'incrementIssue': {
      const cell = `Issue:${request.id}`;
      const apply = (older: Older): Row | undefined => {
        const row = older.row(cell);
        return row && { id: request.id, n: countOf(row) + 1 };
      };
      return { patches: [{ kind: 'layer', cell, apply }], operations: [] };
    }
    case 'copyIssue': {
      const apply = (older: Older): Row | undefined => {
        const from = older.row(`Issue:${request.from}`);
        if (from === undefined || older.row(`Issue:${request.id}`) === undefined) return undefined;
        const n = older.list(request.list)?.length ?? 0;
        return { id: request.id, title: from['title'] ?? '', n };
      };
      return { patches: [{ kind: 'layer', cell: `Issue:${request.id}`, apply }], operations: [] };
    }
    case 'adoptIssue': {
      const optimistic = { id: request.id, parent: `~${request.of}` };
      return { patches: issuePatches(optimistic, `Issue:${request.id}`, false), operations: [] };
    }
    case 'editCreated':
      if (request.optimistic === undefined) return NOTHING;
      return {
        patches: issuePatches(
          { id: `~${request.of}`, ...request.optimistic },
          `Issue:~${request.of}`,
          false,
        ),
        operations: [],
      };
    case 'deleteCreated':
      return request.optimistic ? deleteEffects(`Issue:~${request.of}`) : NOTHING;
    case 'deleteIssue':
      return request.optimistic ? deleteEffects(`Issue:${request.id}`) : NOTHING;
    case 'deleteUser':
      return request.optimistic ? deleteEffects(`User:${request.id}`) : NOTHING;
    case 'create':
      if (request.optimistic === 'none') return NOTHING;
      if (request.optimistic === 'temporary')
        return createEffects(`Issue:~${id}`, { ...request.body, id: `~${id}` }, request, true);
      return createEffects(
        `Issue:${request.optimistic.id}`,
        { ...request.optimistic, ...request.body },
        request,
        false,
      );
  }
}

/** The effects of a response; `behind`: see `ListOperation`. */
export function responseOf(request: Request, ending: Ending, behind?: Parts): Effects {
  switch (request.type) {
    case 'readIssue':
    case 'patchIssue':
    case 'incrementIssue':
    case 'copyIssue':
    case 'adoptIssue':
      return {
        patches: issuePatches({ id: request.id, ...ending.issue }, `Issue:${request.id}`, true),
        operations: [],
      };
    case 'readUser':
    case 'patchUser':
      return {
        patches: userPatches({ id: request.id, ...ending.user }, `User:${request.id}`, true),
        operations: [],
      };
    case 'readList':
    case 'sortList':
      return listEffects(request.list, ending.rows);
    case 'readPage':
      return pageEffects(request.list, ending.rows, behind);
    case 'deleteIssue':
      return deleteEffects(`Issue:${request.id}`);
    case 'deleteUser':
      return deleteEffects(`User:${request.id}`);
    case 'editCreated':
    case 'deleteCreated':
      throw new Error('it is not sent yet');
    case 'create':
      return createEffects(
        `Issue:${createdId(request, ending)}`,
        // A field that was sent and is not in the response stays.
        { ...request.body, ...createdRow(request, ending) },
        request,
        false,
      );
  }
}

/** What a request about a created row is, once the server has named the row. */
export function sentAs(request: Request, id: Id): Request {
  if (request.type === 'editCreated')
    return {
      type: 'patchIssue',
      id,
      ...(request.optimistic && { optimistic: request.optimistic }),
    };
  if (request.type === 'deleteCreated')
    return { type: 'deleteIssue', id, optimistic: request.optimistic };
  return request;
}

/** The number of the create whose row a request waits for; undefined where it waits for none. */
export function waitsFor(request: Request | undefined): number | undefined {
  return request?.type === 'editCreated' || request?.type === 'deleteCreated'
    ? request.of
    : undefined;
}

/** The id in the response to a create: the client's own choice if it made one. */
export function createdId(request: Request & { readonly type: 'create' }, ending: Ending): Id {
  return typeof request.optimistic === 'string' ? ending.id : request.optimistic.id;
}

/** The row in the response to a create. */
export function createdRow(
  request: Request & { readonly type: 'create' },
  ending: Ending,
): IssuePayload {
  return { ...(ending.faithful ? request.body : ending.issue), id: createdId(request, ending) };
}

export function effectsOfWrite(write: Write, behind?: Parts): Effects {
  switch (write.type) {
    case 'setIssue':
      return {
        patches: issuePatches(write.value, `Issue:${write.value.id}`, true),
        operations: [],
      };
    case 'setUser':
      return { patches: userPatches(write.value, `User:${write.value.id}`, true), operations: [] };
    case 'bumpIssue': {
      const apply = (row: Row | undefined): Row => ({ id: write.id, n: countOf(row) + 1 });
      return { patches: [{ kind: 'function', cell: `Issue:${write.id}`, apply }], operations: [] };
    }
    case 'receiveList':
      return listEffects(write.list, write.rows);
    case 'receivePage':
      return pageEffects(write.list, write.rows, behind);
  }
}

/** The count as an instance shows it: with the field's default. */
function countOf(row: Row | undefined): number {
  const n = row?.['n'];
  return typeof n === 'number' ? n : 0;
}

/** Whether the server names a row that was shown under a temporary key. */
export function isNamed(request: Request, ending: Ending): boolean {
  return (
    request.type === 'create' &&
    request.optimistic === 'temporary' &&
    !isFailure(ending) &&
    !answersNoRow(request, ending)
  );
}

/** The key of the row in a response, as far as it has one. */
export function answeredKey(request: Request, ending: Ending): string | undefined {
  switch (request.type) {
    case 'readList':
    case 'sortList':
      return `list:${request.list}`;
    case 'readIssue':
    case 'patchIssue':
    case 'incrementIssue':
    case 'copyIssue':
    case 'adoptIssue':
      return `Issue:${request.id}`;
    case 'readUser':
    case 'patchUser':
      return `User:${request.id}`;
    case 'create':
      return `Issue:${createdId(request, ending)}`;
    // A page resolves to its own rows; a deletion to the row as it was, which nothing shows any more.
    case 'readPage':
    case 'editCreated':
    case 'deleteCreated':
    case 'deleteIssue':
    case 'deleteUser':
      return undefined;
  }
}
