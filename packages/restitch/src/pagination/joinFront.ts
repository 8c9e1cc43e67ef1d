import { isFirst, type PageParams, textOf } from './PageMark.js';
import type { Round, RoundPage } from './Round.js';

/**
 * Loads the rows that may be missing before `last`, a page of a round. Other clients may have
 * created rows between `pages`, the earlier pages of the round, and `last`. Starting at `last`, the
 * function loads previous pages up to one of `pages`. The function also stops when it has `count`
 * rows, as many as `pages`. In this example, a chat opens with its last page:
 *
 * ```
 *   list         1 2 3 │ 4 5 6           `?before=4` and the last page; 7 and 8 are new
 *   round        1 2 3  ⋮  6 7 8         the same two requests: 4 and 5 are missing
 *   joinFront    1 2 │ 3 4 5 │ 6 7 8     `?before=6`, then `?before=3`, replace `?before=4`
 * ```
 *
 * `isInner` returns true for a row of the list, except the first row. The last row is inner only if
 * no page follows. If a loaded page begins with an inner row, the loop goes on.
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
    // If the opening page of the list is now the first page on the server, no page is before it.
    return isFirst(last.info.ask) ? [] : pages;
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
