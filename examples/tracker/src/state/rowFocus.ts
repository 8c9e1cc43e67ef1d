/**
 * The keyboard focus among the rows of the list. A row that an action takes away gives its focus to a neighbor; one that comes back
 * takes it again.
 */
let awaited: number | undefined;

/** Focuses the row of an issue, now or when it appears within a second. */
export function focusRow(id: number) {
  if (focusLink(find(id))) return;
  awaited = id;
  setTimeout(() => {
    if (awaited === id) awaited = undefined;
  }, 1_000);
}

/** Focuses the row below, or else the one above. Call it before the row goes. */
export function focusNeighbor(id: number) {
  const row = find(id);
  if (!focusLink(row?.nextElementSibling)) focusLink(row?.previousElementSibling);
}

/** Called by each row that appears. */
export function rowAppeared(id: number) {
  if (awaited !== id) return;
  awaited = undefined;
  focusLink(find(id));
}

const find = (id: number) => document.querySelector(`[data-issue="${id}"]`);

function focusLink(row: Element | null | undefined): boolean {
  const link = row?.querySelector('a');
  link?.focus();
  return link !== null && link !== undefined;
}
