/** Compares the members of a shown list with what was said of that list. */
import { Fault } from './fault.js';
import type { ListRead } from './questions.js';
import type { Edit, Members, Said } from './said.js';

/**
 * Checks the members of one list, in their order. The newest whole response (the one that was sent last) says which rows it has; edits
 * whose responses arrived after that one was sent come on top; pages follow, each behind the row that it was asked behind.
 */
export function checkMembers(
  said: Said,
  read: ListRead,
  key: string,
  current: readonly string[],
): void {
  const responses = said.list(key);
  const newest = newestOf(responses);
  if (newest === undefined) {
    throw new Fault('foreign-list', `[${current.join()}] is shown of a list without a response`);
  }
  // A row that moved has no key in a map.
  const every = said.edits.filter(
    (edit) => concerns(edit, read) && !(read.space.isMap && edit.type === 'add'),
  );
  const edits = every.filter(({ end }) => end > newest.start);
  const added = new Set(edits.filter(({ type }) => type === 'add').map(({ id }) => id));
  const removed = edits.filter(isRemoval);
  // One that overlapped others ranks with the last of those: it may come on top of newer responses too.
  const lifted = every.filter(({ isClean }) => !isClean);
  const gone = [...removed, ...lifted.filter(isRemoval), ...every.filter((e) => e.isUnsure)];
  const mayLack = new Set(gone.map(({ id }) => id));
  for (const id of [...newest.ids, ...added]) {
    const { mayVanish, leaving } = said.row(read.cls.table, id);
    if (mayVanish || leaving > 0) mayLack.add(id);
  }
  const pages = responses.filter(({ behind }) => behind !== undefined);
  const paged = pages.flatMap(({ ids }) => ids);
  // Where pages are kept, be they empty, so are the rows that were created between them.
  const kept = pages.length > 0 ? every : lifted;
  const known = new Set([...newest.ids, ...added, ...paged, ...kept.map(({ id }) => id)]);

  const foreign = current.filter((id) => !known.has(id));
  if (foreign.length > 0) {
    const others = responses.some(({ ids }) => foreign.every((id) => ids.includes(id)));
    const code = others ? 'old-member' : 'foreign-member';
    throw new Fault(
      code,
      `[${current.join()}] shows ${foreign.join()}; the list was said to be [${newest.ids.join()}]`,
    );
  }
  if (new Set(current).size < current.length) {
    throw new Fault('repeated-member', `[${current.join()}] shows a row twice`);
  }
  for (const { id, filter, isClean, end } of removed) {
    // A page counts from when its response arrived (order 4.4), and brings back what was removed before.
    const isBack = pages.some((page) => page.end > end && page.ids.includes(id));
    const isSure = isClean && !isBack && (filter === undefined || filter === read.filter);
    if (isSure && !added.has(id) && current.includes(id))
      throw new Fault('removed-member', `[${current.join()}] shows ${id}, which was removed`);
  }
  const head = newest.ids.filter((id) => !mayLack.has(id));
  const missing = [...head, ...added].filter((id) => !mayLack.has(id) && !current.includes(id));
  // A picky class leaves out what a response for another class brought.
  if (missing.length > 0 && read.cls.spec.trait !== 'picky') {
    throw new Fault(
      'missing-member',
      `[${current.join()}] lacks ${missing.join()}; said: [${newest.ids.join()}]`,
    );
  }
  if (read.space.isMap) return;
  // Behind the newest response a row that was created here stands wherever the edit put it; so does one that left, and was added again.
  const created = new Set(every.filter(({ type }) => type === 'add').map(({ id }) => id));
  const stays = (id: string): boolean => newest.ids.includes(id) && !mayLack.has(id);
  const order = current.filter((id) => !created.has(id) || stays(id));
  // What was removed from pages that are kept stays away, though a newer first page knows nothing of it.
  const left = kept.filter(isRemoval).map(({ id }) => id);
  checkOrder(order, newest, responses, new Set([...mayLack, ...created, ...left]), current);
}

function checkOrder(
  order: readonly string[],
  newest: Members,
  responses: readonly Members[],
  mayLack: ReadonlySet<string>,
  current: readonly string[],
): void {
  const head = newest.ids.filter((id) => order.includes(id));
  const start = order.slice(0, head.length);
  if (start.join() !== head.join()) {
    throw new Fault(
      'other-order',
      `[${current.join()}] begins otherwise than [${newest.ids.join()}]`,
    );
  }
  for (let index = head.length; index < order.length; index++) {
    const before = new Set(order.slice(0, index));
    const isFirst = index === head.length;
    const id = order[index] ?? '';
    // Pages go behind their row in the order in which they come: what others put between is not missing.
    const follows = (earlier: string): boolean =>
      before.has(earlier) || (isFirst && (head.length === 0 || newest.ids.includes(earlier)));
    if (!precededBy(id, responses, mayLack, follows, 0)) {
      const last = order[index - 1];
      throw new Fault(
        'hole',
        `[${current.join()}] shows ${id} behind ${last}: no response says so`,
      );
    }
  }
}

/** Whether a response has a row behind one that `follows` accepts; rows between that left do not count. */
function precededBy(
  id: string,
  responses: readonly Members[],
  mayLack: ReadonlySet<string>,
  follows: (earlier: string) => boolean,
  depth: number,
): boolean {
  return responses.some(({ ids, behind }) => {
    const at = ids.indexOf(id);
    if (at < 0) return false;
    const chain = [...ids.slice(0, at).reverse(), ...(behind === undefined ? [] : [behind])];
    for (const earlier of chain) {
      if (follows(earlier)) return true;
      if (!mayLack.has(earlier)) return false;
      if (earlier === behind)
        return depth < 4 && precededBy(earlier, responses, mayLack, follows, depth + 1);
    }
    return false;
  });
}

/** The whole response that was sent last. */
function newestOf(responses: readonly Members[]): Members | undefined {
  let newest: Members | undefined;
  for (const members of responses) {
    if (members.behind === undefined && members.start >= (newest?.start ?? 0)) newest = members;
  }
  return newest;
}

const isRemoval = ({ type }: Edit): boolean => type === 'remove';

/** Whether an edit is about a list. */
function concerns(edit: Edit, { home, group, owner, filter, cls }: ListRead): boolean {
  if (edit.home === undefined) return edit.table === cls.table;
  const isOfKind = edit.home === home || edit.inRecords === home;
  if (home === undefined || !isOfKind || edit.owner !== owner) return false;
  // An argument that is neither a field of the row nor of the call, such as a search text, keeps additions out.
  if (edit.type === 'add') return filter === '' || owner !== undefined || edit.group === group;
  // What moved leaves the lists of other groups.
  return edit.group === undefined || (group !== undefined && edit.group !== group);
}
