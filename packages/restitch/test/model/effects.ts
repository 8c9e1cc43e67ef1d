/**
 * What a payload does to rows and lists, said in patches and list operations. Written anew for the model: it shares nothing with the
 * library's normalizing.
 */
import type { IssueFields, IssuePayload, ListName, UserPayload } from './program.js';

/** `Issue:1`; a temporary row of transaction 7 is `Issue:~7`. */
export type RowKey = string;

/** A row as stored: relations as pks (strings), everything else as it came. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows and lists as what started before some moment makes them. */
export interface Older {
  row(cell: RowKey): Row | undefined;
  list(name: ListName): readonly RowKey[] | undefined;
}

export type Patch =
  | {
      readonly kind: 'fields';
      readonly cell: RowKey;
      readonly fields: Row;
      /** Whether it makes the row when there is none. An optimistic edit does not: it waits until a read brings the row. */
      readonly creates: boolean;
    }
  /** `set` with a function: says, from the row that ranks below it, which fields to write. */
  | {
      readonly kind: 'function';
      readonly cell: RowKey;
      readonly apply: (row: Row | undefined) => Row;
    }
  /** An optimistic function of what there was for what started earlier; undefined where it declines. */
  | {
      readonly kind: 'layer';
      readonly cell: RowKey;
      readonly apply: (older: Older) => Row | undefined;
    }
  | { readonly kind: 'gone'; readonly cell: RowKey };

export type ListOperation =
  | {
      /** The list, or its first page. */
      readonly kind: 'replace';
      readonly list: ListName;
      readonly members: readonly RowKey[];
    }
  | {
      /** A further page, which goes to its end. */
      readonly kind: 'page';
      readonly list: ListName;
      readonly members: readonly RowKey[];
      /** The list as it was when the page was asked for; undefined where it was not known. */
      readonly behind: Parts | undefined;
    }
  | {
      readonly kind: 'add';
      readonly member: RowKey;
      readonly at: 'start' | 'end';
      /** What the filters of the lists are matched against. */
      readonly fields: Row;
      /** Of a row under a temporary key: whether the server has said that it created the row without naming it. */
      readonly temporary: false | 'pending' | 'unnamed';
    }
  | { readonly kind: 'remove'; readonly member: RowKey }
  /** The next response begins the list anew; until then it is shown whole. */
  | { readonly kind: 'unpage'; readonly list: ListName };

/** A list as what was said of it. A row may stand in several parts: it is shown once. */
export interface Parts {
  /** Rows that were added at the start. */
  readonly unshifted: readonly RowKey[];
  /** The last whole response, or first page. */
  readonly first: readonly RowKey[];
  /** The further pages. */
  readonly pages: readonly RowKey[];
  /** Rows that were added at the end. */
  readonly added: readonly RowKey[];
  /** The last row of the response that said where the list ends, be it deleted since. */
  readonly end: RowKey | undefined;
  readonly hasPages: boolean;
}

export interface Effects {
  readonly patches: readonly Patch[];
  readonly operations: readonly ListOperation[];
}

export const NOTHING: Effects = { patches: [], operations: [] };

/** Relation fields and the entity they lead to. */
export const RELATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Issue: { author: 'User', parent: 'Issue' },
  User: { friend: 'User' },
};

/** What an instance shows for a field that no payload gave. */
export const DEFAULTS: Readonly<Record<string, Row>> = {
  Issue: { id: '', title: '', n: 0, status: '', author: undefined, parent: undefined },
  User: { id: '', name: '', friend: undefined },
};

export function entityOf(cell: RowKey): string {
  return cell.slice(0, cell.indexOf(':'));
}

function withoutUndefined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The patches of one user as it stands in a payload. */
export function userPatches(user: Partial<UserPayload>, cell: RowKey, creates: boolean): Patch[] {
  const fields = withoutUndefined(user);
  if (user.friend !== undefined && user.friend !== null) fields['friend'] = String(user.friend);
  return [{ kind: 'fields', cell, fields, creates }];
}

/** The patches of one issue as it stands in a payload, a nested author included. */
export function issuePatches(
  issue: Partial<IssuePayload>,
  cell: RowKey,
  creates: boolean,
): Patch[] {
  const fields = withoutUndefined(issue);
  const patches: Patch[] = [];
  const { author, parent } = issue;
  if (author !== undefined && author !== null) {
    if (typeof author === 'object') {
      fields['author'] = String(author.id);
      patches.push(...userPatches(author, `User:${author.id}`, creates));
    } else fields['author'] = String(author);
  }
  if (parent !== undefined && parent !== null) fields['parent'] = String(parent);
  patches.push({ kind: 'fields', cell, fields, creates });
  return patches;
}

/** A list's response: its rows, and its members as an ordered set, each at its first place. */
export function listEffects(list: ListName, rows: readonly IssuePayload[]): Effects {
  return { patches: rowsOf(rows), operations: [{ kind: 'replace', list, members: keysOf(rows) }] };
}

/** As `listEffects`, of a further page. */
export function pageEffects(
  list: ListName,
  rows: readonly IssuePayload[],
  behind: Parts | undefined,
): Effects {
  const members = keysOf(rows);
  return { patches: rowsOf(rows), operations: [{ kind: 'page', list, members, behind }] };
}

function rowsOf(rows: readonly IssuePayload[]): readonly Patch[] {
  return rows.flatMap((row) => issuePatches(row, `Issue:${row.id}`, true));
}

function keysOf(rows: readonly IssuePayload[]): readonly RowKey[] {
  return [...new Set(rows.map((row) => `Issue:${row.id}`))];
}

/** A deletion: a tombstone on the row and one removal from every list, at one rank. */
export function deleteEffects(cell: RowKey): Effects {
  return { patches: [{ kind: 'gone', cell }], operations: [{ kind: 'remove', member: cell }] };
}

/** A created row and its place in the lists that match it. */
export function createEffects(
  cell: RowKey,
  row: Partial<IssuePayload>,
  call: { readonly at: 'start' | 'end'; readonly body: IssueFields },
  temporary: boolean,
): Effects {
  return {
    patches: issuePatches(row, cell, true),
    operations: [
      {
        kind: 'add',
        member: cell,
        at: call.at,
        fields: { ...call.body, ...withoutUndefined(row) },
        temporary: temporary && 'pending',
      },
    ],
  };
}
