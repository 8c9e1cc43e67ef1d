/** What a row or a list shows: its patches applied to nothing, in rank order. */
import {
  entityOf,
  type ListOperation,
  type Older,
  type Parts,
  type Patch,
  type Row,
  type RowKey,
} from './effects.js';
import type { Merge } from './merges.js';
import { LISTS, type ListName, type Request } from './program.js';
import { inRankOrder, type Entry } from './rank.js';

/**
 * Folds the entries of one row, in whatever order they are given; undefined where there is no row. `before` gives what started
 * before a tick. `all` are all entries of the row, where only some are folded.
 */
export function foldRow(
  entries: readonly Entry<Patch>[],
  merge: Merge,
  before: (start: number) => Older,
  all = entries,
): Row | undefined {
  let row: Row | undefined;
  const order = (entry: Entry<Patch>): number => startOf(entry, all);
  for (const { what } of inRankOrder(evaluated(entries, before), undefined, false, order)) {
    switch (what.kind) {
      case 'gone':
        // A row made above a tombstone starts from nothing: old fields do not shine through.
        row = undefined;
        break;
      case 'function': {
        const fields = what.apply(row);
        row = row === undefined ? fields : merge(row, fields);
        break;
      }
      case 'fields':
        if (row !== undefined)
          row = merge(row, what.creates ? what.fields : withoutKey(what.fields));
        else if (what.creates) row = what.fields;
        break;
      case 'layer':
        // Evaluated above.
        break;
    }
  }
  return row;
}

const isCreate = (request: unknown): boolean => (request as Request | undefined)?.type === 'create';

/** A deletion counts as started when it ends: the server ran what overlaps it before. A create meanwhile makes the row anew. */
function startOf({ by, what }: Entry<Patch>, entries: readonly Entry<Patch>[]): number {
  const { start, settle = Infinity } = by;
  if (what.kind !== 'gone') return start;
  const creates = entries.filter(
    ({ by: other, what: { cell } }) =>
      entityOf(cell) === 'Issue' && isCreate(other.request) && other.start > start,
  );
  return Math.min(settle, ...creates.map(({ by: other }) => other.start - 0.5));
}

/** An optimistic edit names its row by the key; it does not write the key. */
function withoutKey({ id: _, ...fields }: Row): Row {
  return fields;
}

/**
 * Optimistic functions as what they come to. Such a layer reads only what started before its own request; where it declines, it is no
 * patch at all, and lifts nothing either.
 */
function evaluated(
  entries: readonly Entry<Patch>[],
  before: (start: number) => Older,
): readonly Entry<Patch>[] {
  return entries.flatMap((entry): readonly Entry<Patch>[] => {
    const { by, what } = entry;
    if (what.kind !== 'layer') return [entry];
    const fields = what.apply(before(by.start));
    return fields === undefined
      ? []
      : [{ by, what: { kind: 'fields', cell: what.cell, fields, creates: false } }];
  });
}

/**
 * Whether an operation concerns a list. All lists are lists of issues: an addition reaches those all of whose arguments it matches, as
 * text; the removal of an issue reaches every list, known or not.
 */
export function concerns(operation: ListOperation, list: ListName): boolean {
  if ('list' in operation) return operation.list === list;
  if (operation.kind === 'remove') return entityOf(operation.member) === 'Issue';
  return Object.entries(LISTS[list]).every(
    ([field, value]) => String(operation.fields[field]) === String(value),
  );
}

/** Whether responses brought a row to a list. What was added is none of them. */
function isBrought({ first, pages }: Parts, row: RowKey | undefined): boolean {
  return row !== undefined && (first.includes(row) || pages.includes(row));
}

/** The rows of a list, each at its first place alone. */
function rowsIn({ unshifted, first, pages, added }: Parts): readonly RowKey[] {
  return [...new Set([...unshifted, ...first, ...pages, ...added])];
}

/** How many members a list has, rows that are not there included. */
export function lengthOf(parts: Parts): number {
  return rowsIn(parts).length;
}

