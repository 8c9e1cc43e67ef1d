import { argText } from '../schema/argText.js';
import { identityOfPage } from '../schema/listSchema.js';
import type { EditShape, Shape } from '../schema/shape.js';
import { listCell } from './cells.js';
import { showSettled } from './fold.js';
import { listArgs } from './keys.js';
import { endOf, isListing, isPlace } from './listing.js';
import type { Cell, Listing, Store, Transaction } from './state.js';

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

/** Notes behind what the pages of a request are asked for. */
export function notePlaces(
  store: Store,
  transaction: Transaction,
  shape: Shape,
  args: readonly unknown[],
): void {
  for (const { list, edit } of pagesIn(shape)) {
    const identity = listArgs(identityOfPage(edit, args));
    const cell = listCell(store, list, identity);
    const own = textsIn(identity);
    const values = textsIn(args).filter((text) => !own.includes(text));
    (transaction.places ??= new Map()).set(cell, { behind: listingOf(store, cell), values });
  }
}

/** Where a page goes that comes now; a place that is gone says whether the same page is still the next one. */
export function placeOf(
  store: Store,
  { places }: Transaction,
  cell: Cell,
): { readonly behind: Listing | undefined; readonly isGone: boolean; readonly isNext: boolean } {
  const now = listingOf(store, cell);
  // A write of our own goes behind what is there.
  const { behind, values = [] }: Partial<Place> = places
    ? (places.get(cell) ?? {})
    : { behind: now };
  const isGone = now !== undefined && !isPlace(now, behind);
  const isNext = isGone && values.some((value) => isNextIn(now, behind, value));
  return { behind, isGone, isNext };
}

function listingOf(store: Store, cell: Cell): Listing | undefined {
  const shown = showSettled(store, cell);
  return isListing(shown) ? shown : undefined;
}

/**
 * Whether an argument names what comes after a list as it is now: it stands in the page fields, is the number of members, or is the
 * number of a page where it is none of these and no key. What stood in the page fields is a cursor, whatever number it looks like.
 */
function isNextIn(now: Listing, before: Listing | undefined, value: string): boolean {
  const stands = (part: unknown): boolean => textsIn(part).includes(value);
  const count = before?.members.length;
  if (count !== now.members.length && stands(count)) {
    // An offset, though it may stand in the page fields: it names another row now.
    return false;
  }
  if (stands(now.beside) || stands(before?.beside)) {
    return stands(now.beside);
  }
  const isFirst = before && !before.isPaged && !now.isPaged;
  return (
    stands(now.members.length) ||
    (isFirst === true &&
      Number.isInteger(Number(value)) &&
      !stands([before.members.length, endOf(before)]))
  );
}

/** The plain values in a value, as text. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'object') {
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
