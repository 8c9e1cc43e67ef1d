import { argText } from '../../schema/argText.js';
import { identityOfPage } from '../../schema/listSchema.js';
import { shapesIn } from '../../schema/shape.js';
import type { Shape } from '../../schema/shapes.js';
import { listCell } from '../cells/tables.js';
import { currentSettled } from '../journal/fold.js';
import { listArgs } from '../cells/keys.js';
import { fieldsOf, lastPlace } from './fieldsByPlace.js';
import { isListing, isPlace } from './members.js';
import type { AppendPage } from '../journal/operations.js';
import { patchesOf } from '../journal/patches.js';
import { isPending } from '../journal/responseOrder.js';
import type { Cell, Listing } from '../cells/Cell.js';
import type { Store } from '../cells/Store.js';
import type { Transaction } from '../journal/Transaction.js';

/**
 * The place of a further page is after the row that was last in the list when the page was
 * requested. If that row is missing when the page arrives, the place is lost. Otherwise, the list
 * would get a gap:
 *
 * ```
 *   list               [1 2 3]     page 2 is requested: the rows after 3
 *   refetch            [8 9 1]     3 is missing now
 *   page 2 arrives     [4 5 6]     dropped and requested again: the list would lack 2 and 3
 *   page 2 again       [2 3 4]     the list is [8 9 1 2 3 4]
 * ```
 */
export interface Place {
  /** The list at the time of the request; undefined if it was unknown. */
  readonly behind: Listing | undefined;
  /** The arguments that select the page, as text. */
  readonly values: readonly string[];
}

/**
 * A request that is sent again keeps its `previous` places. A page that lost its place gets the
 * current place if it is still the next page.
 */
export function notePlaces(
  store: Store,
  transaction: Transaction,
  shape: Shape,
  args: readonly unknown[],
  previous?: Transaction['places'],
): void {
  for (const part of shapesIn(shape)) {
    if (part.kind !== 'edit' || part.edit.action !== 'page') {
      continue;
    }
    const { list, edit } = part;
    const identity = listArgs(identityOfPage(edit, args));
    const cell = listCell(store, list, identity);
    const own = textsIn(identity);
    const values = textsIn(args).filter((text) => !own.includes(text));
    const first = previous && placeOf(store, previous, cell);
    const behind = first && !first.isNext ? first.behind : listingOf(store, cell);
    (transaction.places ??= new Map()).set(cell, { behind, values });
  }
}

/** `isNext` is true if the place is lost, but the arguments still select the next page. */
export function placeOf(
  store: Store,
  places: Transaction['places'],
  cell: Cell,
): { readonly behind: Listing | undefined; readonly isLost: boolean; readonly isNext: boolean } {
  const now = listingOf(store, cell);
  // A page of a local write belongs after the current members.
  const place = places?.get(cell);
  const behind = places ? place?.behind : now;
  const isLost = now !== undefined && !isPlace(now, behind);
  const isNext = isLost && !!place?.values.some((value) => isNextIn(now, place.behind, value));
  return { behind, isLost, isNext };
}

export function changedSince(cell: Cell, start: number): AppendPage['meanwhile'] {
  // Pending mutations are left out, because they rank above the page.
  const confirmed = patchesOf(cell).filter(({ transaction }) => !isPending(transaction));
  return (above, before = Infinity) => {
    const added = new Map<unknown, string>();
    const removed = new Set<unknown>();
    for (const { operation, transaction } of confirmed) {
      if (transaction.start >= before) {
        continue;
      }
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
    above?.forEach((member) => added.delete(member));
    return { members: [...added.keys()], keys: [...added.values()], removed };
  };
}

function listingOf(store: Store, cell: Cell): Listing | undefined {
  const current = currentSettled(store, cell);
  return isListing(current) ? current : undefined;
}

/**
 * If `value` was the cursor, the last key or the length, it must still have this meaning. Any other
 * integer is a page number. It is next only while the list has a single page.
 */
function isNextIn(now: Listing, before: Listing | undefined, value: string): boolean {
  // For example, `false,true,false`: the argument equals the last key, but no other value.
  const meaningIn = ({ pageFields, end, members }: Listing): string =>
    textsIn([fieldsOf(pageFields, lastPlace(pageFields)), end, members.length])
      .map((text) => text === value)
      .join();
  const meant = before ? meaningIn(before) : '';
  return meant.includes('true')
    ? meant === meaningIn(now)
    : before?.isPaged === false && !now.isPaged && Number.isInteger(Number(value));
}

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