/**
 * Whether the place is still there behind which a page was asked for: the row that its responses ended with, or, where the list was not
 * known, that it has no further pages. Where that row was gone already, the list must end with the same one.
 */
export function isPlace(now: Parts, behind: Parts | undefined): boolean {
  if (behind === undefined) return !now.hasPages;
  const { end } = behind;
  return isBrought(now, end) || (now.end === end && !isBrought(behind, end));
}

/** `meanwhile`: what was added, and what was taken away, while a page was under way. */
function applyOperation(
  before: Parts | undefined,
  operation: ListOperation,
  meanwhile: Meanwhile,
): Parts | undefined {
  if (operation.kind === 'replace') {
    const { members } = operation;
    const last = before?.first.at(-1);
    // Does the new first page still lead to where the further pages begin?
    if (!before?.hasPages || last === undefined || !members.includes(last)) {
      return {
        unshifted: [],
        first: members,
        pages: [],
        added: [],
        end: members.at(-1),
        hasPages: false,
      };
    }
    const added = before.added.filter((row) => !members.includes(row));
    return { ...before, unshifted: [], first: members, added };
  }
  // A page or an addition to a list that is not known makes none, a removal from it is nothing.
  if (before === undefined) return undefined;
  const { unshifted, first, pages, added } = before;
  switch (operation.kind) {
    case 'page': {
      if (!isPlace(before, operation.behind)) return before;
      const members = operation.members.filter((row) => !meanwhile.removed.includes(row));
      const now = rowsIn(before);
      return {
        unshifted,
        first,
        pages: [...new Set([...pages, ...members])],
        added: [...added, ...meanwhile.added.filter((row) => !now.includes(row))].filter(
          (row) => !members.includes(row),
        ),
        end: operation.members.at(-1) ?? before.end,
        hasPages: true,
      };
    }
    case 'unpage':
      return { ...before, hasPages: false };
    case 'remove': {
      const stays = (row: RowKey): boolean => row !== operation.member;
      return {
        ...before,
        unshifted: unshifted.filter(stays),
        first: first.filter(stays),
        pages: pages.filter(stays),
        added: added.filter(stays),
      };
    }
    case 'add': {
      const { member, at } = operation;
      if (rowsIn(before).includes(member)) return before;
      return at === 'start'
        ? { ...before, unshifted: [member, ...unshifted] }
        : { ...before, added: [...added, member] };
    }
  }
}

function applyOperations(
  said: readonly Entry<ListOperation>[],
  entries: readonly Entry<ListOperation>[],
): readonly RowKey[] | undefined {
  const parts = partsOf(said, false, entries);
  return parts && rowsIn(parts);
}

/** A row that the server did not name is shown until a response comes that began after its create: that may hold the real row. */
function withoutReplaced(
  entries: readonly Entry<ListOperation>[],
): readonly Entry<ListOperation>[] {
  const last = Math.max(...entries.filter(isAnswer).map(({ by }) => by.start));
  return entries.filter(
    ({ by, what }) => what.kind !== 'add' || what.temporary !== 'unnamed' || by.start > last,
  );
}

function isAnswer({ what }: Entry<ListOperation>): boolean {
  return what.kind === 'replace' || what.kind === 'page';
}

/** When a response arrived; what is optimistic, or came with a page, is known from its start. */
function arrival({ by }: Entry<ListOperation>): number {
  return by.request === undefined ? by.start : (by.settle ?? by.start);
}

/** A list as its operations make it; `isSettled`: only those above which a response may arrive now. */
export function partsOf(
  said: readonly Entry<ListOperation>[],
  isSettled = false,
  current: readonly Entry<ListOperation>[] = withoutReplaced(said),
): Parts | undefined {
  let parts: Parts | undefined;
  // A create that is not shown any more still lifts what was sent after it.
  const order = inOrder(said, isSettled).filter((entry) => current.includes(entry));
  for (const [index, entry] of order.entries()) {
    const { added, removed } = changedDuring(entry, said);
    // A create that another one raised above the page places its row by itself.
    const above = order.slice(index + 1).map(({ what }) => 'member' in what && what.member);
    const brought = added.filter((row) => !above.includes(row));
    parts = applyOperation(parts, entry.what, { added: brought, removed });
  }
  return parts;
}

