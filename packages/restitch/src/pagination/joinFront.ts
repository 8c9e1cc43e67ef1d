import { type PageParams, textOf } from './PageMark.js';
import type { Round, RoundPage } from './Round.js';

/**
 * Loads the rows that may be missing in front of the page `last`. `loadPrevious` loaded the page
 * before `last`, and the response does not name `last` as the next page. Other clients may have
 * created rows between the two pages. Starting at `last`, the function loads one previous page
 * after another. It stops at a page of the round. It also stops when the new pages cover the pages
 * in front; the new pages then replace them. In this example, a chat opens with its last page:
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
