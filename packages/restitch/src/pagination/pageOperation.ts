import type { AppendPage, ReplaceMembers } from '../store/journal/operations.js';

export type PageOperation = ReplaceMembers | AppendPage;

/** Returns the number of rows that the server sent. A list contains a repeated row only once. */
export const sizeOf = ({ sent, members }: PageOperation): number => (sent ?? members).length;

/** Rows that `process` skipped have no key, so the list does not contain them. */
export function withoutSkipped<P extends PageOperation>(page: P): P {
  const { members } = page;
  return members.includes(undefined)
    ? { ...page, members: members.filter((member) => member !== undefined) }
    : page;
}