/** Pages rank by when their responses arrived: they continue the list that was there then. */
function inOrder(
  entries: readonly Entry<ListOperation>[],
  isSettled = false,
): readonly Entry<ListOperation>[] {
  const order = (entry: Entry<ListOperation>): number => listStartOf(entry, entries);
  return inRankOrder(entries, ({ kind }) => kind === 'page', isSettled, order);
}

/**
 * The response to a mutation may be the whole list. It need not hold what an older mutation does that was in flight when this one
 * started: an edit of the list counts as started just after the last such mutation.
 */
function listStartOf(
  { by: { kind, start, settle = Infinity }, what }: Entry<ListOperation>,
  entries: readonly Entry<ListOperation>[],
): number {
  const isOver = (other: Entry<ListOperation>): boolean =>
    other.what.kind === 'replace' &&
    other.by.kind === 'mutation' &&
    other.by.settle !== undefined &&
    other.by.start > start &&
    other.by.start < settle;
  const over = kind === 'mutation' && what.kind !== 'replace' ? entries.filter(isOver) : [];
  return Math.max(start, ...over.map(({ by }) => by.start + 0.5));
}

interface Meanwhile {
  readonly added: readonly RowKey[];
  readonly removed: readonly RowKey[];
}

/**
 * What was added and removed for good while a page was under way. The page need not hold what was added, nor does what comes behind
 * the page; and a first page that was asked for later may have taken it away. What was removed it may still hold. A page that was asked
 * for before its list was known brings nothing along.
 */
function changedDuring(
  { by: { start, settle = Infinity }, what: page }: Entry<ListOperation>,
  entries: readonly Entry<ListOperation>[],
): Meanwhile {
  const added = new Set<RowKey>();
  const removed = new Set<RowKey>();
  for (const { by, what } of page.kind === 'page' && page.behind ? inOrder(entries) : []) {
    const { settle: at = Infinity } = by;
    if (at >= settle) continue;
    if (what.kind === 'remove') {
      added.delete(what.member);
      if (at > start) removed.add(what.member);
    } else if (what.kind === 'add' && at > start && what.temporary === false) {
      removed.delete(what.member);
      added.add(what.member);
    }
  }
  return { added: [...added], removed: [...removed] };
}

/**
 * Folds the operations that concern one list; undefined while no response ever said what the list holds. One create never shows as
 * two rows:
 *
 * - A list that only responses know which arrived after the start of a pending create may hold its row already: the temporary row is
 *   hidden there.
 * - Elsewhere members are withheld that only such responses know. A create that is hidden, or stalled, withholds nothing.
 */
export function foldList(said: readonly Entry<ListOperation>[]): readonly RowKey[] | undefined {
  const entries = withoutReplaced(said);
  const members = applyOperations(said, entries);
  if (members === undefined) return undefined;
  const known = Math.min(...entries.filter(({ what }) => what.kind === 'replace').map(arrival));
  const hidden = new Set<RowKey>();
  let since = Infinity;
  for (const { by, what } of entries) {
    if (what.kind !== 'add' || what.temporary !== 'pending') continue;
    if (by.start < known) hidden.add(what.member);
    else if (!by.isStalled) since = Math.min(since, by.start);
  }
  const ambiguous = entries.filter((entry) => isAnswer(entry) && arrival(entry) > since);
  const isSure = (entry: Entry<ListOperation>): boolean => !ambiguous.includes(entry);
  const without = new Set(applyOperations(said.filter(isSure), entries.filter(isSure)));
  const doubtful = new Set(
    ambiguous.flatMap(({ what }) => ('members' in what ? what.members : [])),
  );
  return members.filter(
    (member) => !hidden.has(member) && (without.has(member) || !doubtful.has(member)),
  );
}
