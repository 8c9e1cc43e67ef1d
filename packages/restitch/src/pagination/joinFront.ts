import { type PageParams, textOf } from './PageMark.js';
import type { Round, RoundPage } from './Round.js';

/**
 * Called for a page that the page before it does not name, because `loadPrevious` loaded the
 * latter. Other clients may have created or deleted rows, so unknown rows may stand between the
 * two. Pages are loaded backward, until one names a page of the round, or until the new pages cover
 * the pages in front and replace them. In this example, a chat opens with its last page:
 *
 * ```
 *   list     1 2 3 │ 4 5 6                 7 and 8 are new
 *   round    1 2 3           6 7 8         the page before 4, and the last page
 *            1 2 │ 3 4 5 │ 6 7 8           the pages before 3 and 6 replace the page before 4
 * ```
 *
 * `count` is the number of rows in front. `isInner` returns true for a row of the list, except for
 * its first and last row.
 */
export async function joinFront(
  last: RoundPage,
  pages: readonly RoundPage[],
  count: number,
  isInner: (member: unknown) => boolean,
  round: Round,
  load: (ask: PageParams) => Promise<RoundPage | undefined>,
): Promise<readonly RoundPage[]> {
  let { previous } = last.info;
  if (!previous) {
    return pages;
  }
  const back: RoundPage[] = [];
  const found = new Set<unknown>();
  for (let isOpen = true; previous && isOpen && !round.pages.has(textOf(previous));) {
    const page = await load(previous);
    if (!page) {
      return pages;
    }
    const { members } = page.page;
    const { size } = found;
    members.forEach((member) => found.add(member));
    back.unshift({ ...page, isFront: true });
    isOpen = found.size > size && (found.size < count || isInner(members[0]));
    ({ previous } = page.info);
  }
  const named = pages.findIndex(({ info }) => textOf(info.ask) === textOf(previous));
  return [...pages.slice(0, named + 1), ...back];
}
