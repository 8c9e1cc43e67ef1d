import { useSyncExternalStore } from 'react';
import type { IssueDraft } from '../api/resources.js';
import { createStore } from './createStore.js';

/** The new values of an issue. */
export type IssueChange = Partial<IssueDraft>;

/** A change that the server did not take. */
export interface FailedChange {
  number: number;
  issueId: number;
  what: IssueChange | 'delete';
  message: string;
}

/** An issue that the server did not take, as it was typed. */
export interface FailedCreate {
  number: number;
  draft: IssueDraft;
  message: string;
}

let lastNumber = 0;
const none: readonly FailedChange[] = [];
const failedChanges = createStore<ReadonlyMap<number, readonly FailedChange[]>>(new Map());
export const failedCreates = createStore<readonly FailedCreate[]>([]);

/** The failed changes of one issue. Only its own readers render when they change. */
export function useFailedChanges(issueId: number): readonly FailedChange[] {
  return useSyncExternalStore(failedChanges.subscribe, () => failedChangesOf(issueId));
}

export const failedChangesOf = (issueId: number) => failedChanges.get().get(issueId) ?? none;

/** Notes a failed change. A field is kept once, as it was wanted last. */
export function addFailedChange(issueId: number, what: FailedChange['what'], message: string) {
  const older = without(
    failedChangesOf(issueId),
    what === 'delete' ? ['delete'] : Object.keys(what),
  );
  setChanges(issueId, [...older, { number: ++lastNumber, issueId, what, message }]);
}

/** Forgets what failed of these fields; without fields, of the whole issue. */
export function dropFailedChanges(issueId: number, fields?: readonly string[]) {
  setChanges(issueId, fields ? without(failedChangesOf(issueId), fields) : none);
}

export function dropFailedChange({ number, issueId }: FailedChange) {
  setChanges(
    issueId,
    failedChangesOf(issueId).filter((one) => one.number !== number),
  );
}

export function addFailedCreate(draft: IssueDraft, message: string) {
  failedCreates.set([...failedCreates.get(), { number: ++lastNumber, draft, message }]);
}

export function dropFailedCreate(number: number) {
  failedCreates.set(failedCreates.get().filter((one) => one.number !== number));
}

function setChanges(issueId: number, changes: readonly FailedChange[]) {
  const before = failedChangesOf(issueId);
  if (before.length === 0 && changes.length === 0) return;
  const next = new Map(failedChanges.get());
  if (changes.length > 0) next.set(issueId, changes);
  else next.delete(issueId);
  failedChanges.set(next);
}

function without(changes: readonly FailedChange[], fields: readonly string[]): FailedChange[] {
  return changes.flatMap((one) => {
    if (one.what === 'delete') return fields.includes('delete') ? [] : [one];
    const kept = Object.entries(one.what).filter(([field]) => !fields.includes(field));
    return kept.length === 0 ? [] : [{ ...one, what: Object.fromEntries(kept) }];
  });
}
