import { argText } from '../../schema/argText.js';
import { identityOfPage } from '../../schema/listSchema.js';
import type { EditShape, Shape } from '../../schema/shapes.js';
import { listCell } from '../cells/tables.js';
import { currentSettled } from '../journal/fold.js';
import { listArgs } from '../cells/keys.js';
import { isListing, isPlace } from './members.js';
import type { AppendPage } from '../journal/operations.js';
import { patchesOf } from '../journal/patches.js';
import { isPending } from '../journal/rank.js';
import type { Cell, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from '../journal/Transaction.js';

/**
 * A further page goes only behind what it was asked behind: the row with which its list ended then. Where that row is gone when the page
 * comes, it would leave a hole:
 *
 * ```
 *   list [1 2 3]  ── page 2 ─────────────────┐
 *   refetch           └──── [8 9 1]          └ [4 5 6]     dropped, since 2 and 3 would be missing, and asked for again
 *                                            ┌ [2 3 4]     list [8 9 1 2 3 4]
 * ```
 */
export interface Place {
  /** The list when the page was asked for; undefined where it was not known. */
  readonly behind: Listing | undefined;
  /** What the arguments of the call say beside those of the list, as text: which page. */
  readonly values: readonly string[];
}

/**
 * Notes behind what the pages of a request are asked for. A request that is sent again, whose first places are `asked`, means the place
 * as it is now only where it names what comes next there; else it still means what it was first asked behind.
 */
export function notePlaces(
  store: Store,
  transaction: Transaction,
  shape: Shape,
  args: readonly unknown[],
  asked?: Transaction['places'],
): void {
  for (const { list, edit } of pagesIn(shape)) {
    const identity = listArgs(identityOfPage(edit, args));
    const cell = listCell(store, list, identity);
    const own = textsIn(identity);
    const values = textsIn(args).filter((text) => !own.includes(text));
    const first = asked && placeOf(store, asked, cell);
    const behind = first && !first.isNext ? first.behind : listingOf(store, cell);
    (transaction.places ??= new Map()).set(cell, { behind, values });
  }
}

/** Where a page goes that comes now; a place that is gone says whether the same page is still the next one. */
export function placeOf(
  store: Store,
  places: Transaction['places'],
  cell: Cell,
): { readonly behind: Listing | undefined; readonly isGone: boolean; readonly isNext: boolean } {
  const now = listingOf(store, cell);
  // A write of our own goes behind what is there.
  const place = places?.get(cell);
  const behind = places ? place?.behind : now;
  const isGone = now !== undefined && !isPlace(now, behind);
  const isNext = isGone && !!place?.values.some((value) => isNextIn(now, place.behind, value));
  return { behind, isGone, isNext };
}

/**
 * What was added to a list and removed from it for good since a page of it was asked for. A refetch of the first page that began
 * afterwards takes away what was added, as it may stand on the pages; this one need not hold it, and what comes behind this one does
 * not. What was removed this page may still hold. A page that was asked for before its list was known brings nothing along.
 */
export function changedSince(cell: Cell, start: number): AppendPage['meanwhile'] {
  // Each under the key of a map, or itself.
  const added = new Map<unknown, string>();
  const removed = new Set<unknown>();
  for (const { operation, transaction } of patchesOf(cell)) {
    // What is pending will rank above the page.
    if (!isPending(transaction)) {
      const isSince = transaction.settle > start;
      if (operation.type === 'remove') {
        for (const member of operation.members) {
          added.delete(member);
          if (isSince) {
            removed.add(member);
          }
        }
      } else if (isSince && operation.type === 'assign') {
        added.set(operation.member, operation.key);
      } else if (isSince && operation.type === 'add' && !operation.temporary) {
        added.set(operation.member, operation.member);
        removed.delete(operation.member);
      }
    }
  }
  return { members: [...added.keys()], keys: [...added.values()], removed };
}

function listingOf(store: Store, cell: Cell): Listing | undefined {
  const shown = currentSettled(store, cell);
  return isListing(shown) ? shown : undefined;
}

/**
 * Whether an argument still names what comes next: it means now what it meant in the list that it was asked behind. What means
 * nothing there is the number of a page; only behind a first page that is the next one.
 */
function isNextIn(now: Listing, before: Listing | undefined, value: string): boolean {
  // Where it stands in what names what comes next.
  const meaningIn = ({ beside, end, members }: Listing): string =>
    textsIn([beside, end, members.length])
      .map((text) => text === value)
      .join();
  const meant = before ? meaningIn(before) : '';
  return meant.includes('true')
    ? meant === meaningIn(now)
    : before?.isPaged === false && !now.isPaged && Number.isInteger(Number(value));
}

/** The plain values in a value, as text. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'object' && part) {
      return part;
    }
    texts.push(argText(part));
    return undefined;
  });
  return texts;
}

function* pagesIn(shape: Shape): IterableIterator<EditShape> {
  if (shape.kind === 'edit' && shape.edit.action === 'page') {
    yield shape;
  } else if (shape.kind === 'object') {
    for (const part of shape.fields.values()) {
      yield* pagesIn(part);
    }
  }
}
